import { hasRealServer } from '../test/real-server.fixture.ts';
import { withBenchServer } from './bench-server.ts';
import { type Benchmark, type Figure, medianFigure } from './benchmark.ts';
import { figuresOf, type MeasuredColumn, runInTurn } from './compared-runs.ts';
import { report } from './run-program.ts';
import { measureThroughApiServer } from './webhook-api-server.ts';
import { type DrivenRequest, drive, type WebhookLoad } from './webhook-driver.ts';
import { idleMiB, type WebhookServer, withWebhookServers } from './webhook-servers.ts';

const loads: Readonly<Record<'small' | 'full', WebhookLoad>> = {
  small: { rounds: 1, calls: 32, inFlight: 16, objects: 20, conversions: 2 },
  full: { rounds: 5, calls: 4000, inFlight: 16, objects: 1000, conversions: 8 },
};

export const webhook: Benchmark = {
  name: 'webhook',
  goal: 'validating calls and conversions of 2 KB objects through an API server, beside controller-runtime; the same reviews without an API server; the memory of the server',
  nonGoals: 'code of the user, mutating webhooks, machines with many cores',
  run: async (size) => {
    const load = loads[size];
    const isReal = size === 'full' && hasRealServer();
    return await withWebhookServers(size === 'full' ? 'with-go' : 'alone', async (servers) => [
      ...(await withBenchServer(
        isReal ? 'real' : 'embedded',
        (kubeconfig) => measureThroughApiServer(servers, kubeconfig, load),
        'webhook.crd.yaml',
        // The cache of a version holds converted objects, so that only the first list would call the webhook.
        ['--watch-cache=false'],
      )),
      ...(await reviews(servers, load)),
      inProcess(load),
      ...(await memory(load)),
    ]);
  },
};

const reviewColumns: readonly MeasuredColumn[] = [
  { name: 'p50Ms', measure: 'p50', unit: 'ms' },
  { name: 'p99Ms', measure: 'p99', unit: 'ms' },
  { name: 'cpuUs', measure: 'processor time of the webhook', unit: 'us' },
];

/** Reviews that the driver sends to the webhook servers. */
async function reviews(servers: readonly WebhookServer[], load: WebhookLoad): Promise<Figure[]> {
  const { rounds, calls, inFlight, objects, conversions } = load;
  const measured = async (sent: DrivenRequest) =>
    await runInTurn(
      servers.map((server) => ({ name: server.name, run: async () => drive(server, sent, server) })),
      rounds,
    );
  const validated = await measured({ request: 'admission', calls, inFlight });
  const converted = await measured({ request: 'conversion', objects, calls: conversions, inFlight: 1 });
  return [
    ...figuresOf('review over HTTPS', validated, reviewColumns),
    ...figuresOf(`review of ${objects} conversions over HTTPS`, converted, reviewColumns.slice(0, 1)),
  ];
}

function inProcess({ calls }: WebhookLoad): Figure {
  const { us = Number.NaN } = report(['bench/programs/webhook.mjs', String(calls)]);
  return { measure: 'review in process', value: us, unit: 'us', bar: 100 };
}

/** The memory of a manager with a webhook server, and without one. */
async function memory({ rounds }: WebhookLoad): Promise<Figure[]> {
  const without: number[] = [];
  const more: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await idleMiB(false);
    without.push(before);
    more.push((await idleMiB(true)) - before);
  }
  return [
    medianFigure('memory of an idle manager', without, 'MiB'),
    medianFigure('  more with a webhook server', more, 'MiB', 12),
  ];
}
