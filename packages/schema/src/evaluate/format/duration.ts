import { parseGoDuration } from '../apimachinery.ts';

const second = 1_000_000_000n;

/** The nanoseconds of a duration for Go's `time.ParseDuration`, such as `1h15m` or `-1.5s`; undefined for other strings. */
export function goDurationNanoseconds(text: string): bigint | undefined {
  const parsed = parseGoDuration(text);
  return 'nanoseconds' in parsed ? parsed.nanoseconds : undefined;
}

const unitWords: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nano.*)$/, 1n],
  [/^(?:us|µs|micro.*)$/, 1_000n],
  [/^(?:ms|milli.*)$/, 1_000_000n],
  [/^(?:s|sec.*)$/, second],
  [/^(?:m|min.*)$/, 60n * second],
  [/^(?:h|hr|hour.*)$/, 3600n * second],
  [/^(?:d|day.*)$/, 86_400n * second],
  [/^(?:w|wk|week.*)$/, 604_800n * second],
];

/**
 * The nanoseconds of the OpenAPI format `duration`: Go's durations, or any string in which a number is followed by a unit
 * such as `days`. All such pairs are added (kube-openapi pkg/validation/strfmt/duration.go). Values beyond 64 bits wrap
 * around.
 */
export function durationNanoseconds(text: string): bigint | undefined {
  const exact = goDurationNanoseconds(text);
  if (exact !== undefined) return exact;
  let total: bigint | undefined;
  for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
    const unit = /^[\t\n\f\r ]*([A-Za-zµ]+)/.exec(text.slice(index + digits.length, index + digits.length + 100));
    if (unit === null) continue;
    const count = BigInt(digits.slice(0, 1000));
    if (count >= 2n ** 63n) return undefined;
    const known = unitWords.find(([words]) => words.test((unit[1] ?? '').toLowerCase()));
    if (known !== undefined) total = (total ?? 0n) + count * known[1];
  }
  return total === undefined ? undefined : BigInt.asIntN(64, total);
}
