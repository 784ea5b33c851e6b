// An operator that applies a ConfigMap for each Bench. The ConfigMap contains the image of its Bench and the revision of a
// Secret that all of them share, so a change of the Secret triggers one run of each Bench. Arguments: kubeconfig, workers and
// the number of Benches. It runs until it is killed, and prints events with the processor time used and the requests sent so
// far: `synced` before the first run, `triggered` when a change of the Secret arrives (for its old and its new state), `ran`
// when each Bench has had a run since then, and `applied` whenever each Bench has had one more write.
import { httpsTransport, loadConnection } from '@evenkeel/client';
import { ConfigMap, Controller, createManager, ListerOf, ObjectKey, Owns, Reconcile, Secret, Watches } from 'evenkeel';
import { Bench } from './bench-kind.mjs';

const [kubeconfig, workers, count] = process.argv.slice(2);
const objects = Number(count);

let requests = 0;
let writes = 0;
let isSynced = false;
const ran = new Set();

class BenchController {
  constructor(benches, secrets) {
    this.benches = benches;
    this.secrets = secrets;
  }

  async reconcile({ metadata: { name, namespace }, spec }, context) {
    if (!isSynced) emit('synced');
    isSynced = true;
    const { revision } = this.secrets.get('default/bench-shared').data;
    await context.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, labels: { app: 'bench' } },
      data: { image: spec.image, revision },
    });
  }

  onSecret() {
    const keys = this.benches.list().map(ObjectKey.of);
    ran.clear();
    emit('triggered');
    return keys;
  }
}
annotate(Reconcile({ maxConcurrent: Number(workers) }), 'reconcile');
annotate(Watches(Secret, { fields: { 'metadata.name': 'bench-shared' } }), 'onSecret');
// The compiler would record the types of the parameters, but this program is not compiled.
Reflect.defineMetadata('design:paramtypes', [Object, Object], BenchController);
ListerOf(Bench)(BenchController, undefined, 0);
ListerOf(Secret)(BenchController, undefined, 1);
Owns(ConfigMap)(BenchController);
Controller(Bench)(BenchController);

const wire = httpsTransport(await loadConnection({ kubeconfig }));
const manager = await createManager({
  transport: {
    request: (request) => {
      requests++;
      return wire.request(request);
    },
    close: () => wire.close(),
  },
  controllers: [BenchController],
  observer: (run) => {
    writes += run.writes.length;
    if (run.writes.length > 0 && writes % objects === 0) emit('applied');
    const before = ran.size;
    ran.add(String(run.key));
    if (before < objects && ran.size === objects) emit('ran');
  },
});
await manager.start();

function annotate(decorator, method) {
  const { prototype } = BenchController;
  decorator(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}

function emit(event) {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ event, ms: performance.now(), cpuMs: (user + system) / 1000, requests }));
}
