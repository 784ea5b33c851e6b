import type { ConstraintRules } from '../rule/constraint.ts';
import { commonType, exact, neverAccepted, stricter } from '../rule/constraint.ts';
import { refuseValues, restrictToValues } from './listed-values.ts';

/** Decorators that list values, including booleans. */
export const valueRules: ConstraintRules = {
  isBoolean: { grade: 'exact', implies: () => 'boolean' },
  isIn: {
    grade: 'exact',
    implies: ([values]) => (Array.isArray(values) ? commonType(values) : undefined),
    apply: (schema, [values]) =>
      Array.isArray(values) ? restrictToValues(schema, values) : neverAccepted('its values are not an array'),
  },
  equals: {
    grade: 'exact',
    implies: ([value]) => commonType([value]),
    apply: (schema, [value]) => restrictToValues(schema, [value]),
  },
  isNotIn: {
    grade: 'exact',
    acceptsMissing: true,
    apply: (schema, [values]) => (Array.isArray(values) ? refuseValues(schema, values) : exact),
  },
  notEquals: {
    grade: 'exact',
    acceptsMissing: true,
    apply: (schema, [value]) => refuseValues(schema, [value]),
  },
  isEnum: {
    grade: 'exact',
    implies: ([entity]) => commonType(enumValues(entity)),
    apply: (schema, [entity]) => {
      const values = enumValues(entity);
      const outcome = restrictToValues(schema, values);
      // The object of a numeric enum also maps values to names, so the validator accepts the names as values.
      if (outcome.grade !== 'exact' || !values.some((value) => typeof value === 'number')) return outcome;
      return stricter('the validator also accepts the names of the members, which are not values of the enum');
    },
  },
};

/** The values of an enum. A numeric enum also maps values back to names, which are not values. */
export function enumValues(entity: unknown): readonly (string | number)[] {
  if (typeof entity !== 'object' || entity === null) return [];
  const members = entity as Readonly<Record<string, unknown>>;
  return Object.entries(members)
    .filter(([key, value]) => !(typeof value === 'string' && members[value] === Number(key)))
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string' || typeof value === 'number');
}
