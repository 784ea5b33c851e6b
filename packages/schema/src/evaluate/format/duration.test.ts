import { durationNanoseconds, goDurationNanoseconds } from './duration.ts';

const second = 1_000_000_000n;

describe('durationNanoseconds', () => {
  it('accepts the durations that Go accepts', () => {
    expect(durationNanoseconds('1h15m')).toBe(75n * 60n * second);
    expect(durationNanoseconds('-1.5s')).toBe((-3n * second) / 2n);
    expect(durationNanoseconds('0')).toBe(0n);
  });

  it('accepts numbers with words for units, and adds them', () => {
    expect(durationNanoseconds('3 days and 1 minute')).toBe((3n * 86_400n + 60n) * second);
    expect(durationNanoseconds('1 nanosecond')).toBe(1n);
    expect(durationNanoseconds('2 minx')).toBe(120n * second);
    expect(goDurationNanoseconds('3 days')).toBeUndefined();
  });

  it('rejects strings without a unit, and numbers beyond 64 bits', () => {
    expect(durationNanoseconds('soon')).toBeUndefined();
    expect(durationNanoseconds('3 moons')).toBeUndefined();
    expect(durationNanoseconds('9223372036854775808 days')).toBeUndefined();
  });
});
