import type { AnyClass, ErrorCode } from '@evenkeel/core';
import type { ImpliedType } from '../constraints/constraint.ts';
import { constraintRule } from '../constraints/constraint-table.ts';
import type { Finding } from '../finding.ts';
import type { ClassSource } from '../source/source-file.ts';
import type { ApiClass, PropertyType } from './api-class.ts';
import { type ConstraintUse, decoratorName } from './constraint-metadata.ts';
import { candidateOfDesignType, candidateOfValue, kindOf, type TypeCandidate } from './type-candidate.ts';

/** Whatever says something of the type of one value. */
export interface TypeWitnesses {
  readonly constraints: readonly ConstraintUse[];
  /** The class that `@Type(() => X)` names. */
  readonly named: AnyClass | undefined;
  /** The declared type, from the source. */
  readonly written: TypeCandidate | undefined;
  /** What the initialiser gives. */
  readonly initial: unknown;
  /** The compiler's `design:type`. */
  readonly designType: unknown;
}

export interface TypeContext {
  report(level: Finding['level'], code: ErrorCode, message: string): void;
  /** Reads a class below this one; undefined where it is above it as well. */
  nested(type: AnyClass, source: ClassSource | undefined): ApiClass | undefined;
}

/** The type on which all witnesses of a value agree; what they leave open or contradict is reported. */
export function readPropertyType(witnesses: TypeWitnesses, context: TypeContext): PropertyType {
  return new TypeReading(witnesses, context).read();
}

class TypeReading {
  readonly #witnesses: TypeWitnesses;
  readonly #context: TypeContext;

  constructor(witnesses: TypeWitnesses, context: TypeContext) {
    this.#witnesses = witnesses;
    this.#context = context;
  }

  read(): PropertyType {
    const { constraints, named, written, initial, designType } = this.#witnesses;
    const implied = this.#implied(false);
    const impliedItems = this.#implied(true);
    const witness = firstKnown(written, candidateOfValue(initial), candidateOfDesignType(designType));
    if (named !== undefined) {
      const element = candidateOfDesignType(named) ?? { is: 'object' };
      const isList = witness?.is === 'array' || implied === 'array' || constraints.some((use) => use.each);
      if (witness?.is === 'map') return this.#settle({ is: 'map', values: element });
      return this.#settle(isList ? { is: 'array', items: element } : element);
    }
    if (witness === undefined || witness.is === 'problem') {
      const fromDecorators = ofImplied(implied, impliedItems);
      if (fromDecorators !== undefined) {
        if (written?.is === 'problem' && !constraints.some(listsValues)) this.#wider(written.message);
        return this.#settle(fromDecorators);
      }
    }
    if (witness === undefined) {
      this.#context.report('error', 'unknown-type', `its type is not known; ${howToTell}`);
      return { is: 'unknown' };
    }
    if (written?.is === 'problem' && witness.is !== 'problem' && !constraints.some(listsValues)) {
      this.#wider(written.message);
    }
    const refined = this.#refine(witness, implied);
    if (refined.is === 'array' && impliedItems !== undefined) {
      const items = firstKnown(refined.items) ?? ofImplied(impliedItems, undefined) ?? { is: 'object' };
      return this.#settle({ is: 'array', items: this.#refine(items, impliedItems) });
    }
    if (refined.is === 'map' && impliedItems !== undefined) {
      return this.#settle({ is: 'map', values: this.#refine(refined.values, impliedItems) });
    }
    return this.#settle(refined);
  }

  /** The declared type was not understood, so that the schema says only what another witness does. */
  #wider(message: string): void {
    this.#context.report('notice', 'inexact-constraint', `its declared type is not in the schema: ${message}`);
  }

  /** What the decorators demand, all of them together. */
  #implied(each: boolean): ImpliedType | undefined {
    let found: { type: ImpliedType; by: ConstraintUse } | undefined;
    for (const use of this.#witnesses.constraints) {
      if (use.each !== each || use.name === undefined) continue;
      const type = constraintRule(use.name)?.implies?.(use.parameters);
      if (type === undefined || found?.type === type) continue;
      if (found === undefined || isNarrower(type, found.type)) found = { type, by: use };
      else if (!isNarrower(found.type, type)) {
        this.#context.report(
          'error',
          'conflicting-types',
          `${decoratorName(found.by)} accepts only ${withArticle(found.type)}, ${decoratorName(use)} only ${withArticle(type)}; remove one of them`,
        );
        return undefined;
      }
    }
    return found?.type;
  }

  #refine(candidate: TypeCandidate, implied: ImpliedType | undefined): TypeCandidate {
    const kind = kindOf(candidate);
    if (implied === undefined || kind === undefined || kind === implied || isNarrower(kind, implied)) return candidate;
    if (candidate.is === 'number' && implied === 'integer') return { is: 'integer' };
    const by = this.#witnesses.constraints.find(
      (use) => use.name !== undefined && constraintRule(use.name)?.implies?.(use.parameters) === implied,
    );
    this.#context.report(
      'error',
      'conflicting-types',
      `it is ${withArticle(kind)}, but ${by === undefined ? 'a decorator' : decoratorName(by)} accepts only ${withArticle(implied)}; change the type or the decorator`,
    );
    return candidate;
  }

  /** The type that a candidate amounts to; what is not known all the way down is reported. */
  #settle(candidate: TypeCandidate | undefined): PropertyType {
    switch (candidate?.is) {
      case undefined:
        this.#context.report('error', 'unknown-type', `the type of its elements is not known; ${howToTell}`);
        return { is: 'unknown' };
      case 'problem':
        this.#context.report('error', 'unknown-type', candidate.message);
        return { is: 'unknown' };
      case 'object':
        this.#context.report(
          'error',
          'unknown-type',
          'it is an object of which nothing is known, so the API server would prune all of it; use a class, or Record<string, unknown> to keep whatever is sent',
        );
        return { is: 'unknown' };
      case 'array':
        return { is: 'array', items: this.#settle(candidate.items) };
      case 'map':
        return { is: 'map', values: this.#settle(candidate.values) };
      case 'class': {
        const nested = this.#context.nested(candidate.type, candidate.source);
        if (nested !== undefined) return { is: 'object', class: nested };
        this.#context.report(
          'error',
          'recursive-class',
          `${candidate.type.name} contains itself here, which a structural schema cannot say; declare the depth you need as classes of their own, or the property as Record<string, unknown>`,
        );
        return { is: 'unknown' };
      }
      default:
        return candidate as PropertyType;
    }
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
