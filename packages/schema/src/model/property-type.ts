import {
  type AnyClass,
  type ElementsDeclaration,
  type ErrorCode,
  KubernetesObject,
  type PropertyDeclaration,
  schemaFormats,
} from '@evenkeel/core';
import type { BuiltInType } from '../builtin/built-in-types.ts';
import type { Finding } from '../finding/finding.ts';
import type { ClassSource } from '../source/source-file.ts';
import type { ApiClass, ApiValue, PropertyType } from './api-class.ts';
import { changedClass } from './changed-class.ts';
import { checkPropertyDeclarations } from './check-property-declarations.ts';
import type { Discriminator } from './class-transformer.ts';
import { impliedType, listsValues, ofImplied, refine } from './implied-type.ts';
import { checkScalarDecorator } from './scalar-decorator.ts';
import {
  candidateOfClass,
  candidateOfDesignType,
  candidateOfValue,
  isApiClass,
  type TypeCandidate,
} from './type-candidate.ts';

/** The decorators of a value. */
export interface ValueWords extends ApiValue {
  /** The class in `@Type(() => X)`. */
  readonly named: AnyClass | undefined;
  readonly discriminator: Discriminator | undefined;
}

/** All sources of information about the type of one value. */
export interface TypeWitnesses extends ValueWords {
  /** The declared type, from the source file. */
  readonly written: TypeCandidate | undefined;
  /** The value of the initialiser. */
  readonly initial: unknown;
  /** The compiler's `design:type`. */
  readonly designType: unknown;
}

/** The user's decorators for a recursion that passes through a property. */
export interface RecursionCut {
  /** `@Recursive(levels)`. */
  readonly levels?: number;
  /** `@PreserveUnknownFields()`. */
  readonly keeps: boolean;
}

/**
 * The result for a nested class: the class that was read, any object if the user cut a recursion, or the reason for an error.
 */
export type NestedClass =
  | { readonly is: 'class'; readonly class: ApiClass }
  | { readonly is: 'cut' }
  | { readonly is: 'refused'; readonly message: string };

export interface TypeContext {
  readonly report: (level: Finding['level'], code: ErrorCode, message: string) => void;
  nested(type: AnyClass, source: ClassSource | undefined, cut: RecursionCut): NestedClass;
  /** One class for the classes of a union with a discriminator. */
  union(base: AnyClass, discriminator: Discriminator, variants: readonly ApiClass[]): ApiClass;
  /** One of Kubernetes' own types. */
  builtIn(definition: string): BuiltInType;
  /** The decorators on the hidden class of `@Items` or `@Values`. */
  wordsOf(element: AnyClass): ValueWords;
  /** Whether there are TypeScript sources to read declared types from. */
  readonly hasSources: boolean;
  /** The recursion decorators of the property, if this type is that of its elements. */
  readonly outerCut?: RecursionCut;
}

/** The type on which all witnesses of a value agree. Missing information and contradictions are reported. */
export function readPropertyType(witnesses: TypeWitnesses, context: TypeContext): PropertyType {
  const type = new TypeReading(witnesses, context).read();
  checkPropertyDeclarations(witnesses.says, type, context.outerCut !== undefined, (code, message) =>
    context.report('error', code, message),
  );
  return type;
}

class TypeReading {
  readonly #witnesses: TypeWitnesses;
  readonly #context: TypeContext;

  constructor(witnesses: TypeWitnesses, context: TypeContext) {
    this.#witnesses = witnesses;
    this.#context = context;
  }

  read(): PropertyType {
    const { constraints, named, discriminator, written, initial, designType } = this.#witnesses;
    const { report } = this.#context;
    const seen = [written, candidateOfValue(initial), candidateOfDesignType(designType)];
    const notJson = seen.find((candidate) => candidate?.is === 'problem' && candidate.isNotJson === true);
    if (notJson !== undefined) return this.#settle(notJson, true);
    const declared = this.#declared(firstKnown(...seen));
    if (declared !== undefined) return declared;
    const implied = impliedType(constraints, false, report);
    const impliedItems = impliedType(constraints, true, report);
    const witness = firstKnown(...seen.slice(0, 2), this.#container(), ...seen.slice(2));
    if (named !== undefined) {
      const element: TypeCandidate =
        discriminator === undefined
          ? (candidateOfDesignType(named) ?? { is: 'object' })
          : { is: 'union', base: named, discriminator };
      const isList = implied === 'array' || constraints.some((use) => use.each);
      if (witness !== undefined && (!isList || witness.is === 'array' || witness.is === 'map')) {
        return this.#settle(withInnermost(witness, element), true);
      }
      return this.#settle(isList ? { is: 'array', items: element } : element, true);
    }
    // The operator's code may set any of the types, so neither a decorator nor an initialiser chooses one.
    const isOneOfSeveral = written?.is === 'problem' && written.types !== undefined;
    if (isOneOfSeveral && !this.#cut().keeps && !constraints.some(listsValues)) return this.#settle(written, true);
    if (witness === undefined || witness.is === 'problem') {
      const fromDecorators = ofImplied(implied, impliedItems);
      if (fromDecorators !== undefined) {
        if (written?.is === 'problem' && !constraints.some(listsValues)) this.#wider(written.message);
        return this.#settle(fromDecorators, true);
      }
      if (this.#cut().keeps) return { is: 'anyValue' };
    }
    if (witness === undefined) {
      this.#context.report('error', 'unknown-type', `its type is unknown; ${typeFix(this.#context.hasSources)}`);
      return { is: 'unknown' };
    }
    if (written?.is === 'problem' && witness.is !== 'problem' && !constraints.some(listsValues)) {
      this.#wider(written.message);
    }
    const isWhole = witness.is === 'number' && this.#isWholeByFormat();
    const refined = refine(witness, isWhole ? 'integer' : implied, constraints, report);
    if (refined.is === 'array' && impliedItems !== undefined) {
      const items = firstKnown(refined.items) ?? ofImplied(impliedItems, undefined) ?? { is: 'object' };
      return this.#settle({ ...refined, items: refine(items, impliedItems, constraints, report) }, true);
    }
    if (refined.is === 'map' && impliedItems !== undefined) {
      const values = firstKnown(refined.values) ?? ofImplied(impliedItems, undefined) ?? { is: 'object' };
      return this.#settle({ ...refined, values: refine(values, impliedItems, constraints, report) }, true);
    }
    return this.#settle(refined, true);
  }

  /** The type that an Evenkeel decorator names. It has precedence. */
  #declared(witness: TypeCandidate | undefined): PropertyType | undefined {
    for (const declaration of this.#witnesses.says) {
      switch (declaration.says) {
        case 'conditions':
        case 'schemaless':
          return { is: declaration.says };
        case 'intOrString':
        case 'quantity':
        case 'duration':
          this.#checkScalar(declaration.says, witness);
          return { is: declaration.says };
        case 'embeddedResource':
          return this.#embedded(declaration);
      }
    }
    return undefined;
  }

  #checkScalar(says: 'intOrString' | 'quantity' | 'duration', witness: TypeCandidate | undefined): void {
    const { written, constraints } = this.#witnesses;
    const isRefused = written?.is === 'problem';
    if (isRefused && written.types === undefined) this.#wider(written.message);
    checkScalarDecorator(says, isRefused ? written : witness, constraints, this.#context.report);
  }

  #embedded(declaration: Extract<PropertyDeclaration, { says: 'embeddedResource' }>): PropertyType {
    const metadata = declaration.metadata === true;
    if (declaration.type === undefined) return { is: 'embedded', metadata };
    const type = classOf(declaration.type);
    if (type === undefined) {
      this.#context.report(
        'error',
        'invalid-option',
        '@EmbeddedResource(): the argument is not a class; if modules import each other in a cycle, write @EmbeddedResource(() => X)',
      );
      return { is: 'unknown' };
    }
    const nested = this.#settle(candidateOfClass(type), true);
    if (nested.is === 'object') return { is: 'embedded', class: nested.class, metadata };
    if (nested.is === 'builtIn') {
      if (type.prototype instanceof KubernetesObject) return { is: 'embedded', builtIn: nested.type, metadata };
      this.#context.report(
        'error',
        'invalid-option',
        `@EmbeddedResource(() => ${type.name}): it is not a kind, but an embedded resource must have apiVersion and kind; declare the property as ${type.name} and remove the decorator`,
      );
      return { is: 'unknown' };
    }
    return nested.is === 'anyObject' ? { is: 'embedded', metadata } : nested;
  }

  /** Whether the format is an integer width, which makes a number an integer. */
  #isWholeByFormat(): boolean {
    const isWidth = (format: string) => schemaFormats.integer.some((name) => name === format);
    return this.#witnesses.says.some((one) => one.says === 'format' && isWidth(one.format));
  }

  /** The type that `@Items` and `@Values` imply. */
  #container(): TypeCandidate | undefined {
    const { says } = this.#witnesses;
    if (says.some((declaration) => declaration.says === 'items')) return { is: 'array' };
    return says.some((declaration) => declaration.says === 'values') ? { is: 'map' } : undefined;
  }

  #cut(): RecursionCut {
    const { outerCut } = this.#context;
    let levels = outerCut?.levels;
    let keeps = outerCut?.keeps ?? false;
    for (const declaration of this.#witnesses.says) {
      if (declaration.says === 'recursive') levels = declaration.levels;
      else if (declaration.says === 'preserveUnknownFields') keeps = true;
    }
    return { keeps, ...(levels === undefined ? {} : { levels }) };
  }

  /** Reports that the declared type is not supported, so that the schema has only the type of another witness. */
  #wider(message: string): void {
    this.#context.report('notice', 'inexact-constraint', `its declared type is not in the schema: ${message}`);
  }

  /** The type of a candidate. Unknown parts at any depth are reported. */
  #settle(candidate: TypeCandidate | undefined, isOuter: boolean): PropertyType {
    switch (candidate?.is) {
      case undefined:
        return this.#unknown(`the type of its elements is unknown; ${typeFix(this.#context.hasSources)}`, {
          is: 'anyValue',
        });
      case 'problem':
        return this.#unknown(candidate.message, candidate.isNotJson === true ? undefined : { is: 'anyValue' });
      case 'object':
        return this.#unknown(
          'its properties are unknown, so the API server would prune all of them; use a class, or Record<string, unknown> to keep whatever is sent',
          { is: 'anyObject' },
        );
      case 'array': {
        const read = isOuter ? this.#element('items', candidate.items) : undefined;
        this.#checkNulls('items', candidate, read?.element);
        const { minItems, maxItems } = candidate;
        return {
          is: 'array',
          items: read?.type ?? this.#settle(candidate.items, false),
          ...(read === undefined ? {} : { element: read.element }),
          ...(minItems === undefined ? {} : { minItems }),
          ...(maxItems === undefined ? {} : { maxItems }),
        };
      }
      case 'map': {
        const read = isOuter ? this.#element('values', candidate.values) : undefined;
        this.#checkNulls('values', candidate, read?.element);
        if (read !== undefined) return { is: 'map', values: read.type, element: read.element };
        return { is: 'map', values: this.#settle(candidate.values, false) };
      }
      case 'class': {
        const read = this.#class(candidate.type, candidate.source);
        if (candidate.changes === undefined || read.is !== 'object') return read;
        return { is: 'object', class: changedClass(read.class, candidate.changes) };
      }
      case 'builtIn':
        return { is: 'builtIn', type: this.#context.builtIn(candidate.definition), changes: candidate.changes };
      case 'union':
        return this.#union(candidate.base, candidate.discriminator);
      default:
        return candidate as PropertyType;
    }
  }

  #checkNulls(
    elements: 'items' | 'values',
    { hasNulls }: { readonly hasNulls?: true },
    element: ApiValue | undefined,
  ): void {
    if (hasNulls !== true || element?.says.some(({ says }) => says === 'nullable') === true) return;
    const decorator = elements === 'items' ? '@Items' : '@Values';
    this.#context.report(
      'notice',
      'inexact-constraint',
      `its ${elements} may be null by their type, but the schema rejects null; add ${decorator}(Nullable()), or remove "| null"`,
    );
  }

  #class(type: AnyClass, source: ClassSource | undefined): PropertyType {
    const nested = this.#context.nested(type, source, this.#cut());
    if (nested.is === 'class') return { is: 'object', class: nested.class };
    if (nested.is === 'cut') return { is: 'anyObject' };
    this.#context.report('error', 'recursive-class', nested.message);
    return { is: 'unknown' };
  }

  #union(base: AnyClass, discriminator: Discriminator): PropertyType {
    const variants: ApiClass[] = [];
    for (const { value } of discriminator.subTypes) {
      const type = this.#class(value, undefined);
      if (type.is !== 'object') return type;
      variants.push(type.class);
    }
    return { is: 'object', class: this.#context.union(base, discriminator, variants) };
  }

  /** Reports an unknown type, unless the property has `@PreserveUnknownFields()`. */
  #unknown(message: string, kept: PropertyType | undefined): PropertyType {
    if (kept !== undefined && this.#cut().keeps) return kept;
    this.#context.report('error', 'unknown-type', message);
    return { is: 'unknown' };
  }

  /** The type of the elements with the decorators in `@Items` or `@Values`; undefined without those. */
  #element(
    says: ElementsDeclaration['says'],
    written: TypeCandidate | undefined,
  ): { type: PropertyType; element: ApiValue } | undefined {
    const declaration = this.#witnesses.says.find((one): one is ElementsDeclaration => one.says === says);
    if (declaration === undefined) return undefined;
    const words = this.#context.wordsOf(declaration.element);
    const type = readPropertyType(
      { ...words, written, initial: undefined, designType: undefined },
      {
        ...this.#context,
        report: (level, code, message) => this.#context.report(level, code, `its ${says}: ${message}`),
        outerCut: this.#cut(),
      },
    );
    return { type, element: { constraints: words.constraints, says: words.says } };
  }
}

/** A class, or the result of a thunk, which is an arrow function and has no prototype. */
function classOf(reference: unknown): AnyClass | undefined {
  if (typeof reference !== 'function') return undefined;
  if (reference.prototype !== undefined) return reference as AnyClass;
  try {
    const type: unknown = reference();
    return isApiClass(type) ? type : undefined;
  } catch {
    return undefined;
  }
}

/** A container with its innermost elements replaced. */
function withInnermost(container: TypeCandidate, element: TypeCandidate): TypeCandidate {
  if (container.is === 'array') {
    return { ...container, items: container.items === undefined ? element : withInnermost(container.items, element) };
  }
  if (container.is === 'map') {
    return {
      ...container,
      values: container.values === undefined ? element : withInnermost(container.values, element),
    };
  }
  // The declared type may change the same class: Partial<X>, Pick<X, ...>.
  const isSame =
    (container.is === 'class' && element.is === 'class' && container.type === element.type) ||
    (container.is === 'builtIn' && element.is === 'builtIn' && container.definition === element.definition);
  return isSame ? container : element;
}

/** The fix for an unknown type. Without sources, the declaration may be correct, and the program must pass its source. */
function typeFix(hasSources: boolean): string {
  const where = hasSources
    ? 'declare it in TypeScript that the generator can find'
    : "pass its TypeScript source, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources })";
  return `${where}, or add a decorator for it: @IsString(), @IsInt(), @Type(() => X), ...`;
}

/** Order: source, initialiser, `design:type`. An array without element type takes it from a later candidate. */
function firstKnown(...candidates: (TypeCandidate | undefined)[]): TypeCandidate | undefined {
  const known = candidates.filter((candidate) => candidate !== undefined);
  const usable = known.find((candidate) => candidate.is !== 'problem' && candidate.is !== 'object');
  if (usable?.is !== 'array' || usable.items !== undefined) return usable ?? known[0];
  return known.find((candidate) => candidate.is === 'array' && candidate.items !== undefined) ?? usable;
}
