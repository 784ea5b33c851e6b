import { EvaluationFault } from './fault.ts';
import { CelDouble, CelUint, intValue } from './value.ts';

const maxUint64 = 0xffff_ffff_ffff_ffffn;

/** Arithmetic on ints: fast while the result is a safe integer, exact and checked against 64 bits beyond. */
export function addInt(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(a) + BigInt(b));
}

export function subtractInt(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(a) - BigInt(b));
}

export function multiplyInt(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding 0 turns the -0 of `0 * -1` into 0, the only zero of an int.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(a) * BigInt(b));
}

export function divideInt(a: number | bigint, b: number | bigint): number | bigint {
  if (b === 0) throw new EvaluationFault('division by zero');
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return checkedInt(BigInt(a) / BigInt(b));
}

export function moduloInt(a: number | bigint, b: number | bigint): number | bigint {
  if (b === 0) throw new EvaluationFault('modulus by zero');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  // The only quotient that overflows; upstream rejects the remainder too.
  if (BigInt(b) === -1n && BigInt(a) === -(1n << 63n)) throw new EvaluationFault('integer overflow');
  return checkedInt(BigInt(a) % BigInt(b));
}

export function negateInt(a: number | bigint): number | bigint {
  return typeof a === 'number' ? 0 - a : checkedInt(-a);
}

/** The int with this value. Throws EvaluationFault if it does not fit into 64 bits. */
export function checkedInt(value: bigint, message = 'integer overflow'): number | bigint {
  if (BigInt.asIntN(64, value) !== value) throw new EvaluationFault(message);
  return intValue(value);
}

export function checkedUint(value: bigint, message = 'unsigned integer overflow'): CelUint {
  if (value < 0n || value > maxUint64) throw new EvaluationFault(message);
  return new CelUint(value);
}

export function divideUint(a: CelUint, b: CelUint): CelUint {
  if (b.value === 0n) throw new EvaluationFault('division by zero');
  return new CelUint(a.value / b.value);
}

export function moduloUint(a: CelUint, b: CelUint): CelUint {
  if (b.value === 0n) throw new EvaluationFault('modulus by zero');
  return new CelUint(a.value % b.value);
}

/** `int(double)`: rounds towards zero. The ends of the range are excluded, as upstream does. */
export function intFromDouble(value: number): number | bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new EvaluationFault('integer overflow');
  return intValue(BigInt(Math.trunc(value)));
}

export function uintFromDouble(value: number): CelUint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new EvaluationFault('unsigned integer overflow');
  return new CelUint(BigInt(Math.trunc(value)));
}

/** A decimal integer as Go's strconv reads it, or undefined. */
export function parseInteger(text: string, signed: boolean): bigint | undefined {
  if (!(signed ? /^[+-]?\d+$/ : /^\d+$/).test(text) || text.length > 100) return undefined;
  return BigInt(text.replace(/^\+/, ''));
}

/** A floating-point number as Go's strconv reads it, or undefined. */
export function parseDouble(text: string): CelDouble | undefined {
  const special = /^([+-]?)(?:(inf|infinity)|nan)$/i.exec(text);
  if (special !== null) {
    if (special[2] === undefined) return special[1] === '' ? new CelDouble(Number.NaN) : undefined;
    return new CelDouble(special[1] === '-' ? -Infinity : Infinity);
  }
  const hex = /^([+-]?)0[xX]([0-9a-fA-F_]*)(?:\.([0-9a-fA-F_]*))?[pP]([+-]?\d+)$/.exec(text);
  if (hex !== null) {
    const [, sign, whole = '', fraction = '', exponent = '0'] = hex;
    const digits = (whole + fraction).replaceAll('_', '');
    if (digits === '') return undefined;
    const value = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent) - 4 * fraction.replaceAll('_', '').length);
    return Number.isFinite(value) ? new CelDouble(sign === '-' ? -value : value) : undefined;
  }
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? new CelDouble(value) : undefined;
}
