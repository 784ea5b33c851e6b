import { goQuote } from './go-format.ts';

const second = 1_000_000_000n;
const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', 3600n * second],
]);

/** Go counts nanoseconds in 64 bits. */
const limit = 2n ** 63n;

/** The most digits of a number that may be within the limit, and of a fraction that count. */
const digitsMax = 19;

/** A duration such as `1h15m` or `-1.5s`, or why it is invalid. */
export type GoDuration = { readonly nanoseconds: bigint } | { readonly error: string };

/** Parses a duration as Go's `time.ParseDuration` does, with its messages. The time is linear in the length of the string. */
export function parseGoDuration(text: string): GoDuration {
  const invalid = { error: `time: invalid duration ${goQuote(text)}` };
  const [sign = ''] = /^[-+]/.exec(text) ?? [];
  if (text === `${sign}0`) return { nanoseconds: 0n };
  if (text === sign) return invalid;
  const component = /(\d*)(?:\.(\d*))?([^\d.]*)/y;
  component.lastIndex = sign.length;
  let total = 0n;
  while (component.lastIndex < text.length) {
    const [, whole = '', fraction = '', name = ''] = component.exec(text) ?? [];
    const digits = whole.replace(/^0+/, '');
    if ((whole === '' && fraction === '') || digits.length > digitsMax) return invalid;
    if (name === '') return { error: `time: missing unit in duration ${goQuote(text)}` };
    const unit = units.get(name);
    if (unit === undefined) return { error: `time: unknown unit ${goQuote(name)} in duration ${goQuote(text)}` };
    const counted = fraction.slice(0, digitsMax);
    total += BigInt(digits) * unit + (BigInt(counted) * unit) / 10n ** BigInt(counted.length);
    if (total > limit) return invalid;
  }
  const nanoseconds = sign === '-' ? -total : total;
  return nanoseconds === limit ? invalid : { nanoseconds };
}
