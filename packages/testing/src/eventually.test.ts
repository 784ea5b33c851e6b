import { ManualClock } from '@evenkeel/core';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('resolves to the result of the assertion when it no longer throws', async () => {
    let calls = 0;
    const value = await eventually(() => {
      calls++;
      if (calls < 4) throw new Error('not yet');
      return calls;
    });
    expect(value).toBe(4);
  });

  it('calls a passing assertion once, without a pause', async () => {
    const clock = new ManualClock();
    expect(await eventually(async () => 'there', { clock })).toBe('there');
    expect(clock.pending).toBe(0);
  });

  it('pauses twice as long each time, at most 100 ms', async () => {
    const clock = new ManualClock();
    const calledAt: number[] = [];
    const outcome = eventually(
      () => {
        calledAt.push(clock.monotonic());
        if (calledAt.length < 11) throw new Error('not yet');
      },
      { clock },
    );
    await clock.advance(5000);
    await outcome;
    expect(calledAt).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 227, 327, 427]);
  });

  it('rejects with the message and the error of the last attempt, and the stack of the call', async () => {
    const clock = new ManualClock();
    const last = new Error('expected 3 replicas, got 2');
    const outcome = eventually(
      () => {
        throw last;
      },
      { clock, timeout: '2s' },
    ).catch((error: unknown) => error);
    await clock.advance(1999);
    expect(clock.pending).toBeGreaterThan(0);
    await clock.advance(1);
    const error = (await outcome) as Error;
    expect(error.message).toMatch(/^assertion still failing after 2 s \(\d+ attempts\): expected 3 replicas, got 2$/);
    expect(error.cause).toBe(last);
    expect(error.stack).toContain(error.message);
    expect(error.stack?.split('\n')[1]).toContain('eventually.test.ts');
    expect(clock.pending).toBe(0);
  });

  describe('without a timeout option', () => {
    const variable = 'EVENKEEL_EVENTUALLY_TIMEOUT';
    const before = process.env[variable];
    afterEach(() => {
      process.env[variable] = before ?? '';
    });

    it.each([
      ['', 4],
      ['30s', 30],
    ])('with the environment variable %j it gives up after %d s', async (value, seconds) => {
      process.env[variable] = value;
      const clock = new ManualClock();
      const outcome = eventually(() => Promise.reject(new Error('no')), { clock }).catch(
        (error: Error) => error.message,
      );
      await clock.advance(seconds * 1000 - 1);
      expect(clock.pending).toBeGreaterThan(0);
      await clock.advance(1);
      expect(await outcome).toMatch(`assertion still failing after ${seconds} s (`);
    });

    it('rejects an invalid duration in the variable, and names the variable', async () => {
      process.env[variable] = '30';
      await expect(eventually(() => 'there')).rejects.toThrow(`${variable}: "30" has no unit; write 30s`);
    });
  });

  it('does not wait for a hanging assertion', async () => {
    const clock = new ManualClock();
    const outcome = eventually(() => new Promise(() => undefined), { clock, timeout: '1s' });
    const rejected = expect(outcome).rejects.toThrow(
      'assertion still failing after 1 s (1 attempt): the first attempt did not finish',
    );
    await clock.advance(1000);
    await rejected;
  });
});
