import type { ConstraintRules } from './constraint.ts';
import { addValidation, commonType, exact, isScalar, notExpressible, restrictToValues } from './constraint.ts';

const noReference = 'it compares objects by identity, and nothing that was sent is identical: list strings or numbers';

/** Decorators that list values, booleans among them. */
export const valueRules: ConstraintRules = {
  isBoolean: { grade: 'exact', implies: () => 'boolean' },
  isIn: {
    grade: 'exact',
    implies: ([values]) => commonType(listOf(values)),
    apply: (schema, [values]) => {
      const list = listOf(values);
      if (!list.every(isScalar)) return notExpressible(noReference);
      restrictToValues(schema, list);
      return exact;
    },
  },
  equals: {
    grade: 'exact',
    implies: ([value]) => commonType([value]),
    apply: (schema, [value]) => {
      if (!isScalar(value)) return notExpressible(noReference);
      restrictToValues(schema, [value]);
      return exact;
    },
  },
  isNotIn: {
    grade: 'exact',
    acceptsMissing: true,
    apply: (schema, [values]) => {
      const list = listOf(values);
      if (!list.every(isScalar)) return notExpressible(noReference);
      addValidation(schema, { not: { enum: list } });
      return exact;
    },
  },
  notEquals: {
    grade: 'exact',
    acceptsMissing: true,
    apply: (schema, [value]) => {
      if (!isScalar(value)) return notExpressible(noReference);
      addValidation(schema, { not: { enum: [value] } });
      return exact;
    },
  },
  isEnum: {
    grade: 'exact',
    implies: ([entity]) => commonType(enumValues(entity)),
    apply: (schema, [entity]) => {
      const values = enumValues(entity);
      restrictToValues(schema, values);
      if (!values.some((value) => typeof value === 'number')) return exact;
      return { grade: 'stricter', reason: 'it also accepts the names of the members, which are no values of the enum' };
    },
  },
};

function listOf(values: unknown): readonly unknown[] {
  if (Array.isArray(values)) return values;
  return typeof values === 'object' && values !== null ? Object.values(values) : [];
}

/** The members' values; a numeric enum also maps its values back to names, which are no values. */
export function enumValues(entity: unknown): readonly (string | number)[] {
  if (typeof entity !== 'object' || entity === null) return [];
  return Object.entries(entity)
    .filter(([key]) => !Number.isInteger(Number(key)))
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string' || typeof value === 'number');
}
