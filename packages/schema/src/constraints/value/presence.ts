import type { ConstraintRules } from '../rule/constraint.ts';
import { exact, notExpressible, tighten } from '../rule/constraint.ts';

/**
 * Decorators about whether there is a value. Presence itself is written by the parent's `required`, for which
 * `acceptsMissing` is read.
 */
export const presenceRules: ConstraintRules = {
  isDefined: { grade: 'exact' },
  isOptional: { grade: 'exact', acceptsMissing: true },
  allow: { grade: 'exact', acceptsMissing: true },
  promiseValidation: { decorator: 'ValidatePromise', grade: 'exact', acceptsMissing: true },
  validateIf: {
    grade: 'not-expressible',
    reason: 'its function cannot be read, so no other decorator of the property is either, and only the type remains',
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
        return notExpressible(`no ${type} is empty to it, so that the validator accepts only a missing one`);
      }
      tighten(schema, 'maxLength', 0);
      return exact;
    },
  },
};
