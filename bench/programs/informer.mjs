// An informer of the kind that the peers' operators watch. It prints when it has synced, its resources until then, and
// its heap after a collection. With a number of seconds, it then continues for that time, and prints the age of the
// writes that its handler received (an annotation contains their time), and the heap at the start and at the end. Run
// with --expose-gc.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { Cache } from '@evenkeel/runtime/cache';
import { Bench } from './bench-kind.mjs';

// As Manager.run does; see docs/decisions/young-generation.md.
setFlagsFromString('--semi-space-growth-factor=1');
const [kubeconfig, seconds] = [process.argv[2], Number(process.argv[3] ?? 0)];
const cache = new Cache({ client: createClient(httpsTransport(await loadConnection({ kubeconfig }))) });
const informer = cache.informer(Bench);
const agesMs = [];
let settled = Number.POSITIVE_INFINITY;
informer.addHandler({
  updated: ({ metadata }) => {
    const written = Number(metadata.annotations?.['bench.example.com/written']);
    // Events of writes before the sync waited for the sync, so their age is not the delay of an event.
    if (written > settled) agesMs.push(performance.timeOrigin + performance.now() - written);
  },
});
const stop = new AbortController();
cache.start(stop.signal);
await cache.waitForSync();
emit('synced');
const settledMiB = collectedMiB();
emit('settled', { heapMiB: settledMiB });
if (seconds > 0) {
  settled = performance.timeOrigin + performance.now();
  do await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  while (agesMs.length === 0);
  const laterMiB = collectedMiB();
  agesMs.sort((left, right) => left - right);
  const quantile = (part) => agesMs[Math.floor((agesMs.length - 1) * part)];
  emit('stayed', {
    updates: agesMs.length,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    grownMiB: laterMiB - settledMiB,
  });
}
process.exit(0);

function collectedMiB() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1048576;
}

function emit(event, extra = {}) {
  const peakMiB = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  console.log(JSON.stringify({ event, ms: performance.now(), cpuMs, peakMiB, objects: informer.size, ...extra }));
}
