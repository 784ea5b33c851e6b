import { EvenkeelError } from './errors/evenkeel-error.ts';

/** Milliseconds, or a text such as `'30s'`, `'1h30m'`, `'250ms'`. The same type wherever a duration is asked for. */
export type Duration = number | string;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a duration. Throws `invalid-duration` where it is not one, or is negative. */
export function durationMs(duration: Duration): number {
  if (typeof duration === 'number') {
    if (Number.isFinite(duration) && duration >= 0) return duration;
    throw invalidDuration(duration);
  }
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

function invalidDuration(duration: Duration): EvenkeelError {
  return new EvenkeelError(
    'invalid-duration',
    `${JSON.stringify(duration)} is not a duration; write milliseconds as a number, or a text such as '30s' or '1h30m'`,
  );
}
