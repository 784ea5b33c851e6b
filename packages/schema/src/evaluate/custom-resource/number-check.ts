import { goFloat, goNumber, isInt64 } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { isNearlyInteger } from './json-type-check.ts';
import type { ValidationResult } from './validation-result.ts';

type NumberCheck = (value: number | bigint, path: string, result: ValidationResult) => void;
type Bound = (value: number | bigint, path: string, result: ValidationResult) => void;

/**
 * Checks range, multipleOf, minimum and maximum as kube-openapi does (pkg/validation/validate/values.go). For integer
 * values, bounds of `type: number` are truncated: `minimum: 0.5` accepts 0, and `multipleOf: 0.5` rejects every integer.
 * Bounds that are not values of the schema's type are errors too.
 */
export function compileNumberCheck(schema: StructuralSchema, types: readonly string[]): NumberCheck | undefined {
  const range = new NumberRange(schema, types);
  const bounds: Bound[] = [];
  if (schema.multipleOf !== undefined) {
    bounds.push(multipleOf(schema.multipleOf, range));
  }
  if (schema.minimum !== undefined) {
    bounds.push(limit(schema.minimum, schema.exclusiveMinimum === true, 'minimum', range));
  }
  if (schema.maximum !== undefined) {
    bounds.push(limit(schema.maximum, schema.exclusiveMaximum === true, 'maximum', range));
  }
  if (bounds.length === 0 && !range.isLimited) return undefined;
  return (value, path, result) => {
    if (!range.holds(value)) result.unattributed(range.message('Checked', path));
    for (const bound of bounds) bound(value, path, result);
  };
}

/** The range of numbers for a schema's type and format. A format counts only for a single type that it belongs to. */
class NumberRange {
  readonly #type: string;
  readonly #format: string;

  constructor(schema: StructuralSchema, types: readonly string[]) {
    const type = types.length === 1 ? types[0] : undefined;
    const formats = type === 'integer' ? ['int32', 'int64'] : type === 'number' ? ['float', 'double'] : [];
    this.#type = type === 'integer' || type === 'number' ? type : '';
    this.#format = formats.includes(schema.format ?? '') ? (schema.format ?? '') : '';
  }

  get isLimited(): boolean {
    return this.#type === 'integer' || this.#format === 'float';
  }

  holds(value: number | bigint): boolean {
    if (this.#type === 'integer') {
      return isInt64(value) && (this.#format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31));
    }
    return this.#format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  }

  message(what: string, path: string): string {
    const format = this.#format === '' ? '(default format)' : `with format ${this.#format}`;
    return `${what} value must be of type ${this.#type} ${format} in ${path}`;
  }
}

function limit(bound: number, exclusive: boolean, kind: 'minimum' | 'maximum', range: NumberRange): Bound {
  const isMaximum = kind === 'maximum';
  const direction = isMaximum ? 'less than' : 'greater than';
  const relation = exclusive ? direction : `${direction} or equal to`;
  const inRange = range.holds(bound);
  const whole = Math.trunc(bound);
  return (value, path, result) => {
    if (!inRange) result.unattributed(range.message(isMaximum ? 'Maximum boundary' : 'Minimum boundary', path));
    const truncated = inRange && isInt64(value);
    const to = truncated ? whole : bound;
    const isWithin = isMaximum ? value < to : value > to;
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of the same value
    if (isWithin || (!exclusive && value == to)) return;
    result.invalid(path, value, `${path} in body should be ${relation} ${truncated ? goNumber(to) : goFloat(to)}`);
  };
}

function multipleOf(factor: number, range: NumberRange): Bound {
  const inRange = range.holds(factor);
  const whole = Math.trunc(factor);
  return (value, path, result) => {
    if (!inRange) result.unattributed(range.message('MultipleOf', path));
    const truncated = inRange && isInt64(value);
    const by = truncated ? whole : factor;
    const text = truncated ? goNumber(by) : goFloat(by);
    if (by <= 0) {
      result.invalid(path, by, `factor MultipleOf declared for ${path} must be positive: ${text}`);
      return;
    }
    const isMultiple = truncated ? BigInt(value) % BigInt(by) === 0n : isNearlyInteger(quotient(Number(value), by));
    if (!isMultiple) result.invalid(path, value, `${path} in body should be a multiple of ${text}`);
  };
}

function quotient(value: number, factor: number): number {
  return factor < 1 ? (1 / factor) * value : value / factor;
}
