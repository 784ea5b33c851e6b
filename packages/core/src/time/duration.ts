import { describeValue } from '../errors/describe-value.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';

type Unit = 'd' | 'h' | 'm' | 's' | 'ms';
type Part = `${number}${Unit}`;

/**
 * A duration with its unit: `'250ms'`, `'30s'`, `'5m'`, `'1h30m'` or `'2d'`. Only `'0'` needs no unit. For a computed duration,
 * write `` `${seconds}s` ``; for a string from a setting, use {@link parseDuration}.
 *
 * The compiler rejects a plain number, an unknown unit, and more than three parts. The part of the program that reads the
 * duration also rejects a negative one.
 */
export type Duration = '0' | Part | `${Part}${Part}` | `${Part}${Part}${Part}`;

const unitMs: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3 },
  ...{ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 },
};

/**
 * Returns a duration in milliseconds, for timers and `AbortSignal.timeout()`. Accepts a {@link Duration}, and what `@IsDuration()`
 * accepts, such as `100ns` and `.5s`, unless it is negative. Throws `invalid-duration` for anything else.
 */
export function durationMs(duration: string): number {
  if (typeof duration !== 'string' || duration === '') throw invalidDuration(duration);
  if (/^[+-]?0$/.test(duration)) return 0;
  let total = 0;
  let rest = duration.replace(/^\+(?=.)/, '');
  while (rest !== '') {
    // A computed number may have 17 digits, or a negative exponent if it is tiny.
    const part = /^(\d{1,21}(?:\.\d{0,20})?(?:e-\d{1,3})?|\.\d{1,20})(ns|us|µs|μs|ms|s|m|h|d)/.exec(rest);
    const factor = unitMs[part?.[2] ?? ''];
    if (part === null || factor === undefined) throw invalidDuration(duration);
    total += Number(part[1]) * factor;
    rest = rest.slice(part[0].length);
  }
  return total;
}

/** Returns a string that is not in the source, such as a setting or a field of a spec, as a duration. Throws `invalid-duration`. */
export function parseDuration(text: string): Duration {
  durationMs(text);
  return text as Duration;
}

/** A plain number may mean seconds or milliseconds, wherever it comes from. */
function invalidDuration(duration: unknown): EvenkeelError {
  const units = 'a number and its unit, such as 250ms, 30s, 5m or 1h30m';
  const isNumber = typeof duration === 'number' && Number.isFinite(duration) && duration >= 0;
  const shown = typeof duration === 'string' ? JSON.stringify(duration.slice(0, 64)) : describeValue(duration);
  const why = isNumber
    ? `${duration} has no unit; write '${duration}s' for seconds, or '${duration}ms' for milliseconds`
    : typeof duration === 'string' && /^\d{1,15}(?:\.\d{1,9})?$/.test(duration)
      ? `${shown} has no unit; write ${duration}s for seconds, or ${duration}ms for milliseconds`
      : typeof duration === 'string' && /^-[\d.]/.test(duration)
        ? `${shown} is negative; write a duration of 0 or more`
        : `${shown} is not a duration; write ${units}`;
  return new EvenkeelError('invalid-duration', why);
}
