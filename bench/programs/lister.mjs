// Reads from a cache: by key, and by an index with a hundred objects for each value. Prints one line of JSON.
import { createClient } from '@evenkeel/client';
import { Cache } from '@evenkeel/runtime/cache';
import { Bench } from './bench-kind.mjs';

const count = Number(process.argv[2]);
const perValue = 100;

/** A server with the objects and without changes. */
const transport = {
  async request({ signal }) {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: watch(signal) };
  },
  async close() {},
};

async function* watch(signal) {
  for (let at = 0; at < count; at++) {
    const metadata = { name: `bench-${at}`, namespace: 'default', uid: `uid-${at}`, resourceVersion: '5' };
    const spec = { team: `team-${Math.floor(at / perValue)}`, image: 'registry.example.com/team/app:1.2.3' };
    yield line('ADDED', { metadata, spec });
  }
  yield line('BOOKMARK', { metadata: { resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } } });
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function line(type, object) {
  const whole = { apiVersion: 'bench.example.com/v1', kind: 'Bench', ...object };
  return Buffer.from(`${JSON.stringify({ type, object: whole })}\n`);
}

const cache = new Cache({ client: createClient(transport) });
const informer = cache.informer(Bench);
informer.addIndex('team', ({ spec }) => [spec.team]);
const stop = new AbortController();
cache.start(stop.signal);
await cache.waitForSync();

const reads = 1_000_000;
const keys = Array.from({ length: 1000 }, (_, at) => `default/bench-${(at * 7919) % count}`);
const { lister } = informer;
let found = 0;
const byKeyNs = timed(reads, (at) => {
  if (lister.get(keys[at % keys.length]) !== undefined) found++;
});
const byIndexUs =
  timed(20_000, (at) => {
    found += lister.byIndex('team', `team-${at % Math.ceil(count / perValue)}`).length;
  }) / 1000;
console.log(JSON.stringify({ byKeyNs, byIndexUs, found }));
stop.abort();
process.exit(0);

function timed(times, read) {
  for (let at = 0; at < times / 10; at++) read(at);
  const started = performance.now();
  for (let at = 0; at < times; at++) read(at);
  return ((performance.now() - started) * 1e6) / times;
}
