// Writes objects of the benchmarks' kind. `create N`: makes those that are not there, 16 in flight. `update PER_SECOND
// SECONDS N`: changes one after another of N, each with the time of its writing in an annotation.
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { isAlreadyExists } from '@evenkeel/core';
import { Bench } from './bench-kind.mjs';

const [kubeconfig, verb, ...numbers] = process.argv.slice(2);
const client = createClient(httpsTransport(await loadConnection({ kubeconfig })));
const payload = 'x'.repeat(600);
const name = (at) => `bench-${String(at).padStart(6, '0')}`;

if (verb === 'create') {
  const [count] = numbers.map(Number);
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) await create(next++);
    }),
  );
} else {
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
console.log('{}');
process.exit(0);

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
