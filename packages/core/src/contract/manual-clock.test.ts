import { ManualClock } from './manual-clock.ts';

describe('ManualClock', () => {
  it('makes calls in the order of their time, including calls scheduled meanwhile', async () => {
    const clock = new ManualClock();
    const calls: string[] = [];
    clock.schedule(20, () => calls.push(`b at ${clock.monotonic()}`));
    clock.schedule(10, () => {
      calls.push(`a at ${clock.monotonic()}`);
      clock.schedule(5, () => calls.push(`c at ${clock.monotonic()}`));
    });
    const cancelled = clock.schedule(1, () => calls.push('never'));
    cancelled.cancel();
    await clock.advance(15);
    expect(calls).toEqual(['a at 10', 'c at 15']);
    await clock.advance(5);
    expect(calls).toEqual(['a at 10', 'c at 15', 'b at 20']);
    expect(clock.pending).toBe(0);
  });

  it('sleeps until the time has come or the signal is aborted', async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const slept = clock.sleep(10);
    const aborted = clock.sleep(10, abort.signal);
    abort.abort(new Error('stopping'));
    await expect(aborted).rejects.toThrow('stopping');
    await clock.advance(10);
    await expect(slept).resolves.toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});
