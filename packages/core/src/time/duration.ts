import { describeValue } from '../errors/describe-value.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';

/** A duration: a number of milliseconds, or a string such as `'30s'`, `'1h30m'` or `'250ms'`. Only `'0'` needs no unit. */
export type Duration = number | string;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns a duration in milliseconds. Throws `invalid-duration` if it is invalid or negative. */
export function durationMs(duration: Duration): number {
  if (isDurationMs(duration)) return duration;
  if (typeof duration !== 'string') throw invalidDuration(duration);
  if (duration === '0') return 0;
  let total = 0;
  let rest = duration;
  while (rest !== '') {
    const part = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h|d)/.exec(rest);
    const factor = unitMs[part?.[2] ?? ''];
    if (part === null || factor === undefined) throw invalidDuration(duration);
    total += Number(part[1]) * factor;
    rest = rest.slice(part[0].length);
  }
  if (duration === '') throw invalidDuration(duration);
  return total;
}

/** Reports whether a value is a duration in milliseconds: a finite number of at least 0. */
export function isDurationMs(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** A string may come from a shell or a file, where a plain number does not mean milliseconds. */
function invalidDuration(duration: Duration): EvenkeelError {
  const shown = typeof duration === 'string' ? JSON.stringify(duration.slice(0, 64)) : describeValue(duration);
  const units = 'a number and its unit, such as 250ms, 30s, 5m or 1h30m';
  const why =
    typeof duration !== 'string'
      ? `${shown} is not a duration; write milliseconds (at least 0), or ${units}`
      : /^\d{1,15}(?:\.\d{1,9})?$/.test(duration)
        ? `${shown} has no unit; write ${duration}s for seconds, or ${duration}ms for milliseconds`
        : `${shown} is not a duration; write ${units}`;
  return new EvenkeelError('invalid-duration', why);
}
