import type { ErrorCode } from '@evenkeel/core';
import { type ConstraintUse, decoratorName } from '../constraints/constraint-metadata.ts';
import { constraintRule } from '../constraints/constraint-table.ts';
import type { ImpliedType } from '../constraints/rule/constraint.ts';
import type { Finding } from '../finding/finding.ts';
import { kindOf, type TypeCandidate } from './type-candidate.ts';

type Report = (level: Finding['level'], code: ErrorCode, message: string) => void;

/** The type that all class-validator decorators of a value, or of its elements, require. */
export function impliedType(
  constraints: readonly ConstraintUse[],
  each: boolean,
  report: Report,
): ImpliedType | undefined {
  let found: { type: ImpliedType; by: ConstraintUse } | undefined;
  for (const use of constraints) {
    const type = use.each === each ? impliedBy(use) : undefined;
    if (type === undefined || found?.type === type) continue;
    if (found === undefined || isNarrower(type, found.type)) found = { type, by: use };
    else if (!isNarrower(found.type, type)) {
      report(
        'error',
        'conflicting-types',
        `${decoratorName(found.by)} accepts only ${withArticle(found.type)}, ${decoratorName(use)} only ${withArticle(type)}; remove one of them`,
      );
      return undefined;
    }
  }
  return found?.type;
}

/** The type that one decorator requires; undefined if it accepts several. */
export function impliedBy({ name, parameters }: ConstraintUse): ImpliedType | undefined {
  return name === undefined ? undefined : constraintRule(name)?.implies?.(parameters);
}

/** A type together with the type that decorators require. A number may become an integer; otherwise both must agree. */
export function refine(
  candidate: TypeCandidate,
  implied: ImpliedType | undefined,
  constraints: readonly ConstraintUse[],
  report: Report,
): TypeCandidate {
  const kind = kindOf(candidate);
  if (implied === undefined || kind === undefined || kind === implied || isNarrower(kind, implied)) return candidate;
  if (candidate.is === 'number' && implied === 'integer') return { is: 'integer' };
  const by = constraints.find((use) => impliedBy(use) === implied);
  report(
    'error',
    'conflicting-types',
    `it is ${withArticle(kind)}, but ${by === undefined ? 'a decorator' : decoratorName(by)} accepts only ${withArticle(implied)}; change the type or the decorator`,
  );
  return candidate;
}

/** The type according to decorators, if nothing else is known. */
export function ofImplied(implied: ImpliedType | undefined, items: ImpliedType | undefined): TypeCandidate | undefined {
  if (implied === 'array' || (implied === undefined && items !== undefined)) {
    const element = ofImplied(items, undefined);
    return element === undefined ? { is: 'array' } : { is: 'array', items: element };
  }
  return implied === undefined ? undefined : { is: implied };
}

/** Whether a decorator lists all values, so that nothing is lost if the declared type is not supported. */
export function listsValues({ name }: ConstraintUse): boolean {
  return name === 'isIn' || name === 'isEnum' || name === 'equals';
}

export function withArticle(type: ImpliedType): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function isNarrower(type: ImpliedType, than: ImpliedType): boolean {
  return type === 'integer' && than === 'number';
}
