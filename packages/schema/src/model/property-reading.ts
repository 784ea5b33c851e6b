import {
  type AnyClass,
  declarationsOf,
  type ErrorCode,
  fieldsOfEveryObject,
  KubernetesObject,
  type PropertyDeclaration,
} from '@evenkeel/core';
import type { BuiltInTypes } from '../builtin/built-in-types.ts';
import {
  type ConstraintUse,
  conditional,
  constraintsOf,
  type ValidatorGroups,
} from '../constraints/constraint-metadata.ts';
import { constraintRule } from '../constraints/constraint-table.ts';
import type { Finding, SourceLocation } from '../finding/finding.ts';
import type { ClassSources } from '../source/class-sources.ts';
import type { ClassSource, PropertySource } from '../source/source-file.ts';
import type { ApiProperty, PropertyType } from './api-class.ts';
import { transformedPropertiesOf, transformerMetadataOf } from './class-transformer.ts';
import { readDefault } from './default-value.ts';
import { type Instability, initialValuesOf } from './initial-values.ts';
import {
  type NestedClass,
  type RecursionCut,
  readPropertyType,
  type TypeContext,
  type ValueWords,
} from './property-type.ts';
import { throwingProperty } from './throwing-property.ts';
import { isApiClass } from './type-candidate.ts';
import { TypeParameters, typeInChain } from './type-parameters.ts';
import { unionClass } from './union-class.ts';
import { readWrittenType, type WrittenType } from './written-types.ts';

/** The property that leads from one class to another. */
export interface Step {
  readonly owner: AnyClass;
  readonly property: string;
  readonly cut: RecursionCut;
}

/** A class to read, and where its parts are found. */
export interface ReadingContext {
  readonly type: AnyClass;
  readonly sources: ClassSources;
  readonly validator: ValidatorGroups;
  readonly chain: readonly ClassSource[];
  report(finding: Finding): void;
  readonly builtIns: BuiltInTypes;
  /** Reads a class below this one. */
  nested(type: AnyClass, source: ClassSource | undefined, step: Step): NestedClass;
}

/** Reads the properties of one class. */
export class PropertyReading {
  readonly #context: ReadingContext;
  readonly #constraints: ReadonlyMap<string, readonly ConstraintUse[]>;
  readonly #declarations;
  readonly #initial: ReadonlyMap<string, unknown>;
  readonly #unstable: ReadonlyMap<string, Instability>;
  readonly #isConstructible: boolean;

  constructor(context: ReadingContext) {
    this.#context = context;
    this.#constraints = constraintsOf(context.type, context.validator);
    this.#declarations = declarationsOf(context.type).properties;
    const initial = initialValuesOf(context.type);
    this.#isConstructible = !('threw' in initial);
    this.#initial = 'threw' in initial ? new Map() : initial.values;
    this.#unstable = 'threw' in initial ? new Map() : initial.unstable;
    if ('threw' in initial) this.#reportThrown(initial.threw, '');
    else if (initial.threwElsewhere !== undefined) {
      this.#reportThrown(initial.threwElsewhere, ' at another time, on another host, with other environment variables');
    }
  }

  get chain(): readonly ClassSource[] {
    return this.#context.chain;
  }

  names(): string[] {
    const names = new Set([
      ...this.chain.flatMap((source) => [...source.properties.keys()]),
      ...this.#constraints.keys(),
      ...this.#declarations.keys(),
      ...this.#initial.keys(),
      ...transformedPropertiesOf(this.#context.type),
      ...uncalledPropertiesOf(this.#context.type),
    ]);
    if (this.#context.type.prototype instanceof KubernetesObject) {
      for (const name of fieldsOfEveryObject) names.delete(name);
    }
    return [...names].sort();
  }

  read(name: string): ApiProperty {
    const location = this.#locationOf(name);
    const source = this.#sourceOf(name);
    const words = this.#wordsOf(this.#context.type, name, (code, message) =>
      this.#report('error', code, name, message),
    );
    const { constraints, says } = words;
    const designType: unknown = Reflect.getMetadata('design:type', this.#context.type.prototype as object, name);
    const written = this.#writtenType(name, source, designType);
    for (const notice of written?.notices ?? []) this.#report('notice', 'inexact-constraint', name, notice);
    const isNullable = says.some((declaration) => declaration.says === 'nullable');
    if (written?.allowsNull === true && !isNullable) {
      this.#report(
        'notice',
        'inexact-constraint',
        name,
        'the API server removes null before it validates; declare it with "?" instead of "| null", or add @Nullable()',
      );
    }
    const fallback = readDefault(
      says,
      {
        value: this.#initial.get(name),
        unstable: this.#unstable.get(name),
        isWritten: this.#isConstructible && source?.property.hasInitializer === true,
      },
      (code, message) => this.#report('error', code, name, message),
    );
    const isOptional =
      source?.property.isOptional === true ||
      written?.allowsUndefined === true ||
      constraints.some((use) => use.name === 'isOptional');
    const { hidden } = source?.property ?? {};
    if (hidden !== undefined) this.#reportHidden(name, hidden);
    const isUncalled = uncalledPropertiesOf(this.#context.type).includes(name);
    if (isUncalled) this.#reportUncalled(name, source?.property.uncalled);
    const misplaced = says.find((declaration) => declaration.says === 'misplaced');
    const isShared = !isUncalled && isMember(this.#context.type, name);
    const place = misplaced?.on ?? (isShared ? 'member' : undefined);
    if (place !== undefined) this.#reportMisplaced(name, place);
    const isUnreadable =
      place !== undefined || isUncalled || hidden !== undefined || (words.isRefused && words.named === undefined);
    const type: PropertyType = isUnreadable
      ? { is: 'unknown' }
      : readPropertyType(
          { ...words, written: written?.candidate, initial: this.#initial.get(name), designType },
          this.#typeContext(name),
        );
    this.#checkDefined(name, constraints, isOptional && !fallback.exists, isNullable);
    const { description } = source?.property ?? {};
    return {
      name,
      className: this.#context.type.name,
      ...(description === undefined ? {} : { description }),
      ...(location === undefined ? {} : { location }),
      type,
      isOptional,
      isRequired:
        !isOptional &&
        !fallback.exists &&
        !constraints.some((use) => use.name === conditional) &&
        !says.some((declaration) => declaration.says === 'status') &&
        (source !== undefined ||
          says.some((declaration) => demandsPresence.has(declaration.says)) ||
          constraints.some((use) => !acceptsMissing(use))),
      ...(fallback.value === undefined ? {} : { defaultValue: fallback.value }),
      constraints,
      says,
    };
  }

  #typeContext(name: string): TypeContext {
    const { type, sources } = this.#context;
    const [near] = this.chain;
    return {
      report: (level, code, message) => this.#report(level, code, name, message),
      nested: (nested, source, cut) =>
        this.#context.nested(nested, source ?? sources.sourceOf(nested, near), { owner: type, property: name, cut }),
      hasSources: !sources.isEmpty,
      union: (base, discriminator, variants) => unionClass(base, discriminator, variants, sources.sourceOf(base, near)),
      builtIn: (definition) => this.#context.builtIns.typeOf(definition),
      wordsOf: (element) =>
        this.#wordsOf(element, 'element', (code, message) => this.#report('error', code, name, message)),
    };
  }

  /** The decorators of a property: of this class, or of the hidden class that has the decorators of elements. */
  #wordsOf(
    type: AnyClass,
    property: string,
    report: (code: ErrorCode, message: string) => void,
  ): ValueWords & { readonly isRefused: boolean } {
    const isOwn = type === this.#context.type;
    const constraints = (isOwn ? this.#constraints : constraintsOf(type, this.#context.validator)).get(property);
    const declarations = isOwn ? this.#declarations : declarationsOf(type).properties;
    const { type: named, discriminator, refused } = transformerMetadataOf(type, property);
    for (const { decorator, fix } of refused) {
      report('transformed-property', `${decorator} is not supported: ${fix}`);
    }
    return {
      constraints: constraints ?? [],
      says: declarations.get(property) ?? [],
      named,
      discriminator,
      isRefused: refused.length > 0,
    };
  }

  #reportThrown(error: unknown, where: string): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#report(
      'error',
      'class-not-constructible',
      throwingProperty(error, this.chain)?.name,
      `new ${this.#context.type.name}() threw "${reason}"${where}; its initialisers must not need arguments, the network or the time`,
    );
  }

  #reportHidden(name: string, hidden: 'private' | 'protected'): void {
    const message = `it is ${hidden} only in TypeScript, but every property of an API class is part of its objects; use #${name} or a variable outside of the class, or remove "${hidden}"`;
    this.#report('error', 'hidden-property', name, message);
  }

  #reportUncalled(name: string, decorators: readonly string[] = []): void {
    const written = decorators.map((decorator) => `@${decorator}()`).join(' ');
    const fix = written === '' ? 'add them: @IsInt(), not @IsInt' : `write ${written}`;
    const message = `one of its decorators has no parentheses, so it has no effect and the property is lost; ${fix}`;
    this.#report('error', 'decorator-not-called', name, message);
  }

  #reportMisplaced(name: string, place: keyof typeof misplacedTexts): void {
    const why = misplacedTexts[place];
    this.#report(
      'error',
      'decorator-without-class',
      name,
      `${why}, so it is not part of any object; make it a named property, or remove its decorators`,
    );
  }

  /** Reports a property that may be missing or null by its declaration, but has `@IsDefined`, which requires a value. */
  #checkDefined(name: string, constraints: readonly ConstraintUse[], isOptional: boolean, isNullable: boolean): void {
    if (!constraints.some((use) => use.name === 'isDefined')) return;
    if (constraints.some((use) => use.name === 'isOptional' || use.name === conditional)) return;
    const ways = [
      ...(isOptional ? ['"?" allows it to be missing'] : []),
      ...(isNullable ? ['@Nullable() allows it to be null'] : []),
    ];
    for (const way of ways) {
      this.#report(
        'notice',
        'inexact-constraint',
        name,
        `${way}, but @IsDefined rejects that in the operator (the API server accepts it); remove one of the two`,
      );
    }
  }

  #writtenType(
    name: string,
    source: { property: PropertySource; in: ClassSource } | undefined,
    designType: unknown,
  ): WrittenType | undefined {
    const type = source?.property.type;
    if (source === undefined || type === undefined) return undefined;
    const { sources } = this.#context;
    const initial = this.#initial.get(name);
    const bound = typeInChain(type, this.chain, this.chain.indexOf(source.in), TypeParameters.of(sources));
    return readWrittenType(bound, source.in.file, {
      sources,
      seen: [designType, initial?.constructor].filter(isApiClass),
      owner: `${this.#context.type.name}.${name}`,
    });
  }

  #sourceOf(name: string): { property: PropertySource; in: ClassSource } | undefined {
    for (const source of this.chain) {
      const property = source.properties.get(name);
      if (property !== undefined) return { property, in: source };
    }
    return undefined;
  }

  #locationOf(name: string | undefined): SourceLocation | undefined {
    const found = name === undefined ? undefined : this.#sourceOf(name);
    if (found !== undefined) return { file: found.in.file, line: found.property.line };
    const [own] = this.chain;
    return own === undefined ? undefined : { file: own.file, line: own.line };
  }

  #report(level: Finding['level'], code: ErrorCode, name: string | undefined, message: string): void {
    const location = this.#locationOf(name);
    this.#context.report({
      level,
      code,
      className: this.#context.type.name,
      ...(name === undefined ? {} : { property: name }),
      ...(location === undefined ? {} : { location }),
      message,
    });
  }
}

const misplacedTexts = {
  static: 'it is static',
  symbol: 'its name is a symbol',
  member: 'it is a method or an accessor',
} as const;

/**
 * The properties with a decorator factory that was not called. A decorator's return value becomes the property descriptor.
 * An uncalled factory returns a function, so the prototype gets a property with an empty descriptor.
 */
function uncalledPropertiesOf(type: AnyClass): string[] {
  const prototype = type.prototype as object;
  return Object.getOwnPropertyNames(prototype).filter((name) => {
    const { value, get, set, writable, enumerable, configurable } =
      Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    return [value, get, set].every((it) => it === undefined) && !(writable || enumerable || configurable);
  });
}

/** Whether it is on the prototype, as methods and accessors are. */
function isMember(type: AnyClass, name: string): boolean {
  for (let current: unknown = type.prototype; current !== null; current = Object.getPrototypeOf(current)) {
    if (current === Object.prototype) return false;
    if (Object.hasOwn(current as object, name) && name !== 'constructor') return true;
  }
  return false;
}

/** Evenkeel's declarations that imply a value: a property with one is required unless it is optional. */
const demandsPresence: ReadonlySet<PropertyDeclaration['says']> = new Set([
  'spec',
  'intOrString',
  'quantity',
  'duration',
  'embeddedResource',
  'nullable',
]);

function acceptsMissing(use: ConstraintUse): boolean {
  if (use.name === conditional) return true;
  return use.name !== undefined && constraintRule(use.name)?.acceptsMissing === true;
}
