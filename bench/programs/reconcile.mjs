// The same operator as the peers': if the observed generation of a Bench is not the current one, it writes the status.
// Arguments: kubeconfig, workers, and the number of status writes after which it prints `done`. It runs until it is
// stopped.
import { readFileSync } from 'node:fs';
import { Controller, defineOperator, Manager, Reconcile, SilentLogger } from 'evenkeel';
import { Bench } from './bench-kind.mjs';

const [kubeconfig, workers, expected] = process.argv.slice(2);

class BenchController {
  reconcile(bench) {
    if (bench.status.observedGeneration === bench.metadata.generation) return;
    bench.status.observedGeneration = bench.metadata.generation;
    bench.status.readyReplicas = bench.spec.replicas;
  }
}
Reconcile({ maxConcurrent: Number(workers) })(
  BenchController.prototype,
  'reconcile',
  Object.getOwnPropertyDescriptor(BenchController.prototype, 'reconcile'),
);
Controller(Bench)(BenchController);

let writes = 0;
let isSynced = false;
await Manager.run(defineOperator({ name: 'bench', controllers: [BenchController] }), {
  kubeconfig,
  arguments: [],
  logger: new SilentLogger(),
  observer: (run) => {
    if (!isSynced) emit('synced');
    isSynced = true;
    writes += run.writes.length;
    if (run.writes.length > 0 && writes === Number(expected)) emit('done');
  },
});

function emit(event) {
  const peakMiB = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  console.log(JSON.stringify({ event, ms: performance.now(), peakMiB }));
}
