import { type Duration, durationMs, parseDuration } from './duration.ts';

describe('durationMs', () => {
  it.each([
    ['0', 0],
    ['250ms', 250],
    ['30s', 30_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['2d', 172_800_000],
    ['1m1ms', 60_001],
    ['.5s', 500],
    ['1.s', 1000],
    ['+2m', 120_000],
    ['-0', 0],
    ['1000ns', 0.001],
    ['3us4µs5μs', 0.012],
    [`${0.1 + 0.2}ms`, 0.1 + 0.2],
    [`${1 / 3e7}s`, 1000 / 3e7],
    [`${Number.MAX_SAFE_INTEGER}ms`, Number.MAX_SAFE_INTEGER],
  ])('reads %j as %d ms', (duration, ms) => {
    expect(durationMs(duration)).toBe(ms);
  });

  it.each([
    '',
    's',
    '1 s',
    ' 1s',
    '.s',
    '+',
    '1w',
    '1S',
    '1sm',
    '1e3s',
    'constructor',
    -1,
    Number.NaN,
    Infinity,
  ] as string[])('rejects %j and describes the format', (duration) => {
    expect(() => durationMs(duration)).toThrow(
      expect.objectContaining({
        code: 'invalid-duration',
        message: expect.stringMatching(
          / is not a duration; write .*a number and its unit, such as 250ms, 30s, 5m or 1h30m$/,
        ),
      }),
    );
  });

  it.each<[unknown, string]>([
    [Number.NaN, 'NaN'],
    [5n, 'a bigint'],
    [{ data: { password: 'hunter2' } }, 'an object with data'],
    ['x'.repeat(10_000), `"${'x'.repeat(64)}"`],
  ])('describes the invalid value %p briefly', (duration, description) => {
    expect(() => durationMs(duration as string)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(`^${description} is not a duration; write `)),
      }),
    );
  });

  it.each(['-1s', '-.5h'])('reports that %j is negative', (duration) => {
    expect(() => durationMs(duration)).toThrow(`"${duration}" is negative; write a duration of 0 or more`);
  });

  it.each(['30', '1.5'])('reports the missing unit of %j', (duration) => {
    expect(() => durationMs(duration)).toThrow(
      `"${duration}" has no unit; write ${duration}s for seconds, or ${duration}ms for milliseconds`,
    );
  });

  it.each([0, 60, 1.5])('rejects the number %j, which does not say its unit', (duration) => {
    expect(() => durationMs(duration as unknown as string)).toThrow(
      `${duration} has no unit; write '${duration}s' for seconds, or '${duration}ms' for milliseconds`,
    );
  });
});

describe('parseDuration', () => {
  it('returns a valid string as a duration, and rejects any other', () => {
    const parsed: Duration = parseDuration('1h30m' as string);
    expect(parsed).toBe('1h30m');
    expect(() => parseDuration('soon')).toThrow('"soon" is not a duration; write ');
  });
});
