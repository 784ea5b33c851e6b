import type { ErrorCode } from '@evenkeel/core';
import { type ConstraintUse, decoratorName } from '../constraints/constraint-metadata.ts';
import type { ImpliedType } from '../constraints/rule/constraint.ts';
import type { Finding } from '../finding/finding.ts';
import { impliedBy, listsValues, withArticle } from './implied-type.ts';
import { kindOf, type TypeCandidate } from './type-candidate.ts';

const decorators = {
  intOrString: { decorator: '@IsIntOrString()', accepts: ['integer', 'number', 'string'], of: 'a number or a string' },
  quantity: { decorator: '@IsQuantity()', accepts: ['integer', 'number', 'string'], of: 'a number or a string' },
  duration: { decorator: '@IsDuration()', accepts: ['string'], of: 'a string' },
} as const satisfies Record<string, { decorator: string; accepts: readonly ImpliedType[]; of: string }>;

/** Checks a decorator that names a scalar type against everything else that is known about the value. */
export function checkScalarDecorator(
  says: keyof typeof decorators,
  witness: TypeCandidate | undefined,
  constraints: readonly ConstraintUse[],
  report: (level: Finding['level'], code: ErrorCode, message: string) => void,
): void {
  const { decorator, of } = decorators[says];
  const accepts: readonly ImpliedType[] = decorators[says].accepts;
  const kinds = witness === undefined ? [] : kindsOf(witness);
  if (!kinds.every((kind) => accepts.includes(kind))) {
    report(
      'error',
      'conflicting-types',
      `it is ${kinds.map(withArticle).join(' or ')}, but ${decorator} applies to ${of}; change the type or the decorator`,
    );
  }
  for (const use of constraints) {
    const type = use.each ? undefined : impliedBy(use);
    if (type === undefined) continue;
    if (!accepts.includes(type)) {
      report(
        'error',
        'conflicting-types',
        `${decoratorName(use)} accepts only ${withArticle(type)}, but ${decorator} applies to ${of}; remove one of them`,
      );
    } else if (accepts.length > 1 && !listsValues(use)) {
      report(
        'notice',
        'inexact-constraint',
        `${decoratorName(use)} accepts only ${withArticle(type)}; with ${decorator} the schema also accepts the other type, to which it does not apply`,
      );
    }
  }
}

/** None if unknown. */
function kindsOf(candidate: TypeCandidate): readonly ImpliedType[] {
  if (candidate.is === 'problem') return candidate.types ?? [];
  const kind = kindOf(candidate);
  return kind === undefined ? [] : [kind];
}
