import { isInt64, isJsonObject } from '../json/json-value.ts';

const named = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);
const plain = /^[ !#-[\]-~]*$/;

/** A string as Go's `%q` (strconv.Quote) prints it. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const name = named.get(code);
    if (name !== undefined) quoted += name;
    else if (isPrintable(char)) quoted += char;
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${hex(code, 2)}`;
    else if (code >= 0xd800 && code < 0xe000) quoted += '\ufffd';
    else quoted += code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  }
  return `${quoted}"`;
}

/** A list of strings as Go's `%q` prints it: `["a" "b"]`. */
export function goQuoteList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}

/** The error of Go's `strconv` for a text that is not an integer of 64 bits. */
export function goIntegerError(parser: 'ParseInt' | 'ParseUint', text: string): string {
  const isInteger = parser === 'ParseInt' ? /^[+-]?\d+$/ : /^\d+$/;
  const why = isInteger.test(text) ? 'value out of range' : 'invalid syntax';
  return `strconv.${parser}: parsing ${goQuote(text)}: ${why}`;
}

/** Whether a character is a letter, mark, number, punctuation, symbol or the space (Go's `unicode.IsPrint`). */
export function isPrintable(character: string): boolean {
  // ASCII comes first. For other characters, two negated classes suffice: compiling all five printable classes takes
  // 1.5 ms of a server's first write.
  return (character >= ' ' && character <= '~') || /[^\p{C}\p{Z}]/u.test(character);
}

/**
 * Returns the text without all `character`s at its end, like Go's `strings.TrimRight`. A pattern such as `/x+$/` takes quadratic time for
 * a text that contains many such characters, but not at its end.
 */
export function trimRight(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end--;
  return text.slice(0, end);
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** A float64 as Go's `%v` prints it: the shortest digits, with an exponent from 1e+06 up and below 1e-4. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  if (value === 0) return '0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  return plainDecimal(value);
}

/** A float64 without exponent, as strconv.FormatFloat(value, 'f', -1, 64) prints it. */
export function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  const point = Number(exponent) + 1;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}

/**
 * A float64 with `precision` decimals, as Go's `%.<precision>f` prints it: ties round to even, while `toFixed` rounds
 * them up.
 */
export function goFixed(value: number, precision: number): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const raw = bits.getBigUint64(0);
  const exponent = Number(raw >> 52n);
  const mantissa = (raw & 0xf_ffff_ffff_ffffn) | (exponent === 0 ? 0n : 1n << 52n);
  const shift = Math.max(exponent, 1) - 1075;
  const scaled = mantissa * 10n ** BigInt(precision);
  let units = shift >= 0 ? scaled << BigInt(shift) : scaled >> BigInt(-shift);
  if (shift < 0) {
    const twice = (scaled - (units << BigInt(-shift))) * 2n;
    const one = 1n << BigInt(-shift);
    if (twice > one || (twice === one && units % 2n === 1n)) units++;
  }
  const digits = units.toString().padStart(precision + 1, '0');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const whole = digits.slice(0, digits.length - precision);
  return precision === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-precision)}`;
}

/** A JSON number as Go's `%v` prints the decoded value: an int64 for an integer, else a float64. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  return isInt64(value) ? BigInt(value).toString() : goFloat(value);
}

const maxPrintedDepth = 500;

/** A JSON value as Go's `%v` prints it: `map[a:1 b:[x y]]`. */
export function goText(value: unknown, depth = 0): string {
  if (value === null || value === undefined || depth > maxPrintedDepth) return '<nil>';
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, depth + 1)).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value).sort(compareText);
  return `map[${members.map((key) => `${key}:${goText(value[key], depth + 1)}`).join(' ')}]`;
}

/** A JSON value as Go's `%#v` prints it: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: unknown, depth = 0): string {
  if (value === null || value === undefined || depth > maxPrintedDepth) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map((item) => goSyntax(item, depth + 1)).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value).sort(compareText);
  const shown = members.map((key) => `${goQuote(key)}:${goSyntax(value[key], depth + 1)}`);
  return `map[string]interface {}{${shown.join(', ')}}`;
}

/** The name that Go's JSON decoder uses for the kind of a value. */
export function jsonKindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** The Go type to which a JSON value is decoded. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isInt64(value) ? 'int64' : 'float64';
}

/** A Go struct without JSON names. Its fields are printed in the given order. */
export class GoStruct {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields;
  }
}

/** The target of a Go pointer: printed as JSON, even if it is a string. */
export class GoPointer {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A JSON value as Go's encoding/json prints it: sorted keys, no spaces, `<`, `>` and `&` escaped. */
export function goJson(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return goJsonString(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return isInt64(value) ? BigInt(value).toString() : jsonFloat(value);
  // Hostile nesting must not exhaust the stack while it is printed.
  if (depth > maxPrintedDepth) return 'null';
  if (Array.isArray(value)) return `[${value.map((item) => goJson(item, depth + 1)).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  const [object, keys] =
    value instanceof GoStruct
      ? [value.fields, Object.keys(value.fields)]
      : [value, Object.keys(value).sort(compareText)];
  const members: string[] = [];
  for (const key of keys) {
    if (object[key] !== undefined) members.push(`${goJsonString(key)}:${goJson(object[key], depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

function goJsonString(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`);
}

function jsonFloat(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-6 && size < 1e21)) return plainDecimal(value);
  return value.toExponential();
}

const beyondSurrogates = /[\ud800-\uffff]/;

/** Compares two strings as Go does, by their bytes in UTF-8, which is the order of code points. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (beyondSurrogates.test(left) && beyondSurrogates.test(right)) return compareCodePoints(left, right);
  return left < right ? -1 : 1;
}

function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    const surrogates = a >= 0xd800 && b >= 0xd800;
    // A surrogate encodes a code point above all that fit into one unit.
    const aRank = surrogates && a <= 0xdfff ? a + 0x10000 : a;
    const bRank = surrogates && b <= 0xdfff ? b + 0x10000 : b;
    return aRank < bRank ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}
