import type { BoundDeclaration } from '@evenkeel/core';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { addRules } from './rules.ts';

/**
 * Writes an exclusive bound or a factor. For integer values the API server truncates the bound (kube-openapi
 * pkg/validation/validate/values.go, MinimumNativeType and MultipleOfNativeType), so fractional bounds become CEL rules.
 */
export function writeNumberBound({ says, value }: BoundDeclaration, schema: StructuralSchema): void {
  // A value that is not a number has been reported.
  if (!Number.isFinite(value)) return;
  if (says === 'multipleOf') writeFactor(value, schema);
  else if (says === 'exclusiveMinimum') writeLower(value, schema);
  else writeUpper(value, schema);
}

function writeLower(bound: number, schema: StructuralSchema): void {
  if (!Number.isInteger(bound) && schema.type !== 'integer') {
    addRules(schema, [{ rule: `self > ${bound}`, message: `must be greater than ${bound}` }]);
    return;
  }
  // The integers above 0.5 start with 1.
  const isWhole = Number.isInteger(bound);
  const whole = Math.ceil(bound);
  if (schema.minimum !== undefined && schema.minimum > whole) return;
  if (schema.minimum === whole && !isWhole) return;
  schema.minimum = whole;
  if (isWhole) schema.exclusiveMinimum = true;
  else delete schema.exclusiveMinimum;
}

function writeUpper(bound: number, schema: StructuralSchema): void {
  if (!Number.isInteger(bound) && schema.type !== 'integer') {
    addRules(schema, [{ rule: `self < ${bound}`, message: `must be less than ${bound}` }]);
    return;
  }
  const isWhole = Number.isInteger(bound);
  const whole = Math.floor(bound);
  if (schema.maximum !== undefined && schema.maximum < whole) return;
  if (schema.maximum === whole && !isWhole) return;
  schema.maximum = whole;
  if (isWhole) schema.exclusiveMaximum = true;
  else delete schema.exclusiveMaximum;
}

/**
 * Quotients of binary fractions are not exact integers (0.3 / 0.1), so a difference of a billionth is accepted. Beyond 9e15
 * every double is an integer.
 */
function writeFactor(factor: number, schema: StructuralSchema): void {
  if (factor <= 0) return;
  if (Number.isInteger(factor)) {
    if (schema.multipleOf === undefined) schema.multipleOf = factor;
    else schema.allOf = [...(schema.allOf ?? []), { multipleOf: factor }];
    return;
  }
  const whole = 'double(int(m < 0.0 ? m - 0.5 : m + 0.5))';
  const isNear = `m - ${whole} < 1e-9 && ${whole} - m < 1e-9`;
  addRules(schema, [
    {
      rule: `[self / ${factor}].all(m, m > 9e15 || m < -9e15 || (${isNear}))`,
      message: `must be a multiple of ${factor}`,
    },
  ]);
}
