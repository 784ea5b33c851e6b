import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { objectName } from '../capability/operand.ts';
import type { ScorecardSubject, TestFindings } from './scorecard-subject.ts';

/** Each example has a spec, and the API server accepts it. */
export function checkSpec({ bundle, examples, run }: ScorecardSubject): TestFindings {
  const owned = bundle.csv.spec?.customresourcedefinitions?.owned ?? [];
  const without = examples.filter((example) => !isJsonObject(valueAt(example, 'spec')));
  return {
    errors: [
      ...(examples.length === 0 && owned.length > 0
        ? ['there is no example of a kind that the operator owns, so nothing was checked; add one to alm-examples']
        : []),
      ...without.map((example) => `${objectName(example)} has no spec; add it in alm-examples`),
      ...(run?.rejected ?? []),
    ],
  };
}
