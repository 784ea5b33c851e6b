import { goFixed, goFloat, goQuote } from '../../apimachinery.ts';
import { limitText } from '../value/evaluation-limit.ts';
import { EvaluationFault } from '../value/fault.ts';
import { formatDuration, formatTimestamp } from '../value/time.ts';
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  isInt,
  typeOfValue,
} from '../value/value.ts';

const defaultPrecision = 6;
/** More digits than any double has. Go accepts more, and writes zeros for them. */
const maxPrecision = 1000;

/** `'%d of %s'.format([1, 'x'])`, with the clauses s, d, f, e, b, x, X and o (cel-go v0.26 `ext/formatting.go`). */
export function formatText(format: string, args: CelList): string {
  let result = '';
  let used = 0;
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at);
    if (percent === -1) return result + format.slice(at);
    result += format.slice(at, percent);
    if (format[percent + 1] === '%') {
      result += '%';
      at = percent + 2;
      continue;
    }
    if (used >= args.size) throw new EvaluationFault(`index ${used} out of range`);
    if (percent + 1 >= format.length) throw new EvaluationFault('unexpected end of string');
    const clause = parseClause(format, percent + 1);
    try {
      result += applyClause(clause, args.at(used++));
    } catch (error) {
      if (!(error instanceof EvaluationFault)) throw error;
      throw new EvaluationFault(`error during formatting: ${error.message}`);
    }
    limitText(result.length);
    at = clause.end;
  }
  return result;
}

/** One `%` clause: its letter, its precision and where it ends. */
export interface FormatClause {
  readonly letter: string;
  readonly precision: number;
  readonly end: number;
}

/** Reads the clause after a `%`. Throws EvaluationFault if it is invalid. */
export function parseClause(format: string, start: number): FormatClause {
  let at = start;
  let precision = defaultPrecision;
  if (format[at] === '.') {
    const digits = /^\d*/.exec(format.slice(at + 1, at + 12))?.[0] ?? '';
    at += 1 + digits.length;
    const problem =
      at >= format.length
        ? 'could not find end of precision specifier'
        : digits === ''
          ? 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
          : undefined;
    if (problem !== undefined) {
      throw new EvaluationFault(`could not parse formatting clause: error while parsing precision: ${problem}`);
    }
    precision = Math.min(Number(digits), maxPrecision);
  }
  const letter = String.fromCodePoint(format.codePointAt(at) ?? 0);
  if (!'sdfebxXo'.includes(letter)) {
    throw new EvaluationFault(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  }
  return { letter, precision, end: at + 1 };
}

/** The error message for a type that a clause cannot format. */
export function clauseMismatch(letter: string, typeName: string): string {
  switch (letter) {
    case 'd':
      return `decimal clause can only be used on integers, was given ${typeName}`;
    case 'f':
      return `fixed-point clause can only be used on doubles, was given ${typeName}`;
    case 'e':
      return `scientific clause can only be used on doubles, was given ${typeName}`;
    case 'b':
      return `only integers and bools can be formatted as binary, was given ${typeName}`;
    case 'x':
    case 'X':
      return `only integers, byte buffers, and strings can be formatted as hex, was given ${typeName}`;
    case 'o':
      return `octal clause can only be used on integers, was given ${typeName}`;
    default:
      return (
        'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and ' +
        `timestamps, was given ${typeName}`
      );
  }
}

function applyClause({ letter, precision }: FormatClause, value: CelValue): string {
  const integer = isInt(value) ? BigInt(value) : value instanceof CelUint ? value.value : undefined;
  switch (letter) {
    case 's':
      return asText(value);
    case 'd':
      if (integer !== undefined) return integer.toString();
      break;
    case 'f':
    case 'e': {
      const number = doubleOf(value);
      if (number !== undefined) return letter === 'f' ? asFixed(number, precision) : asScientific(number, precision);
      break;
    }
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      if (integer !== undefined) return integer.toString(2);
      break;
    case 'o':
      if (integer !== undefined) return integer.toString(8);
      break;
    default: {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value instanceof Uint8Array ? value : undefined;
      const hex = bytes === undefined ? integer?.toString(16) : Buffer.from(bytes).toString('hex');
      if (hex !== undefined) return letter === 'X' ? hex.toUpperCase() : hex;
    }
  }
  throw new EvaluationFault(clauseMismatch(letter, typeOfValue(value).name));
}

function asText(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof CelUint) return value.value.toString();
  if (value instanceof CelDouble) return goFloat(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return value.type.name;
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) {
    const entries = [...value.keys()].map((key) => [asPart(key), asPart(value.find(key) ?? null)] as const);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, part]) => `${key}:${part}`).join(', ')}}`;
  }
  throw new EvaluationFault(clauseMismatch('s', typeOfValue(value).name));
}

function listText(list: CelList): string {
  let text = '[';
  for (const value of list) {
    text += text === '[' ? asPart(value) : `, ${asPart(value)}`;
    limitText(text.length);
  }
  return `${text}]`;
}

/** A value inside of a list or map, formatted so that its type is visible. */
function asPart(value: CelValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(Buffer.from(value).toString())}`;
  if (value instanceof CelTimestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof CelDuration) return `duration("${formatDuration(value)}")`;
  if (value instanceof CelDouble) {
    return Number.isFinite(value.value) ? value.value.toFixed(defaultPrecision) : goQuote(asFixed(value.value, 0));
  }
  return asText(value);
}

function doubleOf(value: CelValue): number | undefined {
  if (value instanceof CelDouble) return value.value;
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  return value === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined;
}

/** Digits are grouped, because upstream formats in the locale en_US. */
function asFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [whole = '', fraction] = goFixed(value, precision).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Six digits for any precision, because upstream treats it as a width. */
function asScientific(value: number, width: number): string {
  if (!Number.isFinite(value)) return notFinite(value).padStart(width);
  const [mantissa = '', exponent = '+0'] = value.toExponential(defaultPrecision).split('e');
  const power = `${exponent.startsWith('-') ? '-' : ''}${String(Math.abs(Number(exponent))).padStart(2, '0')}`;
  return `${mantissa}×10${superscript(power)}`.padStart(width);
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

function superscript(text: string): string {
  return text.replace(/[-0-9]/g, (char) => (char === '-' ? '⁻' : ('⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(char)] ?? char)));
}
