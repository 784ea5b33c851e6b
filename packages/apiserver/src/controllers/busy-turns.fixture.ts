import { PerformanceObserver, performance } from 'node:perf_hooks';

/** Turns of the event loop that kept the thread busy for a shorter time are not recorded. */
const keptMs = 50;

interface Turn {
  readonly startMs: number;
  readonly endMs: number;
  readonly busyMs: number;
}

/**
 * Waits until `isOver`, and returns the CPU time of the longest turn of the event loop, in ms. Garbage collections are not
 * included, so that neither a busy machine nor a full heap affects the result.
 */
export async function longestTurnMs(isOver: () => boolean, turnsMax = Number.POSITIVE_INFINITY): Promise<number> {
  const collections: { readonly startTime: number; readonly duration: number }[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const turns: Turn[] = [];
  let longestMs = 0;
  for (let count = 0; !isOver(); count++) {
    if (count === turnsMax) throw new Error(`not over after ${turnsMax} turns of the event loop`);
    const startMs = performance.now();
    const started = process.threadCpuUsage();
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(started);
    const busyMs = (user + system) / 1000;
    if (busyMs < keptMs) longestMs = Math.max(longestMs, busyMs);
    else turns.push({ startMs, endMs: performance.now(), busyMs });
  }
  // Collections are reported a turn later.
  await new Promise((resolve) => setImmediate(resolve));
  collections.push(...observer.takeRecords());
  observer.disconnect();
  for (const { startMs, endMs, busyMs } of turns) {
    const collectingMs = collections
      .filter(({ startTime }) => startTime >= startMs && startTime < endMs)
      .reduce((sum, { duration }) => sum + duration, 0);
    longestMs = Math.max(longestMs, busyMs - collectingMs);
  }
  return longestMs;
}
