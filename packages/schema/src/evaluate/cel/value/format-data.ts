import { EvaluationFault } from './fault.ts';
import { parseTimestamp } from './time.ts';
import { CelTimestamp } from './value.ts';

const dateLayout = '2006-01-02';
/** The last layout that is tried, which errors refer to (kube-openapi pkg/validation/strfmt/time.go). */
const localLayout = '2006-01-02T15:04:05';

/** A date of the OpenAPI format `date`. Throws an EvaluationFault with Go's message if it is invalid. */
export function dateOf(text: string): CelTimestamp {
  const parsed = parseLayout(text, dateLayout);
  if (typeof parsed === 'object') return parsed;
  throw new EvaluationFault(`Invalid date formatted string ${text}: ${parsed}`);
}

/**
 * A time of the OpenAPI format `date-time`. The zone is optional, and the empty string is 1970. Throws an EvaluationFault
 * with Go's message if it is invalid.
 */
export function dateTimeOf(text: string): CelTimestamp {
  if (text === '') return new CelTimestamp(0n);
  // Go also accepts commas.
  const zoned = parseTimestamp(text.replace(',', '.'));
  if (zoned !== undefined) return zoned;
  const parsed = parseLayout(text, localLayout);
  if (typeof parsed === 'object') return parsed;
  throw new EvaluationFault(`Invalid date-time formatted string ${text}: ${parsed}`);
}

/** How a part of a layout is read, and its maximal value. */
const parts = new Map<string, readonly [pattern: RegExp, name: string, least: number, most: number]>([
  ['2006', [/^\d{4}/, 'year', 0, 9999]],
  ['01', [/^\d\d/, 'month', 1, 12]],
  ['02', [/^\d\d/, 'day', 0, 99]],
  ['15', [/^\d\d?/, 'hour', 0, 23]],
  ['04', [/^\d\d/, 'minute', 0, 59]],
  ['05', [/^\d\d/, 'second', 0, 59]],
]);

/** The result of Go's `time.Parse` with one of the layouts above; a string is its error (Go src/time/format.go). */
function parseLayout(text: string, layout: string): CelTimestamp | string {
  const bad = (rest: string, part: string) =>
    `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(part)}`;
  const fields: number[] = [];
  let rest = text;
  for (const part of layout.match(/\d+|\D/g) ?? []) {
    const [pattern, name, least, most] = parts.get(part) ?? [];
    if (pattern === undefined || least === undefined || most === undefined) {
      if (!rest.startsWith(part)) return bad(rest, part);
      rest = rest.slice(1);
      continue;
    }
    const digits = pattern.exec(rest)?.[0];
    if (digits === undefined) return bad(rest, part);
    const value = Number(digits);
    if (value < least || value > most) return `parsing time ${quote(text)}: ${name} out of range`;
    fields.push(value);
    rest = rest.slice(digits.length);
  }
  const fraction = layout === localLayout ? (/^[.,](\d+)/.exec(rest) ?? []) : [];
  rest = rest.slice(fraction[0]?.length ?? 0);
  if (rest !== '') return `parsing time ${quote(text)}: extra text: ${quote(rest)}`;
  const [year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0] = fields;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return `parsing time ${quote(text)}: day out of range`;
  date.setUTCHours(hour, minute, second);
  const nanoseconds = BigInt((fraction[1] ?? '').slice(0, 9).padEnd(9, '0'));
  return new CelTimestamp(BigInt(date.getTime()) * 1_000_000n + nanoseconds);
}

/** Quotes as Go's package time does. */
function quote(text: string): string {
  const escaped = text.replace(/[^ -\x7f]|["\\]/gu, (char) =>
    char === '"' || char === '\\'
      ? `\\${char}`
      : [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `"${escaped}"`;
}

/**
 * The bytes of the OpenAPI format `byte` in the URL alphabet with padding, whatever the validation of the format accepts.
 * Throws an EvaluationFault with Go's message (Go src/encoding/base64/base64.go) for other strings.
 */
export function bytesOf(text: string): Uint8Array {
  const source = Buffer.from(text);
  const fail = (at: number): never => {
    throw new EvaluationFault(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${at}`);
  };
  const at = [...source.keys()].filter((i) => source[i] !== 0x0a && source[i] !== 0x0d);
  const end = at.findIndex((i) => !/[A-Za-z0-9_-]/.test(String.fromCharCode(source[i] ?? 0)));
  const length = end === -1 ? at.length : end;
  const over = length % 4;
  const next = at[length];
  if (next === undefined) {
    if (over > 0) fail(source.length - over);
  } else if (source[next] !== 0x3d || over < 2) {
    fail(next);
  } else {
    const second = at[length + 1];
    if (over === 2 && second === undefined) fail(source.length);
    if (over === 2 && second !== undefined && source[second] !== 0x3d) fail(second - 1);
    const garbage = at[length + (over === 2 ? 2 : 1)];
    if (garbage !== undefined) fail(garbage);
  }
  return Uint8Array.from(Buffer.from(text.replace(/[\r\n]/g, ''), 'base64url'));
}
