import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { type ApiResource, messageOf, type Transport } from '@evenkeel/core';
import { CustomResourceDefinition, ValidatingWebhookConfiguration } from '@evenkeel/kinds';
import type { Figure } from './benchmark.ts';
import { type ComparedRuns, figuresOf, type MeasuredColumn, ratios, runInTurn } from './compared-runs.ts';
import { benchObject } from './programs/bench-objects.ts';
import { type DrivenRequest, drive, type WebhookLoad } from './webhook-driver.ts';
import type { WebhookServer } from './webhook-servers.ts';

const definition = 'benches.bench.example.com';
const benches = (version: 'v1' | 'v2'): ApiResource => ({
  ...{ group: 'bench.example.com', version, kind: 'Bench', plural: 'benches', namespaced: true },
});
const namespace = 'default';
const withoutWebhook = 'no webhook';

// The bars of the calls apply to the whole request, as the client sees it.
const createColumns: readonly MeasuredColumn[] = [
  { name: 'p50Ms', measure: 'p50', unit: 'ms', bar: 1 },
  { name: 'p99Ms', measure: 'p99', unit: 'ms', bar: 1.2 },
  { name: 'perSecond', measure: 'calls', unit: 'per second' },
  { name: 'callMs', measure: 'mean of a call, measured by the API server', unit: 'ms' },
  // Calls per second and core must be 0.6 of Go's.
  { name: 'cpuUs', measure: 'processor time of the webhook', unit: 'us', bar: 1 / 0.6 },
];
const listColumns: readonly MeasuredColumn[] = [
  { name: 'p50Ms', measure: 'p50', unit: 'ms', bar: 1.5 },
  { name: 'callMs', measure: 'mean of a call, measured by the API server', unit: 'ms' },
];

/** Requests to an API server that calls each webhook server in turn, and none for comparison. */
export async function measureThroughApiServer(
  servers: readonly WebhookServer[],
  kubeconfig: string,
  { rounds, calls, inFlight, objects, conversions }: WebhookLoad,
): Promise<Figure[]> {
  const transport = httpsTransport(await loadConnection({ kubeconfig }));
  const client = createClient(transport, { fieldManager: 'bench' });
  const measured = async (
    sent: DrivenRequest,
    use: (client: Client, server: WebhookServer | undefined) => Promise<() => Promise<unknown>>,
  ): Promise<ComparedRuns> =>
    await runInTurn(
      [undefined, ...servers].map((server) => ({
        name: server?.name ?? withoutWebhook,
        run: async () => {
          const end = await use(client, server);
          const before = await countedCalls(transport);
          const report = drive({ kubeconfig }, sent, server);
          const after = await countedCalls(transport);
          await end();
          const counted = after.calls - before.calls;
          return { ...report, ...(counted > 0 ? { callMs: ((after.seconds - before.seconds) * 1000) / counted } : {}) };
        },
      })),
      rounds,
    );
  try {
    const created = await measured({ request: 'create', calls, inFlight }, validateBy);
    for (let at = 0; at < objects; at++) await client.create(benches('v1'), benchObject(String(at)));
    const listed = await measured({ request: 'list', objects, calls: conversions, inFlight: 1 }, convertBy);
    return [
      ...figuresOf(`create, ${inFlight} in flight`, created, createColumns),
      ...ratios('  without a webhook / evenkeel, p50', created.get(withoutWebhook), created.get('evenkeel'), 'p50Ms'),
      ...figuresOf(`list of ${objects} in the other version`, listed, listColumns),
    ];
  } finally {
    await transport.close();
  }
}

/** Registers a validating webhook, and waits until the API server calls it. Returns what removes it. */
async function validateBy(client: Client, server: WebhookServer | undefined): Promise<() => Promise<unknown>> {
  /** The webhook rejects this object. The CRD does not. */
  const probe = (): Promise<string> =>
    client.create(benches('v1'), benchObject('probe', 1001), { dryRun: true }).then(() => 'accepted', messageOf);
  if (server === undefined) {
    await until(async () => (await probe()) === 'accepted');
    return async () => undefined;
  }
  const { name } = server;
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name },
    webhooks: [
      {
        name: 'benches.example.com',
        clientConfig: {
          url: `${server.url}/validate-bench-example-com-v1-bench`,
          caBundle: Buffer.from(server.caPem).toString('base64'),
        },
        rules: [
          { apiGroups: ['bench.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['benches'] },
        ],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  await until(async () => (await probe()).includes('1000'));
  return async () => {
    await client.delete(ValidatingWebhookConfiguration, name);
    await until(async () => (await probe()) === 'accepted');
  };
}

/** Registers a conversion webhook, and waits until the API server calls it. Returns what removes it. */
async function convertBy(client: Client, server: WebhookServer | undefined): Promise<() => Promise<unknown>> {
  const convert = async (value: object, isConverted: boolean): Promise<void> => {
    await client.patch(CustomResourceDefinition, definition, {
      json: [{ op: 'add', path: '/spec/conversion', value }],
    });
    await until(async () => {
      const { spec } = await client.get(benches('v2'), `${namespace}/bench-0`);
      return 'size' in (spec as object) === isConverted;
    });
  };
  const none = { strategy: 'None' };
  if (server === undefined) {
    await convert(none, false);
    return async () => undefined;
  }
  const clientConfig = { url: `${server.url}/convert`, caBundle: Buffer.from(server.caPem).toString('base64') };
  await convert({ strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }, true);
  return () => convert(none, false);
}

interface CountedCalls {
  readonly seconds: number;
  readonly calls: number;
}

/** The calls of webhooks that a real API server has counted. The embedded one counts nothing. */
async function countedCalls(transport: Transport): Promise<CountedCalls> {
  const { body } = await transport.request({ method: 'GET', path: '/metrics' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const total = (suffix: string): number => {
    const lines = text.matchAll(
      new RegExp(
        `^apiserver_(?:admission_webhook_admission|crd_conversion_webhook)_duration_seconds_${suffix}\\{.*\\} (\\S+)$`,
        'gm',
      ),
    );
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return { seconds: total('sum'), calls: total('count') };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadlineMs) throw new Error('the API server does not use the webhook');
    await delay(20);
  }
}
