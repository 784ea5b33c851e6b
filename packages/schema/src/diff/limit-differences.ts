import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { KeywordDifference } from './schema-difference.ts';

const upperCounts = ['maxLength', 'maxItems', 'maxProperties'] as const;
const lowerCounts = ['minLength', 'minItems', 'minProperties'] as const;

/** The limits of `to` that values of `from` can exceed. */
export function limitDifferences(from: StructuralSchema, to: StructuralSchema): KeywordDifference[] {
  const upper = upperCounts.filter((keyword) => (from[keyword] ?? Infinity) > (to[keyword] ?? Infinity));
  const lower = lowerCounts.filter((keyword) => (from[keyword] ?? 0) < (to[keyword] ?? 0));
  const found: KeywordDifference[] = [...upper, ...lower].map((keyword) => changed(keyword, from, to));
  for (const side of ['maximum', 'minimum'] as const) if (exceeds(side, from, to)) found.push(changed(side, from, to));
  if (!isMultiple(from, to)) found.push(changed('multipleOf', from, to));
  return found;
}

function changed(keyword: keyof StructuralSchema, from: StructuralSchema, to: StructuralSchema): KeywordDifference {
  return { keyword, effect: 'invalid', from: from[keyword], to: to[keyword] };
}

const exclusive = { maximum: 'exclusiveMaximum', minimum: 'exclusiveMinimum' } as const;
const int32 = { maximum: 2 ** 31 - 1, minimum: -(2 ** 31) } as const;

/**
 * Whether a number of `from` can be above the maximum of `to`, or below its minimum. The API server truncates bounds for
 * integers and rejects every number if the bound is not a value of the type, so that unusual bounds count as exceeded.
 */
function exceeds(side: 'maximum' | 'minimum', from: StructuralSchema, to: StructuralSchema): boolean {
  const limit = to[side];
  if (limit === undefined) return false;
  const sameType = from.type === to.type && from.format === to.format;
  const isExclusive = to[exclusive[side]] === true;
  if (sameType && from[side] === limit && (from[exclusive[side]] === true) === isExclusive) return false;
  if (!isUsual(limit, to)) return true;
  const given = boundOf(side, from);
  if (given === undefined || Math.abs(given.limit) > Number.MAX_SAFE_INTEGER) return true;
  const distance = side === 'maximum' ? limit - given.limit : given.limit - limit;
  return distance < 0 || (distance === 0 && isExclusive && !given.isExclusive);
}

/** The bound of the numbers of a schema, of which integers may reach the truncated bound. Undefined if they have none. */
function boundOf(
  side: 'maximum' | 'minimum',
  schema: StructuralSchema,
): { readonly limit: number; readonly isExclusive: boolean } | undefined {
  const limit = schema[side];
  const isExclusive = schema[exclusive[side]] === true;
  if (limit === undefined) {
    const isInt32 = schema.type === 'integer' && schema.format === 'int32';
    return isInt32 ? { limit: int32[side], isExclusive: false } : undefined;
  }
  if (!Number.isInteger(limit)) {
    const reached = side === 'maximum' ? Math.max(limit, Math.trunc(limit)) : Math.min(limit, Math.trunc(limit));
    return { limit: reached, isExclusive: false };
  }
  if (schema.type !== 'integer' || !isExclusive) return { limit, isExclusive };
  return { limit: side === 'maximum' ? limit - 1 : limit + 1, isExclusive: false };
}

/** Whether a bound means the same for integers and for other numbers. */
function isUsual(limit: number, { format }: StructuralSchema): boolean {
  if (format === 'int32') return Number.isInteger(limit) && limit <= int32.maximum && limit >= int32.minimum;
  return Number.isSafeInteger(limit);
}

function isMultiple(from: StructuralSchema, to: StructuralSchema): boolean {
  const [factor, given] = [to.multipleOf, from.multipleOf];
  if (factor === undefined) return true;
  if (given === undefined) return false;
  if (from.type === to.type && from.format === to.format && factor === given) return true;
  const areIntegers = from.type === 'integer' && Number.isSafeInteger(factor) && Number.isSafeInteger(given);
  return areIntegers && factor > 0 && given % factor === 0 && isUsual(factor, to);
}
