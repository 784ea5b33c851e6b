import { type Client, createClient } from '@evenkeel/client';
import { type Clock, messageOf, ObjectKey, SilentLogger, type Transport } from '@evenkeel/core';
import { type CertificateTimingOptions, certificateTiming } from '@evenkeel/core/certificates';
import { ConfigMap, Namespace, Service } from '@evenkeel/kinds';
import { ValidatingWebhookConfiguration } from '@evenkeel/kinds/admissionregistration/v1';
import { EndpointSlice } from '@evenkeel/kinds/discovery/v1';
import { HttpServer } from '../../http/http-server.ts';
import { BuiltInCertificate } from './built-in-certificate.ts';

/** `npm run rotation` sets it. The tests of every change are smaller. */
export const givenRotations = process.env['EVENKEEL_ROTATIONS'];

/** Each call has a connection of its own. A machine that runs all tests has no time for more. */
export const callsPerSecond = givenRotations === undefined ? 50 : 200;
/** More calls in progress mean that the machine is too slow for the rate. */
const mostInProgress = 32;
const service = { namespace: 'shop', name: 'hook' } as const;

export interface RotationOptions {
  readonly transport: () => Transport;
  readonly clock: Clock;
  /** The address at which the API server reaches this process. */
  readonly address: string;
  /** Waits until the next call is due. */
  readonly tick: (ms: number) => Promise<void>;
  readonly timing: CertificateTimingOptions;
  readonly rotations: number;
}

export interface RotationReport {
  readonly calls: number;
  readonly perSecond: number;
  /** The processor time of this process, which sends the calls and answers them. */
  readonly cpuMsPerCall: number;
  readonly failures: readonly string[];
  /** The certificate authorities that signed, one after another. */
  readonly authorities: number;
  /** The calls that each replica got. */
  readonly perReplica: readonly number[];
}

/**
 * Runs two replicas of a webhook server behind a Service, and creates an object for each call, until the authority has been replaced
 * `rotations` times. Each call has its own connection, so that each verifies the certificate.
 */
export async function rotateUnderLoad(options: RotationOptions): Promise<RotationReport> {
  const { transport, clock, address, tick, rotations } = options;
  const client = createClient(transport(), { fieldManager: 'test' });
  const replicas = await Promise.all([1, 2].map(() => startReplica(options)));
  try {
    await install(
      client,
      address,
      replicas.map(({ port }) => port),
    );
    const failures: string[] = [];
    const inProgress = new Set<Promise<void>>();
    let calls = 0;
    const call = async (): Promise<void> => {
      const metadata = { generateName: 'checked-', namespace: service.namespace };
      try {
        await client.create(ConfigMap, { metadata }, { dryRun: true });
      } catch (error) {
        failures.push(`${new Date(clock.now()).toISOString()} ${messageOf(error)}`);
      }
    };
    await until(tick, async () => {
      await call();
      return failures.splice(0).length === 0 && replicas.every(({ calls }) => calls() > 0);
    });
    const signers = new Set<string>();
    const startMs = clock.monotonic();
    const cpuBefore = process.cpuUsage();
    const begun = replicas.map((replica) => replica.signers.length);
    while (
      replicas.some((replica, at) => replica.signers.length - (begun[at] ?? 0) < rotations) &&
      failures.length < 20
    ) {
      calls++;
      const running = call();
      inProgress.add(running);
      void running.finally(() => inProgress.delete(running));
      if (inProgress.size >= mostInProgress) await Promise.race(inProgress);
      // Calls that are late are made up for.
      const dueMs = startMs + (calls * 1000) / callsPerSecond;
      const waitMs = dueMs - clock.monotonic();
      if (waitMs > 0) await tick(waitMs);
    }
    await Promise.all(inProgress);
    const { user, system } = process.cpuUsage(cpuBefore);
    const perSecond = Math.round((calls * 1000) / (clock.monotonic() - startMs));
    for (const replica of replicas) for (const signer of replica.signers) signers.add(signer);
    return {
      calls,
      perSecond,
      cpuMsPerCall: (user + system) / 1000 / calls,
      failures,
      authorities: signers.size,
      perReplica: replicas.map((replica) => replica.calls()),
    };
  } finally {
    for (const { stop } of replicas) await stop();
  }
}

async function startReplica({ transport, clock, address, timing }: RotationOptions) {
  const signers: string[] = [];
  let calls = 0;
  const certificate = new BuiltInCertificate({
    client: createClient(transport(), { clock }),
    name: 'hook',
    secret: new ObjectKey('hook-webhook-authority', 'default'),
    service,
    targets: [{ kind: 'ValidatingWebhookConfiguration', name: 'hook' }],
    timing: certificateTiming(timing),
    clock,
    logger: Object.assign(new SilentLogger(), {
      info: (message: string, { authority = '' }: { authority?: string } = {}) => {
        if (message === 'issued a webhook certificate' && authority !== signers.at(-1)) signers.push(authority);
      },
    }),
  });
  const server = new HttpServer({
    ...{ name: 'webhook server', flag: '--webhook-address', address: { host: address, port: 0 } },
    ...{ certificate, clock, logger: new SilentLogger(), maxBodyBytes: 1_000_000 },
    handler: ({ body }) => {
      calls++;
      const { apiVersion, kind, request } = JSON.parse(Buffer.from(body).toString()) as Review;
      const response = { uid: request.uid, allowed: true };
      return {
        status: 200,
        body: JSON.stringify({ apiVersion, kind, response }),
        contentType: 'application/json',
        headers: { connection: 'close' },
      };
    },
  });
  await certificate.start();
  await server.start(() => undefined);
  return {
    signers,
    calls: () => calls,
    port: Number(server.address?.split(':').at(-1)),
    stop: async () => {
      await server.stop(AbortSignal.abort());
      await certificate.stop();
    },
  };
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string };
}

async function install(client: Client, address: string, ports: readonly number[]): Promise<void> {
  const { namespace, name } = service;
  await client.create(Namespace, { metadata: { name: namespace } });
  await client.create(Service, { metadata: { name, namespace }, spec: { ports: [{ name: 'https', port: 443 }] } });
  for (const port of ports) {
    await client.create(EndpointSlice, {
      metadata: { name: `${name}-${port}`, namespace, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: 'https', port, protocol: 'TCP' }],
    });
  }
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: { service: { ...service, path: '/check' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

async function until(tick: (ms: number) => Promise<void>, holds: () => Promise<boolean>): Promise<void> {
  for (let left = 2000; left > 0; left--) {
    if (await holds()) return;
    await tick(20);
  }
  throw new Error('the webhooks were never called');
}
