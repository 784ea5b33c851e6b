// `lead KUBECONFIG OBJECTS`: a leader that reconciles the benchmarks' kind, from its start until it has seen all objects and
// a while more. `watch KUBECONFIG SECONDS`: how late its renewals come to the server meanwhile, by the times of their
// arrival at a watch; the first renewal begins the measurement, and two more are waited for.
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { Controller, Lease, Manager, Reconcile, SilentLogger } from 'evenkeel';
import { Bench } from './bench-kind.mjs';

const [what, kubeconfig, count] = process.argv.slice(2);
const retryPeriodMs = 500;
if (what === 'lead') await lead();
else await watch();

async function lead() {
  class BenchController {
    reconcile() {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(BenchController.prototype, 'reconcile');
  Reconcile()(BenchController.prototype, 'reconcile', descriptor);
  Controller(Bench)(BenchController);
  let reconciled = 0;
  await Manager.run({
    controllers: [BenchController],
    kubeconfig,
    arguments: [],
    logger: new SilentLogger(),
    leaderElection: { name: 'renewals', namespace: 'default', retryPeriod: retryPeriodMs },
    observer: () => {
      if (++reconciled !== Number(count)) return;
      const ms = performance.now();
      setTimeout(
        () => {
          console.log(JSON.stringify({ ms }));
          process.exit(0);
        },
        Math.max(1500, Math.min(3000, Number(count))),
      );
    },
  });
}

async function watch() {
  const client = createClient(httpsTransport(await loadConnection({ kubeconfig })));
  const measured = new AbortController();
  const { signal } = measured;
  const arrivals = [];
  let isTimeOver = false;
  const endWhenMeasured = () => {
    if (isTimeOver && arrivals.length > 2) measured.abort();
  };
  try {
    for (;;) {
      for await (const { type } of client.watch(Lease, { namespace: 'default', signal })) {
        if (type !== 'ADDED' && type !== 'MODIFIED') continue;
        arrivals.push(performance.now());
        if (arrivals.length === 1) {
          setTimeout(() => {
            isTimeOver = true;
            endWhenMeasured();
          }, Number(count) * 1000);
        }
        endWhenMeasured();
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const lateMs = arrivals.slice(1).map((ms, at) => ms - arrivals[at] - retryPeriodMs);
  console.log(JSON.stringify({ renewals: lateMs.length, latestMs: Math.max(...lateMs) }));
  process.exit(0);
}
