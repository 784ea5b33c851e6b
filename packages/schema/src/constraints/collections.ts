import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ConstraintRules } from './constraint.ts';
import { addValidation, exact, isScalar, notExpressible, tighten } from './constraint.ts';

const array = () => 'array' as const;
const object = () => 'object' as const;

/** Decorators about lists and objects. */
export const collectionRules: ConstraintRules = {
  isArray: { grade: 'exact', implies: array },
  arrayNotEmpty: { grade: 'exact', implies: array, apply: (schema) => sized(schema, 'minItems', 1) },
  arrayMinSize: { grade: 'exact', implies: array, apply: (schema, [min]) => sized(schema, 'minItems', min) },
  arrayMaxSize: { grade: 'exact', implies: array, apply: (schema, [max]) => sized(schema, 'maxItems', max) },
  arrayContains: {
    grade: 'exact',
    implies: array,
    apply: (schema, [values]) => {
      const list = Array.isArray(values) ? values : [];
      if (!list.every(isScalar)) return notExpressible('it compares objects by identity');
      schema['x-kubernetes-validations'] = [
        ...(schema['x-kubernetes-validations'] ?? []),
        ...list.map((value) => ({
          rule: `${celLiteral(value, schema.items?.type)} in self`,
          message: `must contain ${JSON.stringify(value)}`,
        })),
      ];
      return exact;
    },
  },
  arrayNotContains: {
    grade: 'exact',
    implies: array,
    apply: (schema, [values]) => {
      const list = Array.isArray(values) ? values : [];
      if (schema.items === undefined || !list.every(isScalar)) {
        return notExpressible('it compares objects by identity');
      }
      addValidation(schema.items, { not: { enum: list } });
      return exact;
    },
  },
  arrayUnique: {
    grade: 'exact',
    implies: array,
    apply: (schema, [identifier]) => {
      if (identifier !== undefined) return notExpressible('its function cannot be read');
      if (!['string', 'integer', 'number', 'boolean'].includes(schema.items?.type ?? '')) {
        return notExpressible('it compares objects by identity, so that those of a request are always unique');
      }
      schema['x-kubernetes-list-type'] = 'set';
      return exact;
    },
  },
  isObject: {
    grade: 'looser',
    reason: 'any object passes it; the schema says what its class declares',
    implies: object,
  },
  isNotEmptyObject: {
    grade: 'exact',
    implies: object,
    apply: (schema) => sized(schema, 'minProperties', 1),
  },
  isInstance: {
    grade: 'not-expressible',
    reason: 'what is sent is of no class; use @ValidateNested() and @Type(() => X)',
  },
  nestedValidation: { decorator: 'ValidateNested', grade: 'exact', acceptsMissing: true },
};

function sized(schema: StructuralSchema, key: 'minItems' | 'maxItems' | 'minProperties', bound: unknown) {
  if (typeof bound !== 'number' || !Number.isFinite(bound)) return notExpressible('its bound is not a number');
  const whole = key === 'maxItems' ? Math.floor(bound) : Math.ceil(bound);
  if (whole < 0) return key === 'maxItems' ? notExpressible('no list is that short') : exact;
  tighten(schema, key, whole);
  return exact;
}

/** A scalar in CEL, where a whole number of a floating-point field needs its point. */
function celLiteral(value: string | number | boolean, type: string | undefined): string {
  if (typeof value === 'number' && type === 'number' && Number.isInteger(value)) return `${value}.0`;
  return JSON.stringify(value);
}
