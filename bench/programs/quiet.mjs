// An operator with a child and a status for each Bench. It runs until all have been reconciled and nothing has been
// written for a while, and prints the number of writing requests. A second run starts with the objects of the first.
// Arguments: kubeconfig and the number of objects.
import { httpsTransport, loadConnection } from '@evenkeel/client';
import { ConfigMap, Controller, createManager, Owns, Reconcile } from 'evenkeel';
import { Bench } from './bench-kind.mjs';

const [kubeconfig, objects] = process.argv.slice(2);
const quietMs = Math.min(2000, 5 * Number(objects));

class BenchController {
  async reconcile({ metadata: { name, namespace }, spec, status }, context) {
    const metadata = { name, namespace };
    await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { image: spec.image } });
    status.readyReplicas = spec.replicas;
  }
}
Reconcile({ maxConcurrent: 16 })(
  BenchController.prototype,
  'reconcile',
  Object.getOwnPropertyDescriptor(BenchController.prototype, 'reconcile'),
);
Owns(ConfigMap)(BenchController);
Controller(Bench)(BenchController);

const wire = httpsTransport(await loadConnection({ kubeconfig }));
let writes = 0;
let lastMs = Number.POSITIVE_INFINITY;
const transport = {
  request: (request) => {
    if (request.method !== 'GET') writes++;
    return wire.request(request);
  },
  close: () => wire.close(),
};
const reconciled = new Set();
const manager = await createManager({
  transport,
  controllers: [BenchController],
  observer: ({ key, writes: written }) => {
    reconciled.add(String(key));
    if (reconciled.size <= Number(objects) || written.length > 0) lastMs = performance.now();
  },
});
await manager.start();
const started = performance.now();
while (reconciled.size < Number(objects) || performance.now() - lastMs < quietMs) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const ms = lastMs - started;
await manager.stop();
console.log(JSON.stringify({ ms, writes }));
process.exit(0);
