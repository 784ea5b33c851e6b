import { parseGoDuration } from '../../apimachinery/index.ts';

/** A valid cron schedule: the fields of a cron expression, or the delay of `@every`, in whole seconds. */
export type CronSchedule = CronFields | { readonly everyMs: number };

/** The numbers that each field of a cron expression selects. Months start at 1, weekdays at 0 for Sunday. */
export interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Whether the day of the month and the weekday must both match. If neither field has a star, one match suffices. */
  readonly needsBothDays: boolean;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

/** The numbers of one field, and whether it contains a star that selects all of them. */
interface Field {
  readonly numbers: ReadonlySet<number>;
  readonly hasStar: boolean;
}

const bounds: readonly Bounds[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  {
    least: 1,
    most: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Returns the error of a cron schedule in the words of upstream's library; undefined if it is valid. */
export function cronScheduleError(schedule: string): string | undefined {
  // A schedule with a time zone is rejected elsewhere.
  if (/^(?:CRON_)?TZ=/.test(schedule)) return undefined;
  const parsed = parseCronSchedule(schedule);
  return typeof parsed === 'string' ? parsed : undefined;
}

/**
 * Parses a cron schedule as upstream's library does (robfig/cron 3.0.1, `ParseStandard`), without time zones. Returns the
 * message of the library if the schedule is invalid.
 */
export function parseCronSchedule(schedule: string): CronSchedule | string {
  if (schedule === '') return 'empty spec string';
  if (schedule.startsWith('@')) return parseDescriptor(schedule);
  const texts = schedule.split(/\s+/).filter((text) => text !== '');
  if (texts.length !== bounds.length) {
    return `expected exactly ${bounds.length} fields, found ${texts.length}: [${texts.join(' ')}]`;
  }
  const fields: Field[] = [];
  for (const [index, limits] of bounds.entries()) {
    const field = parseField(texts[index] ?? '', limits);
    if (typeof field === 'string') return field;
    fields.push(field);
  }
  const [minutes, hours, days, months, weekdays] = fields.map(({ numbers }) => numbers);
  const none: ReadonlySet<number> = new Set();
  return {
    minutes: minutes ?? none,
    hours: hours ?? none,
    days: days ?? none,
    months: months ?? none,
    weekdays: weekdays ?? none,
    needsBothDays: fields[2]?.hasStar === true || fields[4]?.hasStar === true,
  };
}

function parseDescriptor(descriptor: string): CronSchedule | string {
  const expression = descriptors.get(descriptor);
  if (expression !== undefined) return parseCronSchedule(expression);
  if (!descriptor.startsWith('@every ')) return `unrecognized descriptor: ${descriptor}`;
  const duration = parseGoDuration(descriptor.slice('@every '.length));
  if ('error' in duration) return `failed to parse duration ${descriptor}: ${duration.error}`;
  const seconds = Number(duration.nanoseconds / 1_000_000_000n);
  return { everyMs: Math.max(1, seconds) * 1000 };
}

function parseField(text: string, limits: Bounds): Field | string {
  const numbers = new Set<number>();
  let hasStar = false;
  for (const range of text.split(',')) {
    if (range === '') continue;
    const parsed = parseRange(range, limits);
    if (typeof parsed === 'string') return parsed;
    for (let number = parsed.start; number <= parsed.end; number += parsed.step) numbers.add(number);
    hasStar ||= parsed.isStar;
  }
  return { numbers, hasStar };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isStar: boolean;
}

function parseRange(range: string, { least, most, names }: Bounds): Range | string {
  const [span = '', stepText, ...moreSteps] = range.split('/');
  const [low = '', high, ...moreParts] = span.split('-');
  let start = least;
  let end = most;
  let isStar = true;
  if (low !== '*' && low !== '?') {
    isStar = false;
    const first = readNumber(low, names);
    if (typeof first === 'string') return first;
    start = first;
    end = first;
    if (moreParts.length > 0) return `too many hyphens: ${range}`;
    if (high !== undefined) {
      const last = readNumber(high, names);
      if (typeof last === 'string') return last;
      end = last;
    }
  }
  let step = 1;
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  if (stepText !== undefined) {
    const read = readNumber(stepText, []);
    if (typeof read === 'string') return read;
    step = read;
    if (high === undefined) end = most;
    isStar &&= step <= 1;
  }
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return step === 0 ? `step of range should be a positive number: ${range}` : { start, end, step, isStar };
}

/** Returns the value of a number or a name. Returns a message if it is invalid. */
function readNumber(text: string, names: readonly string[]): number | string {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named !== -1) return named;
  if (/^[+-]?\d{1,15}$/.test(text)) {
    const number = Number(text);
    return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
  }
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
