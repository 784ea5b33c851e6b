import { ManualClock } from '@evenkeel/core';
import { TimeSlice } from './time-slice.ts';

/** Works through pieces that take `pieceMs` each; gives the longest stretch without a turn for others. */
async function longestStretch(pieces: number, pieceMs: number): Promise<{ longestMs: number; readings: number }> {
  let readings = 0;
  let nowMs = 0;
  class CountedClock extends ManualClock {
    override monotonic(): number {
      readings++;
      return nowMs;
    }
  }
  const slice = new TimeSlice(new CountedClock());
  let longestMs = 0;
  let sinceMs = 0;
  for (let piece = 0; piece < pieces; piece++) {
    nowMs += pieceMs;
    if (!slice.isOver()) continue;
    longestMs = Math.max(longestMs, nowMs - sinceMs);
    await slice.next();
    sinceMs = nowMs;
  }
  return { longestMs: Math.max(longestMs, nowMs - sinceMs), readings };
}

describe('TimeSlice', () => {
  it('blocks the event loop for little more than 10 ms, with small and with large pieces', async () => {
    for (const pieceMs of [0.01, 0.1, 0.5, 1, 3]) {
      expect((await longestStretch(5000, pieceMs)).longestMs).toBeLessThanOrEqual(10 + 2 + pieceMs);
    }
    expect((await longestStretch(20, 50)).longestMs).toBe(50);
  });

  it('reads the clock much less often than once for each small piece', async () => {
    expect((await longestStretch(10_000, 0.01)).readings).toBeLessThan(1000);
  });
});
