import { plainDecimal } from '../go-format.ts';
import { EvaluationFault } from './fault.ts';
import { CelDuration, CelTimestamp } from './value.ts';

const second = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;
const unitNanoseconds = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', 3600n * second],
]);

/** A duration as Go's `time.ParseDuration` reads it, such as `1h15m` or `-1.5s`; undefined when it is none. */
export function parseDuration(text: string): CelDuration | undefined {
  const negative = text.startsWith('-');
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return new CelDuration(0n);
  if (unsigned === '' || unsigned.length > 1000) return undefined;
  const component = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
  let total = 0n;
  while (component.lastIndex < unsigned.length) {
    const match = component.exec(unsigned);
    if (match === null) return undefined;
    const [, whole = '', fraction = '', name = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const unit = unitNanoseconds.get(name) ?? 1n;
    total += BigInt(whole || '0') * unit;
    if (fraction !== '') total += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
  }
  const signed = negative ? -total : total;
  return BigInt.asIntN(64, signed) === signed ? new CelDuration(signed) : undefined;
}

/** Durations also by the words OpenAPI's `duration` format allows: `3 days`, `1 hour 5 minutes`. */
export function parseFormatDuration(text: string): CelDuration | undefined {
  const exact = parseDuration(text);
  if (exact !== undefined) return exact;
  const words: readonly (readonly [RegExp, bigint])[] = [
    [/^(?:ns|nano|nanos.*)$/, 1n],
    [/^(?:us|µs|micro|micros.*)$/, 1_000n],
    [/^(?:ms|milli|millis.*)$/, 1_000_000n],
    [/^(?:s|sec|secs.*|second.*)$/, second],
    [/^(?:m|min|mins.*|minute.*)$/, 60n * second],
    [/^(?:h|hr|hrs.*|hour.*)$/, 3600n * second],
    [/^(?:d|day|days.*)$/, 86_400n * second],
    [/^(?:w|wk|week|wks.*|weeks.*)$/, 604_800n * second],
  ];
  let total: bigint | undefined;
  for (const [, factor = '0', unit = ''] of text.slice(0, 1000).matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const known = words.find(([pattern]) => pattern.test(unit.toLowerCase()));
    if (known !== undefined) total = (total ?? 0n) + BigInt(factor) * known[1];
  }
  return total === undefined ? undefined : new CelDuration(BigInt.asIntN(64, total));
}

/** `string(duration)`: seconds. */
export function formatDuration(duration: CelDuration): string {
  return `${plainDecimal(Number(duration.nanoseconds) / 1e9)}s`;
}

/** An RFC 3339 time; undefined when the text is none, and a fault when the year is outside 1 to 9999. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,100}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(
    text,
  );
  if (match === null || /[tz,]/.test(text)) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', seconds = '', fraction = '', sign, oh, om] = match;
  const base = utcMilliseconds(Number(year), Number(month) - 1, Number(day));
  if (base === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined;
  if (Number(oh ?? 0) > 24 || Number(om ?? 0) > 59) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(oh ?? 0) * 60 + Number(om ?? 0));
  const wholeSeconds =
    BigInt(base / 1000) + BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(seconds) - offset * 60);
  if (wholeSeconds < minSeconds || wholeSeconds > maxSeconds) throw new EvaluationFault('timestamp overflow');
  return new CelTimestamp(wholeSeconds * second + BigInt(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

/** A date of the OpenAPI format `date`; undefined when the text is none. */
export function parseDate(text: string): CelTimestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return undefined;
  const milliseconds = utcMilliseconds(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return milliseconds === undefined ? undefined : new CelTimestamp(BigInt(milliseconds) * 1_000_000n);
}

/** `string(timestamp)`: RFC 3339 with the offset it was written with and no zeros after the last digit. */
export function formatTimestamp(timestamp: CelTimestamp): string {
  const local = timestamp.nanoseconds + BigInt(timestamp.offsetMinutes) * 60n * second;
  const fraction = ((local % second) + second) % second;
  const text = new Date(Number((local - fraction) / 1_000_000n)).toISOString();
  const digits = fraction === 0n ? '' : `.${fraction.toString().padStart(9, '0').replace(/0+$/, '')}`;
  const offset = Math.abs(timestamp.offsetMinutes);
  const zone =
    offset === 0
      ? 'Z'
      : `${timestamp.offsetMinutes < 0 ? '-' : '+'}${pad(Math.trunc(offset / 60))}:${pad(offset % 60)}`;
  return `${text.slice(0, 19)}${digits}${zone}`;
}

/** The timestamp of so many seconds since 1970; a fault outside the years 1 to 9999. */
export function timestampFromSeconds(seconds: bigint): CelTimestamp {
  return new CelTimestamp(checkedTimestamp(seconds * second));
}

/** Nanoseconds since 1970 that a timestamp can hold; a fault otherwise. */
export function checkedTimestamp(nanoseconds: bigint): bigint {
  const seconds = floorDivide(nanoseconds, second);
  if (seconds < minSeconds || seconds > maxSeconds) throw new EvaluationFault('timestamp overflow');
  return nanoseconds;
}

export function checkedDuration(nanoseconds: bigint): CelDuration {
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) throw new EvaluationFault('integer overflow');
  return new CelDuration(nanoseconds);
}

export function unixSeconds(timestamp: CelTimestamp): bigint {
  return floorDivide(timestamp.nanoseconds, second);
}

/**
 * The fields of a date in UTC, in a zone of the time zone database, or at an offset such as `+02:00`, as a Date
 * whose UTC fields they are. A fault when the zone is unknown.
 */
export function inTimeZone(timestamp: CelTimestamp, zone: string): Date {
  const utc = new Date(Number(floorDivide(timestamp.nanoseconds, 1_000_000n)));
  if (zone === '' || zone === 'UTC') return utc;
  const colon = zone.indexOf(':');
  if (colon !== -1) {
    const hours = zoneNumber(zone.slice(0, colon));
    const minutes = zoneNumber(zone.slice(colon + 1));
    const offset = zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes;
    return new Date(utc.getTime() + offset * 60_000);
  }
  return new Date(utc.getTime() + zoneOffset(utc, zone));
}

function zoneOffset(utc: Date, zone: string): number {
  let parts: Intl.DateTimeFormatPart[];
  try {
    if (!/^[A-Za-z0-9_+\-/]{1,64}$/.test(zone) || /^[+-]/.test(zone)) throw new RangeError();
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    parts = format.formatToParts(utc);
  } catch {
    throw new EvaluationFault(`unknown time zone ${zone}`);
  }
  const field = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const local = new Date(0);
  local.setUTCFullYear(field('year'), field('month') - 1, field('day'));
  local.setUTCHours(field('hour'), field('minute'), field('second'));
  return local.getTime() - Math.floor(utc.getTime() / 1000) * 1000;
}

function zoneNumber(text: string): number {
  if (!/^[+-]?\d{1,6}$/.test(text)) {
    throw new EvaluationFault(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

/** Midnight of the date, or undefined when the calendar has no such day. */
function utcMilliseconds(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.getTime() : undefined;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
