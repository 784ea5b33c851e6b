/**
 * Amounts of resources as `resource.Quantity` reads, compares and writes them. The value is held in billionths, which is
 * the finest that upstream keeps; digits below are rounded up, away from zero, as there.
 *
 * Grammar and canonical form: apimachinery `pkg/api/resource/quantity.go` and `suffix.go`.
 */
export interface ParsedQuantity {
  /** In billionths of the unit. */
  readonly nanos: bigint;
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
}

/** The server's words for what is no quantity. */
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

const shape = /^([+-]?)(\d*)(?:\.(\d*))?([A-Za-z]*)([+-]?\d*)$/;
/** What text longer than this says is beyond every amount there is; it bounds the work on a stranger's text. */
const longestText = 512;
const largestExponent = 64;

/** Reads a quantity; undefined where the text is none. */
export function parseQuantity(value: string | number): ParsedQuantity | undefined {
  const text = String(value);
  if (text.length > longestText) return undefined;
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = '', exponentText = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const signed = sign === '-' ? -digits : digits;

  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined && exponentText === '') {
    return { nanos: scale(signed << binary, 9 - fraction.length), format: 'BinarySI' };
  }
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined && exponentText === '') {
    return { nanos: scale(signed, 9 + decimal - fraction.length), format: 'DecimalSI' };
  }
  if ((suffix === 'e' || suffix === 'E') && /\d/.test(exponentText)) {
    const exponent = Number(exponentText);
    if (Math.abs(exponent) > largestExponent) return undefined;
    return { nanos: scale(signed, 9 + exponent - fraction.length), format: 'DecimalExponent' };
  }
  return undefined;
}

/** The quantity's value; 0 where the text is none. */
export function quantityNanos(value: string | number | undefined): bigint {
  return value === undefined ? 0n : (parseQuantity(value)?.nanos ?? 0n);
}

/** The text as the server writes it back (`0.5` becomes `500m`, `1024Mi` becomes `1Gi`); what is no quantity, as it is. */
export function canonicalQuantity(value: string | number): string {
  const parsed = parseQuantity(value);
  return parsed === undefined ? String(value) : formatQuantity(parsed);
}

/** Rounds up to whole thousandths, as defaulting does with every resource list. */
export function roundUpToMilli({ nanos, format }: ParsedQuantity): ParsedQuantity {
  return { nanos: scale(nanos, -6) * 1_000_000n, format };
}

export function formatQuantity({ nanos, format }: ParsedQuantity): string {
  if (nanos === 0n) return '0';
  const unit = 1_000_000_000n;
  // Upstream leaves the binary form where it cannot be exact, and below 1024.
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
  while (mantissa % 1000n === 0n && exponent < 18) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  return `${mantissa}${suffixOfExponent.get(exponent)}`;
}

/** Times a power of ten; what falls off is rounded away from zero. */
function scale(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value > 0n ? quotient + 1n : quotient - 1n;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
