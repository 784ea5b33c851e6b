import { goQuote, plainDecimal } from '../../apimachinery.ts';
import { durationNanoseconds, goDurationNanoseconds } from '../../format/duration.ts';
import { EvaluationFault } from './fault.ts';
import { CelDuration, CelTimestamp } from './value.ts';

const second = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

/** A duration in the syntax of Go's `time.ParseDuration`; undefined if it is invalid. */
export function parseDuration(text: string): CelDuration | undefined {
  return durationOf(goDurationNanoseconds(text));
}

/** A duration of the OpenAPI format `duration`; undefined if it is invalid. */
export function parseFormatDuration(text: string): CelDuration | undefined {
  return durationOf(durationNanoseconds(text));
}

function durationOf(nanoseconds: bigint | undefined): CelDuration | undefined {
  return nanoseconds === undefined ? undefined : new CelDuration(nanoseconds);
}

/** `string(duration)`: seconds. */
export function formatDuration(duration: CelDuration): string {
  return `${plainDecimal(Number(duration.nanoseconds) / 1e9)}s`;
}

/** An RFC 3339 time; undefined if it is invalid. Throws a fault if the year is outside 1 to 9999. */
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

/** `string(timestamp)`: RFC 3339 with its original offset and without trailing zeros. */
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

/** The timestamp of a number of seconds since 1970. Throws a fault outside of the years 1 to 9999. */
export function timestampFromSeconds(seconds: bigint): CelTimestamp {
  return new CelTimestamp(checkedTimestamp(seconds * second));
}

/** The nanoseconds since 1970 of a timestamp. Throws a fault if they are out of range. */
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
 * The fields of a date in UTC, in a zone of the time zone database, or at an offset such as `+02:00`, as the UTC fields of a
 * Date. Throws a fault if the zone is unknown.
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
    throw new EvaluationFault(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  }
  return Number(text);
}

/** Midnight of the date, or undefined if the calendar has no such day. */
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
