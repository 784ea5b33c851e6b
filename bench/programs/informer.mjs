// An informer of the kind that the peers' operators watch: says when it has synced, what that cost, and what is left after
// a collection. Run with --expose-gc. Further arguments: --updates SECONDS stays, and measures each update's way.
import { readFileSync } from 'node:fs';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { apiResource, KubernetesObject } from '@evenkeel/core';
import { Cache } from '@evenkeel/runtime/cache';

class Bench extends KubernetesObject {
  static [apiResource] = {
    group: 'bench.example.com',
    version: 'v1',
    kind: 'Bench',
    plural: 'benches',
    namespaced: true,
  };
}

const connection = await loadConnection({ kubeconfig: process.env['KUBECONFIG'] });
const cache = new Cache({ client: createClient(httpsTransport(connection)) });
const informer = cache.informer(Bench);
const stop = new AbortController();
cache.start(stop.signal);
await cache.waitForSync();
emit('synced');
globalThis.gc();
globalThis.gc();
emit('settled', { heapMiB: process.memoryUsage().heapUsed / 1048576 });
stop.abort();
await cache.stopped();
process.exit(0);

function emit(event, extra = {}) {
  const status = readFileSync('/proc/self/status', 'utf8');
  const mib = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024;
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000;
  const figures = { ms: performance.now(), cpuMs, rssMiB: mib('VmRSS'), peakMiB: mib('VmHWM'), objects: informer.size };
  console.log(JSON.stringify({ event, ...figures, ...extra }));
}
