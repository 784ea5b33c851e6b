import { type FunctionDeclaration, memberOverload, type Overload } from '../value/declaration.ts';
import { noSuchOverload } from '../value/fault.ts';
import { inTimeZone } from '../value/time.ts';
import { durationType, intType, stringType, timestampType } from '../value/type.ts';
import { CelDuration, CelTimestamp, type CelValue, intValue } from '../value/value.ts';

/** `getHours` and similar functions on timestamps, with or without a time zone, and on durations. */
export const timeFunctions: readonly FunctionDeclaration[] = [
  field('getFullYear', 'year', (date) => date.getUTCFullYear()),
  field('getMonth', 'month', (date) => date.getUTCMonth()),
  field('getDayOfYear', 'day_of_year', dayOfYear),
  field('getDayOfMonth', 'day_of_month', (date) => date.getUTCDate() - 1),
  field('getDate', 'day_of_month_1_based', (date) => date.getUTCDate()),
  field('getDayOfWeek', 'day_of_week', (date) => date.getUTCDay()),
  field('getHours', 'hours', (date) => date.getUTCHours(), 3_600_000_000_000n),
  field('getMinutes', 'minutes', (date) => date.getUTCMinutes(), 60_000_000_000n),
  field('getSeconds', 'seconds', (date) => date.getUTCSeconds(), 1_000_000_000n),
  field('getMilliseconds', 'milliseconds', (date) => date.getUTCMilliseconds(), 1_000_000n),
];

/** `unit` is set if durations have the function too: it then returns the whole duration in that unit. */
function field(name: string, id: string, read: (date: Date) => number, unit?: bigint): FunctionDeclaration {
  const readIn = (timestamp: CelValue, zone: CelValue): number => {
    if (!(timestamp instanceof CelTimestamp) || typeof zone !== 'string') throw noSuchOverload();
    return read(inTimeZone(timestamp, zone));
  };
  const overloads: Overload[] = [
    memberOverload(`timestamp_to_${id}`, [timestampType], intType, (timestamp) => readIn(timestamp ?? null, 'UTC')),
    memberOverload(`timestamp_to_${id}_with_tz`, [timestampType, stringType], intType, readIn),
  ];
  if (unit !== undefined) {
    overloads.push(
      memberOverload(`duration_to_${id}`, [durationType], intType, (duration) => {
        if (!(duration instanceof CelDuration)) throw noSuchOverload();
        return intValue(duration.nanoseconds / unit);
      }),
    );
  }
  return { name, overloads };
}

function dayOfYear(date: Date): number {
  const day = new Date(date.getTime());
  day.setUTCHours(0, 0, 0, 0);
  const first = new Date(day.getTime());
  first.setUTCMonth(0, 1);
  return Math.round((day.getTime() - first.getTime()) / 86_400_000);
}
