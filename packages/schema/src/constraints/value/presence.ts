import type { ConstraintRules } from '../rule/constraint.ts';
import { exact, notExpressible, tighten } from '../rule/constraint.ts';

/**
 * Decorators for the presence of a value. The parent's `required` expresses presence, and is derived from
 * `acceptsMissing`.
 */
export const presenceRules: ConstraintRules = {
  isDefined: { grade: 'exact' },
  isOptional: { grade: 'exact', acceptsMissing: true },
  allow: { grade: 'exact', acceptsMissing: true },
  promiseValidation: { decorator: 'ValidatePromise', grade: 'exact', acceptsMissing: true },
  validateIf: {
    grade: 'not-expressible',
    reason:
      'its function cannot be translated, so the schema contains only the type, and no other decorator of the property',
    acceptsMissing: true,
  },
  isNotEmpty: {
    grade: 'exact',
    apply: (schema) => {
      if (schema.type === 'string' || schema['x-kubernetes-int-or-string'] === true) tighten(schema, 'minLength', 1);
      return exact;
    },
  },
  isEmpty: {
    grade: 'exact',
    acceptsMissing: true,
    apply: (schema) => {
      if (schema.type !== 'string') {
        const type = schema.type ?? 'value of its type';
        return notExpressible(`the validator accepts no ${type} here, only a missing value`);
      }
      tighten(schema, 'maxLength', 0);
      return exact;
    },
  },
};
