import { ManualClock } from '@evenkeel/core';
import { SyncTurns } from './sync-turns.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts many syncs at once, and returns how many have started after each turn. */
async function startedAfterTurns(turns: SyncTurns, count: number, turnsCount: number): Promise<number[]> {
  let started = 0;
  for (let index = 0; index < count; index++) turns.start(() => started++);
  const seen = [started];
  for (let index = 1; index < turnsCount; index++) {
    await turn();
    seen.push(started);
  }
  return seen;
}

describe('SyncTurns', () => {
  it('starts as many syncs at once as a turn allows, and the others in later turns', async () => {
    const turns = new SyncTurns(new ManualClock());
    expect(await startedAfterTurns(turns, 100, 5)).toEqual([32, 64, 96, 100, 100]);
  });

  it('starts at least one sync per turn if each uses up the whole time', async () => {
    const clock = new ManualClock();
    // A clock that advances with every reading.
    clock.monotonic = () => (readings += 100);
    let readings = 0;
    const seen = await startedAfterTurns(new SyncTurns(clock), 5, 8);
    expect(seen[0]).toBe(1);
    expect(seen.at(-1)).toBe(5);
  });

  it('delays a sync by the given number of turns', async () => {
    const turns = new SyncTurns(new ManualClock());
    let started = false;
    turns.start(() => {
      started = true;
    }, 3);
    for (let waited = 0; waited < 3; waited++) {
      expect(started).toBe(false);
      await turn();
    }
    expect(started).toBe(true);
  });

  it('delays writes beyond the limit of a turn, each once and in order', async () => {
    const turns = new SyncTurns(new ManualClock());
    const written: number[] = [];
    const write = async (index: number): Promise<void> => {
      await turns.room();
      written.push(index);
    };
    const writes = Array.from({ length: 150 }, (_, index) => write(index));
    const counts: number[] = [];
    for (let waited = 0; waited < 3; waited++) {
      await Promise.resolve();
      counts.push(written.length);
      await turn();
    }
    await Promise.all(writes);
    expect(counts).toEqual([64, 128, 150]);
    expect(written).toEqual(Array.from({ length: 150 }, (_, index) => index));
  });

  it('counts a rest each time no work is left', async () => {
    const turns = new SyncTurns(new ManualClock());
    for (let times = 1; times <= 3; times++) {
      turns.start(() => undefined);
      for (let waited = 0; waited < 5; waited++) await turn();
      expect(turns.rests).toBe(times);
    }
  });

  it('continues while a test fakes the global timers', async () => {
    const real = globalThis.setImmediate;
    const turns = new SyncTurns(new ManualClock());
    globalThis.setImmediate = (() => undefined) as unknown as typeof setImmediate;
    let started = 0;
    try {
      for (let index = 0; index < 33; index++) turns.start(() => started++);
      await new Promise((resolve) => real(resolve));
    } finally {
      globalThis.setImmediate = real;
    }
    expect(started).toBe(33);
  });
});
