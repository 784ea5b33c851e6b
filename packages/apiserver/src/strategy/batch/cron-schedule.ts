import { parseGoDuration } from '../../apimachinery/index.ts';

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
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

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/**
 * Returns the error of a cron schedule in the words of upstream's library (robfig/cron 3.0.1, `ParseStandard`);
 * undefined if it is valid.
 */
export function cronScheduleError(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  // A schedule with a time zone is rejected elsewhere.
  if (/^(?:CRON_)?TZ=/.test(schedule)) return undefined;
  if (schedule.startsWith('@')) return descriptorError(schedule);
  const fields = schedule.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== bounds.length) {
    return `expected exactly ${bounds.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, field] of fields.entries()) {
    const limits = bounds[index];
    if (limits === undefined) break;
    for (const range of field.split(',')) {
      const error = range === '' ? undefined : rangeError(range, limits);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function descriptorError(descriptor: string): string | undefined {
  if (descriptors.includes(descriptor)) return undefined;
  if (!descriptor.startsWith('@every ')) return `unrecognized descriptor: ${descriptor}`;
  const duration = parseGoDuration(descriptor.slice('@every '.length));
  return 'error' in duration ? `failed to parse duration ${descriptor}: ${duration.error}` : undefined;
}

function rangeError(range: string, { least, most, names }: Bounds): string | undefined {
  const [span = '', stepText, ...moreSteps] = range.split('/');
  const [low = '', high, ...moreParts] = span.split('-');
  let start = least;
  let end = most;
  if (low !== '*' && low !== '?') {
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
  }
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
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
