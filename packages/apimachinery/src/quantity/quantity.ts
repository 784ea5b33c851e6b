/**
 * Amounts of resources, which are read, compared and written like `resource.Quantity`. The value is an integer number
 * of billionths, the smallest unit that upstream keeps. Smaller digits are rounded up, away from zero, as upstream
 * does.
 *
 * Grammar and canonical form: apimachinery `pkg/api/resource/quantity.go` and `suffix.go`.
 */
export interface Quantity {
  /** In billionths of the unit. */
  readonly nanos: bigint;
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
}

export interface ParsedQuantity extends Quantity {
  /** The power of ten with which upstream stores the number in 64 bits; undefined if it does not fit. */
  readonly fastScale: number | undefined;
}

/** The API server's message for an invalid quantity. */
export const quantityFormatMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const binarySuffixes = new Map([
  ['Ki', 10n],
  ['Mi', 20n],
  ['Gi', 30n],
  ['Ti', 40n],
  ['Pi', 50n],
  ['Ei', 60n],
]);
const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const suffixOfExponent = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]));

/** Quantities with a larger exponent all count as the same amount. Upstream would fill its memory with zeros. */
const exponentMax = 5000;
/** Nanos are the smallest unit that a quantity keeps. */
const nanoDigits = 9;
const unit = 10n ** 9n;
/** The largest amount in binary units: `maxAllowed` of `quantity.go`. */
const binaryNanosMax = ((1n << 63n) - 1n) * unit;

/** A longer string exceeds every real amount. The limit bounds the work for a hostile string. */
const textLengthMax = 512;
const nanosMax = 10n ** 600n;

/** Reads a quantity of an object. Returns undefined if it is invalid or exceeds every real amount. */
export function parseQuantity(value: string | number): ParsedQuantity | undefined {
  const text = String(value);
  const read = text.length > textLengthMax ? quantityFormatMessage : readQuantity(text);
  return typeof read === 'string' || absolute(read.nanos) > nanosMax ? undefined : read;
}

/** Reads a quantity of any length. Returns upstream's message if it is invalid (`ParseQuantity`). */
export function readQuantity(text: string): ParsedQuantity | string {
  const match = /^([+-]?)0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (text === '' || match === null) return quantityFormatMessage;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (!/^[+-]?(?:\d|\.\d)/.test(text) && !/^[+-]?$/.test(text)) return 'unable to parse numeric part of quantity';
  const bits = binarySuffixes.get(suffix);
  const decimal = decimalSuffixes.get(suffix);
  const exponent = decimal ?? scientific(suffix);
  if (bits === undefined && exponent === undefined) return "unable to parse quantity's suffix";
  const digits = BigInt(`${whole}${fraction}` || '0');
  const shifted = bits === undefined ? digits : digits << bits;
  const nanos = scale(shifted, (exponent ?? 0) - fraction.length + nanoDigits);
  const capped = bits !== undefined && nanos > binaryNanosMax ? binaryNanosMax : nanos;
  return {
    nanos: sign === '-' ? -capped : capped,
    format: bits !== undefined ? 'BinarySI' : decimal !== undefined ? 'DecimalSI' : 'DecimalExponent',
    fastScale: fastScaleOf(whole, fraction, shifted, bits, exponent ?? 0),
  };
}

function fastScaleOf(
  whole: string,
  fraction: string,
  value: bigint,
  bits: bigint | undefined,
  exponent: number,
): number | undefined {
  const length = Math.max(whole.length, 1) + fraction.length;
  const precision =
    bits === undefined ? 18 - length : fraction === '' ? 15 - length - Math.trunc((Number(bits) * 3) / 10) - 1 : -1;
  const fast = exponent - fraction.length;
  return precision >= 0 && fast >= -nanoDigits && BigInt.asIntN(64, value) === value ? fast : undefined;
}

function scientific(suffix: string): number | undefined {
  if (!/^[eE][+-]?\d+$/.test(suffix)) return undefined;
  return Math.max(-exponentMax, Math.min(exponentMax, Number(suffix.slice(1))));
}

/** Returns the quantity's value, or 0 if it is invalid. */
export function quantityNanos(value: string | number | undefined): bigint {
  return value === undefined ? 0n : (parseQuantity(value)?.nanos ?? 0n);
}

/**
 * Returns the quantity as the server writes it back (`0.5` becomes `500m`, `1024Mi` becomes `1Gi`). Returns an invalid
 * quantity unchanged.
 */
export function canonicalQuantity(value: string | number): string {
  const parsed = parseQuantity(value);
  return parsed === undefined ? String(value) : formatQuantity(parsed);
}

/** Rounds up to whole thousandths, as defaulting does for every resource list. */
export function roundUpToMilli({ nanos, format }: Quantity): Quantity {
  return { nanos: scale(nanos, -6) * 1_000_000n, format };
}

/** Adds as `Quantity.Add` does: the sum has the format of the first operand, or of the second if the first is zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  return { nanos: left.nanos + right.nanos, format: left.nanos === 0n ? right.format : left.format };
}

/** Subtracts as `Quantity.Sub` does, with the same rule for the format. */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return addQuantities(left, { nanos: -right.nanos, format: right.format });
}

export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  // Upstream uses the binary form only for amounts of at least 1024 that it can express exactly.
  if (format === 'BinarySI' && nanos % unit === 0n && absolute(nanos) >= 1024n * unit) {
    let whole = nanos / unit;
    let steps = 0;
    while (whole % 1024n === 0n && steps < 6) {
      whole /= 1024n;
      steps += 1;
    }
    return `${whole}${['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'][steps]}`;
  }
  let mantissa = nanos;
  let exponent = -9;
  while (mantissa % 1000n === 0n && (exponent < 18 || format === 'DecimalExponent')) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  return `${mantissa}${suffixOfExponent.get(exponent)}`;
}

/** Multiplies by a power of ten and rounds the lost digits away from zero. */
function scale(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value > 0n ? quotient + 1n : quotient - 1n;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
