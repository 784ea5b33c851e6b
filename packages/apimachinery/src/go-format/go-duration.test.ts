import { parseGoDuration } from './go-duration.ts';

describe('parseGoDuration()', () => {
  it.each([
    ['0', 0n],
    ['+0', 0n],
    ['1h2m3.5s', 3_723_500_000_000n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['-1.5ms', -1_500_000n],
    ['1µs', 1_000n],
    ['1μs', 1_000n],
    ['0.5ns', 0n],
    [`${'0'.repeat(30)}1ns`, 1n],
    [`0.${'3'.repeat(200_000)}s`, 333_333_333n],
    ['9223372036854775807ns', 2n ** 63n - 1n],
    ['-9223372036854775808ns', -(2n ** 63n)],
  ])('reads %.40s', (text, nanoseconds) => {
    expect(parseGoDuration(text)).toEqual({ nanoseconds });
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['.', 'time: invalid duration "."'],
    ['.s', 'time: invalid duration ".s"'],
    ['s', 'time: invalid duration "s"'],
    ['--1s', 'time: invalid duration "--1s"'],
    ['1', 'time: missing unit in duration "1"'],
    ['1s1', 'time: missing unit in duration "1s1"'],
    ['1.5.5s', 'time: missing unit in duration "1.5.5s"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1s ', 'time: unknown unit "s " in duration "1s "'],
    ['9999999999h', 'time: invalid duration "9999999999h"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['99999999999999999999ns', 'time: invalid duration "99999999999999999999ns"'],
  ])('rejects %j', (text, error) => {
    expect(parseGoDuration(text)).toEqual({ error });
  });

  it('needs little time for long texts', () => {
    for (const text of ['1'.repeat(1_000_000), '1s'.repeat(300_000), `${'.'.repeat(1_000_000)}s`]) {
      const started = process.cpuUsage();
      parseGoDuration(text);
      expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
    }
  });
});
