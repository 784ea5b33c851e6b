import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import type { ConstraintRules, Outcome } from '../rule/constraint.ts';
import { addRule, celLiteral, exact, fitsType, isScalar, looser, neverAccepted, tighten } from '../rule/constraint.ts';
import { refuseValues } from './listed-values.ts';
import { uniqueItems } from './unique-items.ts';

const array = () => 'array' as const;
const object = () => 'object' as const;

/** Decorators for lists and objects. */
export const collectionRules: ConstraintRules = {
  isArray: { grade: 'exact', implies: array },
  arrayNotEmpty: { grade: 'exact', implies: array, apply: (schema) => sized(schema, 'minItems', 1) },
  arrayMinSize: { grade: 'exact', implies: array, apply: (schema, [min]) => sized(schema, 'minItems', min) },
  arrayMaxSize: { grade: 'exact', implies: array, apply: (schema, [max]) => sized(schema, 'maxItems', max) },
  arrayContains: {
    grade: 'exact',
    implies: array,
    apply: (schema, [values]) => contains(schema, Array.isArray(values) ? values : []),
  },
  arrayNotContains: {
    grade: 'exact',
    implies: array,
    apply: (schema, [values]) =>
      schema.items === undefined ? exact : refuseValues(schema.items, Array.isArray(values) ? values : []),
  },
  arrayUnique: {
    grade: 'exact',
    implies: array,
    apply: (schema, _parameters, validator) => uniqueItems(schema, validator),
  },
  isObject: { grade: 'exact', implies: object },
  isNotEmptyObject: {
    grade: 'exact',
    implies: object,
    apply: (schema, [options]) => {
      sized(schema, 'minProperties', 1);
      const { nullable } = (options ?? {}) as { nullable?: boolean };
      if (nullable !== false || schema['x-kubernetes-preserve-unknown-fields'] !== true) return exact;
      return looser('the API server keeps unknown fields that are null and counts them');
    },
  },
  isInstance: {
    grade: 'not-expressible',
    reason: 'a JSON value has no class; use @ValidateNested() and @Type(() => X)',
  },
  nestedValidation: { decorator: 'ValidateNested', grade: 'exact', acceptsMissing: true },
};

function contains(schema: StructuralSchema, values: readonly unknown[]): Outcome {
  const { items } = schema;
  if (items === undefined || !values.every(isScalar) || !values.every((value) => fitsType(items, value))) {
    return neverAccepted('it lists a value that no element can have');
  }
  for (const value of values) {
    const literal = celLiteral(value, items.type);
    // An int-or-string element has no type in CEL, but "in" needs one.
    const rule = items.type === undefined ? `self.exists(item, item == ${literal})` : `${literal} in self`;
    addRule(schema, rule, `must contain ${JSON.stringify(value)}`);
  }
  return exact;
}

function sized(schema: StructuralSchema, key: 'minItems' | 'maxItems' | 'minProperties', bound: unknown): Outcome {
  if (typeof bound !== 'number' || Number.isNaN(bound)) return neverAccepted('its bound is not a number');
  const isMax = key === 'maxItems';
  if (isMax ? bound < 0 : bound === Number.POSITIVE_INFINITY) return neverAccepted(`no list has ${bound} elements`);
  const whole = isMax ? Math.floor(bound) : Math.ceil(bound);
  if (Number.isFinite(whole) && whole >= 0) tighten(schema, key, whole);
  return exact;
}
