import { ManualClock } from '@evenkeel/core';
import { KeyedSync } from './keyed-sync.ts';

describe('KeyedSync', () => {
  it('runs a key once more when it is added while it runs, and never twice at once', async () => {
    const clock = new ManualClock();
    let running = 0;
    let most = 0;
    let runs = 0;
    const sync: KeyedSync = new KeyedSync(clock, async () => {
      running++;
      most = Math.max(most, running);
      runs++;
      if (runs === 1) for (let times = 0; times < 3; times++) sync.add('a');
      await clock.sleep(10);
      running--;
    });
    sync.add('a');
    await clock.advance(100);
    expect(runs).toBe(2);
    expect(most).toBe(1);
  });

  it('tries a failed key again, later each time', async () => {
    const clock = new ManualClock();
    const at: number[] = [];
    const sync = new KeyedSync(clock, async () => {
      at.push(clock.monotonic());
      if (at.length < 4) throw new Error('conflict');
    });
    sync.add('a');
    await clock.advance(1000);
    expect(at).toEqual([0, 5, 15, 35]);
  });

  it('does nothing after it was stopped', async () => {
    const clock = new ManualClock();
    let runs = 0;
    const sync = new KeyedSync(clock, async () => {
      runs++;
    });
    sync.addAfter('a', 10);
    sync.stop();
    sync.add('b');
    await clock.advance(100);
    expect(runs).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
