// Measures the delay of the renewals of a leader's Lease while the leader syncs and reconciles the benchmarks' kind,
// and a while longer, by their arrival at a watch. The first renewal starts the measurement; two more are needed.
// Arguments: kubeconfig and the number of objects. With `lead` before them, it is that leader.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { Controller, defineOperator, Lease, Manager, Reconcile, SilentLogger } from 'evenkeel';
import { Bench } from './bench-kind.mjs';

const [kubeconfig, objects] = process.argv.slice(-2);
const retryPeriodMs = 500;
if (process.argv[2] === 'lead') await lead();
else await watch();

/** Runs until it is killed. Prints when it has reconciled all objects. */
async function lead() {
  class BenchController {
    reconcile() {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(BenchController.prototype, 'reconcile');
  Reconcile()(BenchController.prototype, 'reconcile', descriptor);
  Controller(Bench)(BenchController);
  let reconciled = 0;
  const operator = defineOperator({
    name: 'renewals',
    controllers: [BenchController],
    leaderElection: { namespace: 'default', retryPeriod: `${retryPeriodMs}ms` },
  });
  await Manager.run(operator, {
    kubeconfig,
    arguments: [],
    logger: new SilentLogger(),
    observer: () => {
      if (++reconciled === Number(objects)) console.log(JSON.stringify({ ms: performance.now() }));
    },
  });
}

async function watch() {
  const client = createClient(httpsTransport(await loadConnection({ kubeconfig })));
  const leader = spawn(process.execPath, [process.argv[1], 'lead', kubeconfig, objects], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  leader.once('exit', (code) => {
    console.error(`the leader exited with ${code}`);
    process.exit(1);
  });
  const arrivals = [];
  let ms;
  void once(createInterface({ input: leader.stdout }), 'line').then(([line]) => {
    ({ ms } = JSON.parse(line));
    setTimeout(endWhenMeasured, Math.min(3000, Number(objects)));
  });
  function endWhenMeasured() {
    if (arrivals.length < 3) {
      setTimeout(endWhenMeasured, 100);
      return;
    }
    leader.removeAllListeners('exit');
    leader.kill('SIGKILL');
    const lateMs = arrivals.slice(1).map((at, index) => at - arrivals[index] - retryPeriodMs);
    console.log(JSON.stringify({ ms, renewals: lateMs.length, latestMs: Math.max(...lateMs) }));
    process.exit(0);
  }
  for (;;) {
    for await (const { type } of client.watch(Lease, { namespace: 'default' })) {
      if (type === 'ADDED' || type === 'MODIFIED') arrivals.push(performance.now());
    }
  }
}
