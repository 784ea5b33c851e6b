import { type AnyClass, declarationsOf, type ErrorCode, KubernetesObject } from '@evenkeel/core';
import type { ImpliedType } from '../constraints/constraint.ts';
import { constraintRule } from '../constraints/constraint-table.ts';
import type { Finding, SourceLocation } from '../finding.ts';
import type { ClassSources } from '../source/class-sources.ts';
import type { ClassSource, PropertySource } from '../source/source-file.ts';
import type { ApiClass, ApiProperty, PropertyType } from './api-class.ts';
import { transformedPropertiesOf, transformerMetadataOf } from './class-transformer.ts';
import {
  type ConstraintUse,
  conditional,
  constraintsOf,
  decoratorName,
  type ValidatorGroups,
} from './constraint-metadata.ts';
import { initialValuesOf, jsonOf } from './initial-values.ts';
import {
  candidateOfDesignType,
  candidateOfValue,
  isApiClass,
  kindOf,
  type TypeCandidate,
  type WrittenType,
  WrittenTypes,
} from './type-candidate.ts';

/**
 * Reads a decorated class and the classes below it. Problems are findings, all of them at once; what they are about
 * gets the type `unknown`.
 */
export async function readApiClass(type: AnyClass, options: ReadClassOptions, findings: Finding[]): Promise<ApiClass> {
  return new ClassReading(options, findings).read(type, undefined);
}

/** Where classes are read from. */
export interface ReadClassOptions {
  readonly sources: ClassSources;
  readonly validator: ValidatorGroups;
}

class ClassReading {
  readonly #options: ReadClassOptions;
  readonly #findings: Finding[];
  /** The classes from the root to the one being read, to see one that contains itself. */
  readonly #path: AnyClass[] = [];
  readonly #done = new Map<AnyClass, ApiClass>();

  constructor(options: ReadClassOptions, findings: Finding[]) {
    this.#options = options;
    this.#findings = findings;
  }

  read(type: AnyClass, source: ClassSource | undefined): ApiClass {
    const done = this.#done.get(type);
    if (done !== undefined) return done;
    this.#path.push(type);
    const reading = new PropertyReading({
      type,
      ...this.#options,
      chain: this.#sourceChain(type, source),
      report: (finding) => this.#findings.push(finding),
      nested: (nested, nestedSource) => (this.#path.includes(nested) ? undefined : this.read(nested, nestedSource)),
    });
    const properties = reading.names().map((name) => reading.read(name));
    this.#path.pop();
    const [own] = reading.chain;
    const read: ApiClass = {
      type,
      name: type.name,
      ...(own?.name !== type.name || own.description === undefined ? {} : { description: own.description }),
      ...(own === undefined ? {} : { location: { file: own.file, line: own.line } }),
      properties,
    };
    this.#done.set(type, read);
    return read;
  }

  /** The text of a class, then of its base classes. */
  #sourceChain(type: AnyClass, known: ClassSource | undefined): ClassSource[] {
    const chain: ClassSource[] = [];
    let near = known;
    for (
      let current: unknown = type;
      isApiClass(current) && current !== KubernetesObject && current !== Function.prototype;
      current = Object.getPrototypeOf(current)
    ) {
      const source = (current === type ? known : undefined) ?? this.#options.sources.sourceOf(current, near);
      if (source !== undefined) chain.push(source);
      near = source ?? near;
    }
    return chain;
  }
}

interface ReadingContext extends ReadClassOptions {
  readonly type: AnyClass;
  readonly chain: readonly ClassSource[];
  report(finding: Finding): void;
  /** Reads a class below this one; undefined where it is above it as well. */
  nested(type: AnyClass, source: ClassSource | undefined): ApiClass | undefined;
}

/** Reads the properties of one class. */
class PropertyReading {
  readonly #context: ReadingContext;
  readonly #constraints: ReadonlyMap<string, readonly ConstraintUse[]>;
  readonly #declarations;
  readonly #initial: ReadonlyMap<string, unknown>;
  readonly #unstable: ReadonlySet<string>;

  constructor(context: ReadingContext) {
    this.#context = context;
    this.#constraints = constraintsOf(context.type, context.validator);
    this.#declarations = declarationsOf(context.type).properties;
    const initial = initialValuesOf(context.type);
    if ('threw' in initial) {
      const reason = initial.threw instanceof Error ? initial.threw.message : String(initial.threw);
      this.#report(
        'error',
        'class-not-constructible',
        undefined,
        `new ${context.type.name}() threw "${reason}"; its initialisers must not need arguments, the network or the time`,
      );
    }
    this.#initial = 'threw' in initial ? new Map() : initial.values;
    this.#unstable = 'threw' in initial ? new Set() : initial.unstable;
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
    ]);
    if (this.#context.type.prototype instanceof KubernetesObject) {
      for (const name of ['apiVersion', 'kind', 'metadata']) names.delete(name);
    }
    return [...names].sort();
  }

  read(name: string): ApiProperty {
    const location = this.#locationOf(name);
    const source = this.#sourceOf(name);
    const constraints = this.#constraints.get(name) ?? [];
    const transformer = transformerMetadataOf(this.#context.type, name);
    for (const { decorator, mend } of transformer.refused) {
      this.#report('error', 'transformed-property', name, `${decorator} is not supported: ${mend}`);
    }
    const designType: unknown = Reflect.getMetadata('design:type', this.#context.type.prototype as object, name);
    const written = this.#writtenType(name, source, designType);
    if (written?.allowsNull === true) {
      this.#report(
        'notice',
        'inexact-constraint',
        name,
        'the API server removes null before it looks at the value; declare it with "?" instead of "| null"',
      );
    }
    const says = this.#declarations.get(name) ?? [];
    const hasInitialValue = this.#initial.get(name) !== undefined;
    const initialValue = this.#initialValue(name);
    const isOptional =
      source?.property.isOptional === true ||
      written?.allowsUndefined === true ||
      constraints.some((use) => use.name === 'isOptional');
    const type: PropertyType = says.some((declaration) => declaration.says === 'conditions')
      ? { is: 'conditions' }
      : transformer.refused.length > 0 && transformer.type === undefined
        ? { is: 'unknown' }
        : this.#type(name, constraints, transformer.type, written?.candidate, designType);
    if (isOptional && !hasInitialValue) this.#checkOptional(name, constraints);
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
        !hasInitialValue &&
        !constraints.some((use) => use.name === conditional) &&
        !says.some((declaration) => declaration.says === 'status') &&
        (source !== undefined ||
          says.some((declaration) => declaration.says === 'spec') ||
          constraints.some((use) => !acceptsMissing(use))),
      ...(initialValue === undefined ? {} : { initialValue }),
      constraints,
      says,
    };
  }

  #checkOptional(name: string, constraints: readonly ConstraintUse[]): void {
    const isLenient = constraints.some((use) => use.name === 'isOptional' || use.name === conditional);
    const strict = isLenient ? undefined : constraints.find((use) => !use.each && !acceptsMissing(use));
    if (strict === undefined) return;
    this.#report(
      'notice',
      'inexact-constraint',
      name,
      `"?" lets it be missing, which ${decoratorName(strict)} refuses; add @IsOptional() so that validation in the operator agrees`,
    );
  }

  #initialValue(name: string): unknown {
    if (this.#initial.get(name) === undefined) return undefined;
    if (this.#unstable.has(name)) {
      this.#report(
        'error',
        'invalid-default',
        name,
        'its initialiser gives another value each time, so it cannot be the default of the CRD; set it in the controller',
      );
      return undefined;
    }
    const json = jsonOf(this.#initial.get(name));
    if (json === undefined) {
      this.#report(
        'error',
        'invalid-default',
        name,
        'its initialiser gives what cannot be sent as JSON, so it cannot be the default of the CRD; use strings, numbers, booleans, arrays and classes of them, and leave out what has no value',
      );
    }
    return json;
  }

  #writtenType(
    name: string,
    source: { property: PropertySource; in: ClassSource } | undefined,
    designType: unknown,
  ): WrittenType | undefined {
    if (source?.property.type === undefined) return undefined;
    const initial = this.#initial.get(name);
    const seen = [designType, initial?.constructor].filter(isApiClass);
    return new WrittenTypes(this.#context.sources, seen).read(source.property.type, source.in);
  }

  #type(
    name: string,
    constraints: readonly ConstraintUse[],
    named: AnyClass | undefined,
    written: TypeCandidate | undefined,
    designType: unknown,
  ): PropertyType {
    const implied = this.#implied(name, constraints, false);
    const impliedItems = this.#implied(name, constraints, true);
    const witness = firstKnown(written, candidateOfValue(this.#initial.get(name)), candidateOfDesignType(designType));
    if (named !== undefined) {
      const element = candidateOfDesignType(named) ?? { is: 'object' };
      const isList = witness?.is === 'array' || implied === 'array' || constraints.some((use) => use.each);
      if (witness?.is === 'map') return this.#settle(name, { is: 'map', values: element });
      return this.#settle(name, isList ? { is: 'array', items: element } : element);
    }
    if (witness === undefined || witness.is === 'problem') {
      const fromDecorators = ofImplied(implied, impliedItems);
      if (fromDecorators !== undefined) {
        if (written?.is === 'problem' && !constraints.some(listsValues)) this.#wider(name, written.message);
        return this.#settle(name, fromDecorators);
      }
    }
    if (witness === undefined) {
      this.#report('error', 'unknown-type', name, `its type is not known; ${howToTell}`);
      return { is: 'unknown' };
    }
    if (written?.is === 'problem' && witness.is !== 'problem' && !constraints.some(listsValues)) {
      this.#wider(name, written.message);
    }
    const refined = this.#refine(name, witness, implied);
    if (refined.is === 'array' && impliedItems !== undefined) {
      const items = firstKnown(refined.items) ?? ofImplied(impliedItems, undefined) ?? { is: 'object' };
      return this.#settle(name, { is: 'array', items: this.#refine(name, items, impliedItems) });
    }
    if (refined.is === 'map' && impliedItems !== undefined) {
      return this.#settle(name, { is: 'map', values: this.#refine(name, refined.values, impliedItems) });
    }
    return this.#settle(name, refined);
  }

  /** The declared type was not understood, so that the schema says only what another witness does. */
  #wider(name: string, message: string): void {
    this.#report('notice', 'inexact-constraint', name, `its declared type is not in the schema: ${message}`);
  }

  /** What the decorators demand, all of them together. */
  #implied(name: string, constraints: readonly ConstraintUse[], each: boolean): ImpliedType | undefined {
    let found: { type: ImpliedType; by: ConstraintUse } | undefined;
    for (const use of constraints) {
      if (use.each !== each || use.name === undefined) continue;
      const type = constraintRule(use.name)?.implies?.(use.parameters);
      if (type === undefined || found?.type === type) continue;
      if (found === undefined || isNarrower(type, found.type)) found = { type, by: use };
      else if (!isNarrower(found.type, type)) {
        this.#report(
          'error',
          'conflicting-types',
          name,
          `${decoratorName(found.by)} accepts only ${withArticle(found.type)}, ${decoratorName(use)} only ${withArticle(type)}; remove one of them`,
        );
        return undefined;
      }
    }
    return found?.type;
  }

  #refine(name: string, candidate: TypeCandidate, implied: ImpliedType | undefined): TypeCandidate {
    const kind = kindOf(candidate);
    if (implied === undefined || kind === undefined || kind === implied || isNarrower(kind, implied)) return candidate;
    if (candidate.is === 'number' && implied === 'integer') return { is: 'integer' };
    const by = (this.#constraints.get(name) ?? []).find(
      (use) => use.name !== undefined && constraintRule(use.name)?.implies?.(use.parameters) === implied,
    );
    this.#report(
      'error',
      'conflicting-types',
      name,
      `it is ${withArticle(kind)}, but ${by === undefined ? 'a decorator' : decoratorName(by)} accepts only ${withArticle(implied)}; change the type or the decorator`,
    );
    return candidate;
  }

  /** The type that a candidate amounts to; what is not known all the way down is reported. */
  #settle(name: string, candidate: TypeCandidate | undefined): PropertyType {
    switch (candidate?.is) {
      case undefined:
        this.#report('error', 'unknown-type', name, `the type of its elements is not known; ${howToTell}`);
        return { is: 'unknown' };
      case 'problem':
        this.#report('error', 'unknown-type', name, candidate.message);
        return { is: 'unknown' };
      case 'object':
        this.#report(
          'error',
          'unknown-type',
          name,
          'it is an object of which nothing is known, so the API server would prune all of it; use a class, or Record<string, unknown> to keep whatever is sent',
        );
        return { is: 'unknown' };
      case 'array':
        return { is: 'array', items: this.#settle(name, candidate.items) };
      case 'map':
        return { is: 'map', values: this.#settle(name, candidate.values) };
      case 'class': {
        const nested = this.#context.nested(
          candidate.type,
          candidate.source ?? this.#context.sources.sourceOf(candidate.type, this.chain[0]),
        );
        if (nested !== undefined) return { is: 'object', class: nested };
        this.#report(
          'error',
          'recursive-class',
          name,
          `${candidate.type.name} contains itself here, which a structural schema cannot say; declare the depth you need as classes of their own, or the property as Record<string, unknown>`,
        );
        return { is: 'unknown' };
      }
      default:
        return candidate as PropertyType;
    }
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

const howToTell =
  'declare it in TypeScript that the generator can find, or add a decorator that says it: @IsString(), @IsInt(), @Type(() => X), ...';

/** Source, then initialiser, then `design:type`; an array whose elements only a later one knows takes them from there. */
function firstKnown(...candidates: (TypeCandidate | undefined)[]): TypeCandidate | undefined {
  const known = candidates.filter((candidate) => candidate !== undefined);
  const usable = known.find((candidate) => candidate.is !== 'problem' && candidate.is !== 'object');
  if (usable?.is !== 'array' || usable.items !== undefined) return usable ?? known[0];
  return known.find((candidate) => candidate.is === 'array' && candidate.items !== undefined) ?? usable;
}

function listsValues(use: ConstraintUse): boolean {
  return use.name === 'isIn' || use.name === 'isEnum' || use.name === 'equals';
}

function ofImplied(implied: ImpliedType | undefined, items: ImpliedType | undefined): TypeCandidate | undefined {
  if (implied === 'array' || (implied === undefined && items !== undefined)) {
    const element = ofImplied(items, undefined);
    return element === undefined ? { is: 'array' } : { is: 'array', items: element };
  }
  return implied === undefined ? undefined : { is: implied };
}

function isNarrower(type: ImpliedType, than: ImpliedType): boolean {
  return type === 'integer' && than === 'number';
}

function withArticle(type: ImpliedType): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function acceptsMissing(use: ConstraintUse): boolean {
  if (use.name === conditional) return true;
  return use.name !== undefined && constraintRule(use.name)?.acceptsMissing === true;
}
