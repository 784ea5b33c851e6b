// Writes objects of the benchmarks' kind. `create N`: creates missing ones, 16 in flight. `touch N`: changes the spec
// of each, 16 in flight. `update PER_SECOND SECONDS N`: changes N objects one after another, each with the time of the
// write in an annotation. `latency N`: changes the spec of one object at a time, waits until a watch shows the status
// of an operator for it, and prints the time. `share REVISION NOTE`: writes the Secret of apply.mjs, with a note that
// no child contains. `clear`: deletes the children that operators created.
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { isAlreadyExists } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { Bench } from './bench-kind.mjs';

const [kubeconfig, verb, ...numbers] = process.argv.slice(2);
const client = createClient(httpsTransport(await loadConnection({ kubeconfig })));
const payload = 'x'.repeat(600);
const name = (at) => `bench-${String(at).padStart(6, '0')}`;

let figures = {};
if (verb === 'create') await eachOf(Number(numbers[0]), create);
else if (verb === 'touch') await eachOf(Number(numbers[0]), touch);
else if (verb === 'latency') figures = await latency(Number(numbers[0]));
else if (verb === 'share') await share(...numbers);
else if (verb === 'clear') await client.deleteCollection(ConfigMap, { namespace: 'default', labels: { app: 'bench' } });
else {
  const [perSecond, seconds, count] = numbers.map(Number);
  const started = performance.now();
  const writes = [];
  for (let at = 0; at < perSecond * seconds; at++) {
    const dueMs = (at * 1000) / perSecond - (performance.now() - started);
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
    writes.push(update(at % count));
  }
  await Promise.all(writes);
}
console.log(JSON.stringify(figures));
process.exit(0);

async function eachOf(count, write) {
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) await write(next++);
    }),
  );
}

async function touch(at) {
  return await client.patch(Bench, `default/${name(at)}`, { merge: { spec: { image: `touched-${Date.now()}` } } });
}

async function share(revision, note) {
  const metadata = { name: 'bench-shared', namespace: 'default' };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { revision, note } };
  await client.apply(Secret, secret, { fieldManager: 'bench', force: true });
}

async function latency(count) {
  const { resourceVersion } = await client.list(Bench, { namespace: 'default', limit: 1 });
  const events = client.watch(Bench, { namespace: 'default', resourceVersion })[Symbol.asyncIterator]();
  const tookMs = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    const { metadata } = await touch(at);
    for (;;) {
      const { object } = (await events.next()).value;
      if (object.metadata.name === metadata.name && object.status?.observedGeneration === metadata.generation) break;
    }
    tookMs.push(performance.now() - started);
  }
  tookMs.sort((left, right) => left - right);
  const quantile = (part) => tookMs[Math.floor((tookMs.length - 1) * part)];
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

async function create(at) {
  const metadata = { name: name(at), namespace: 'default', labels: { app: 'bench', shard: String(at % 16) } };
  const labels = { tier: 'web', owner: `team-${at % 50}` };
  const spec = { replicas: (at % 5) + 1, image: 'registry.example.com/team/app:1.2.3', payload, labels };
  try {
    await client.create(Bench, { apiVersion: 'bench.example.com/v1', kind: 'Bench', metadata, spec });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function update(at) {
  const written = String(performance.timeOrigin + performance.now());
  const annotations = { 'bench.example.com/written': written };
  await client.patch(Bench, `default/${name(at)}`, { merge: { metadata: { annotations } } });
}
