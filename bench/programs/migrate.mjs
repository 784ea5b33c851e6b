// Installs a kind with two versions, creates N objects of 2 KB, changes the storage version, and migrates them without a
// limit. Prints the objects per second and the memory that the migration needs.
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import { migrateStorage } from '@evenkeel/runtime/migration';

const [kubeconfig, count] = process.argv.slice(2);
const client = createClient(httpsTransport(await loadConnection({ kubeconfig })), { fieldManager: 'bench' });
const group = 'migrate.bench.example.com';
const name = `parcels.${group}`;
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const definition = (storage) => ({
  metadata: { name },
  spec: {
    group,
    names: { kind: 'Parcel', plural: 'parcels' },
    scope: 'Namespaced',
    versions: ['v1', 'v1beta1'].map((version) => ({
      name: version,
      served: true,
      storage: version === storage,
      schema,
    })),
  },
});
const parcels = { group, version: 'v1beta1', kind: 'Parcel', plural: 'parcels', namespaced: true };

await client.apply(CustomResourceDefinition, definition('v1beta1'));
while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, 50));
const spec = { payload: 'x'.repeat(1900) };
let next = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (next < Number(count)) {
      await client.create(parcels, { metadata: { name: `parcel-${next++}`, namespace: 'default' }, spec });
    }
  }),
);
await client.apply(CustomResourceDefinition, definition('v1'));
// The migration would wait for a part of this time.
await new Promise((resolve) => setTimeout(resolve, 4000));

const before = process.memoryUsage.rss();
let peak = before;
const started = performance.now();
const { rewritten, outcome } = await migrateStorage(client, name, {
  qps: 1e6,
  observer: () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  },
});
const seconds = (performance.now() - started) / 1000;
if (outcome !== 'migrated' || rewritten !== Number(count)) throw new Error(`${outcome}: ${rewritten} of ${count}`);
console.log(JSON.stringify({ perSecond: rewritten / seconds, moreMiB: (peak - before) / 2 ** 20 }));
process.exit(0);

async function isServed() {
  return client.list(parcels, { limit: 1 }).then(
    () => true,
    () => false,
  );
}
