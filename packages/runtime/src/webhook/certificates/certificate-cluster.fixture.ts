import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import {
  ManualClock,
  ObjectKey,
  type Random,
  SilentLogger,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@evenkeel/core';
import { type CaBundleTargetName, type CertificateTimingOptions, certificateTiming } from '@evenkeel/core/certificates';
import { Secret } from '@evenkeel/kinds';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@evenkeel/kinds/admissionregistration/v1';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { readAuthorities } from './authority-secret.ts';
import { authorityName, BuiltInCertificate } from './built-in-certificate.ts';
import {
  acceptedSpans,
  manifestOf,
  SkewedClock,
  type Span,
  service,
  targets,
  WorldClock,
} from './certificate-world.fixture.ts';

export const secretKey = new ObjectKey('nginx-webhook-authority', 'default');
const kinds = { ValidatingWebhookConfiguration, MutatingWebhookConfiguration, CustomResourceDefinition };

export interface Replica {
  readonly id: number;
  readonly certificate: BuiltInCertificate;
  /** Undefined before its first certificate. */
  served: string | undefined;
  isPartitioned: boolean;
  /** Ends its open requests and watches. */
  cut: AbortController;
  /** It had no choice but to serve a certificate of a new authority, and API servers may lag behind until then. */
  startsUntilMs: number;
}

interface Trust {
  readonly sinceMs: number;
  untilMs: number;
  readonly caBundles: readonly string[];
}

/**
 * Replicas of one operator on an embedded API server, with the time of the test, lost messages and partitions. After every step, it
 * checks that a client accepts the certificate of each replica, also if its `caBundle` is as old as `lagMs`.
 */
export class CertificateCluster {
  readonly clock = new WorldClock(() => this.#settle());
  readonly lines: string[] = [];
  readonly client: Client;
  readonly replicas: Replica[] = [];
  readonly #server: ApiServer;
  readonly #random: Random;
  readonly #timing: CertificateTimingOptions;
  readonly #lagMs: number;
  /** The probability of a fault of each request. */
  faults = 0;
  /** Whether all certificates may have expired. */
  isBroken = false;
  /** Until then, a new replica may have no choice: the Secret was lost, and only its next authority has a key. */
  lostUntilMs = 0;
  /** The targets that somebody has changed, until they are restored. */
  readonly changed = new Set<string>();
  readonly #trusts = new Map<string, Trust[]>();
  readonly #spans = new Map<string, Map<string, readonly Span[]>>();
  #ids = 0;
  #requests = 0;
  #isWritten = true;
  checks = 0;

  static async create(random: Random, timing: CertificateTimingOptions, lagMs: number): Promise<CertificateCluster> {
    // The server's own clock stands still: its timers would fire for years.
    const server = await ApiServer.create({ controllers: false, clock: new ManualClock(), random });
    return new CertificateCluster(server, random, timing, lagMs);
  }

  private constructor(server: ApiServer, random: Random, timing: CertificateTimingOptions, lagMs: number) {
    this.#server = server;
    this.#random = random;
    this.#timing = timing;
    this.#lagMs = lagMs;
    const transport = server.transport();
    this.client = createClient({
      request: (request) => this.#sent(transport, request),
      close: () => transport.close(),
    });
  }

  async start(timing = this.#timing): Promise<Replica> {
    const id = ++this.#ids;
    const transport = this.#server.transport();
    const clock = new SkewedClock(this.clock, this.#random.integer(120_000) - 60_000);
    const replica: Replica = {
      id,
      served: undefined,
      isPartitioned: false,
      cut: new AbortController(),
      startsUntilMs: 0,
      certificate: new BuiltInCertificate({
        client: createClient(
          this.#faulty(transport, () => replica),
          { clock },
        ),
        name: 'nginx',
        secret: secretKey,
        service,
        targets,
        timing: certificateTiming(timing),
        clock,
        logger: Object.assign(new SilentLogger(), {
          info: (message: string, keys = {}) => this.log(`${id} ${message} ${JSON.stringify(keys)}`),
          warn: (message: string, { error }: { error?: unknown } = {}) => this.log(`${id} ${message} ${error}`),
        }),
      }),
    };
    replica.certificate.onChange(() => void this.#renewed(replica));
    this.replicas.push(replica);
    await replica.certificate.start();
    return replica;
  }

  async crash(replica: Replica): Promise<void> {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
    const stopped = replica.certificate.stop();
    replica.cut.abort(new Error('crashed'));
    await stopped;
  }

  partition(replica: Replica): void {
    replica.isPartitioned = true;
    replica.cut.abort(new Error('partitioned'));
    replica.cut = new AbortController();
  }

  log(line: string): void {
    this.lines.push(`${new Date(this.clock.now()).toISOString()} ${line}`);
  }

  async close(): Promise<void> {
    for (const replica of [...this.replicas]) await this.crash(replica);
    await this.#server.close();
  }

  async apply(target: CaBundleTargetName): Promise<void> {
    await this.client.apply(kinds[target.kind], manifestOf(target) as never, { fieldManager: 'kubectl', force: true });
  }

  async delete({ kind, name }: CaBundleTargetName): Promise<void> {
    await this.client.delete(kinds[kind], name);
  }

  /** Overwrites the `caBundle`s of a target as another client. */
  async overwrite({ kind, name }: CaBundleTargetName, caBundle: string): Promise<void> {
    const value = caBundle === '' ? null : caBundle;
    if (kind === 'CustomResourceDefinition') {
      const merge = { spec: { conversion: { webhook: { clientConfig: { caBundle: value } } } } };
      await this.client.patch(CustomResourceDefinition, name, { merge });
      return;
    }
    const object = await this.client.get(kinds[kind], name);
    for (const webhook of object.webhooks ?? []) {
      if (webhook.clientConfig.service !== undefined) webhook.clientConfig.caBundle = caBundle;
    }
    await this.client.update(kinds[kind] as typeof ValidatingWebhookConfiguration, object);
  }

  async bundlesOf({ kind, name }: CaBundleTargetName): Promise<string[] | undefined> {
    const object = await this.client.get(kinds[kind], name).catch(() => undefined);
    if (object === undefined) return undefined;
    if (object instanceof CustomResourceDefinition) {
      return [object.spec.conversion?.webhook?.clientConfig?.caBundle ?? ''];
    }
    const own = object.webhooks?.filter(({ clientConfig }) => clientConfig.service !== undefined) ?? [];
    return own.map(({ clientConfig }) => clientConfig.caBundle ?? '');
  }

  async authorities() {
    const { data } = await this.client.get(Secret, secretKey);
    return readAuthorities(data, authorityName('nginx'));
  }

  async #renewed(replica: Replica): Promise<void> {
    const isFirst = replica.served === undefined;
    if (isFirst && this.clock.monotonic() < this.lostUntilMs)
      replica.startsUntilMs = this.clock.monotonic() + this.#lagMs;
    replica.served = (await replica.certificate.current()).cert;
  }

  async #settle(): Promise<void> {
    for (let idle = 0; idle < 4; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#requests > 0) idle = -1;
    }
    await this.#check();
  }

  async #check(): Promise<void> {
    const nowMs = this.clock.monotonic();
    if (this.#isWritten) {
      this.#isWritten = false;
      for (const target of targets) this.#note(String(target.kind), (await this.bundlesOf(target)) ?? []);
    }
    for (const [target, trusts] of this.#trusts) {
      for (const trust of trusts) {
        const isCurrent = trust.untilMs === Number.POSITIVE_INFINITY;
        const isForgotten = nowMs - trust.untilMs >= this.#lagMs;
        if (this.isBroken || isForgotten) continue;
        for (const replica of this.replicas) {
          const { served } = replica;
          if (served === undefined || (!isCurrent && nowMs < replica.startsUntilMs)) continue;
          for (const caBundle of trust.caBundles) {
            this.checks++;
            if (this.#accepts(caBundle, served)) continue;
            const age = isCurrent ? 'current' : `${nowMs - trust.untilMs} ms old`;
            throw new Error(
              `the ${age} caBundle of ${target} does not accept replica ${replica.id}\n${this.lines.slice(-60).join('\n')}`,
            );
          }
        }
      }
    }
  }

  /** Keeps what the target has trusted within the lag, except what somebody else has written. */
  #note(target: string, caBundles: readonly string[]): void {
    const nowMs = this.clock.monotonic();
    const trusts = (this.#trusts.get(target) ?? []).filter(({ untilMs }) => nowMs - untilMs < this.#lagMs);
    for (const trust of trusts) trust.untilMs = Math.min(trust.untilMs, nowMs);
    if (this.changed.has(target)) {
      const served = this.replicas.flatMap(({ served }) => (served === undefined ? [] : [served]));
      const isRestored =
        caBundles.length > 0 && caBundles.every((one) => served.every((pem) => this.#accepts(one, pem)));
      if (isRestored && served.length > 0) this.changed.delete(target);
    }
    const isRelevant = !this.changed.has(target) && caBundles.some((one) => one !== '');
    this.#trusts.set(target, [
      ...trusts,
      ...(isRelevant ? [{ sinceMs: nowMs, untilMs: Number.POSITIVE_INFINITY, caBundles }] : []),
    ]);
  }

  #accepts(caBundle: string, served: string): boolean {
    const byServed = this.#spans.get(caBundle) ?? new Map<string, readonly Span[]>();
    this.#spans.set(caBundle, byServed);
    const spans = byServed.get(served) ?? acceptedSpans(caBundle, served);
    byServed.set(served, spans);
    const nowMs = this.clock.now();
    return spans.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs <= toMs);
  }

  #faulty(transport: Transport, replicaOf: () => Replica): Transport {
    return {
      request: async (request) => {
        const replica = replicaOf();
        if (replica.isPartitioned) throw new Error('connect ECONNREFUSED');
        const signal = AbortSignal.any([replica.cut.signal, ...(request.signal === undefined ? [] : [request.signal])]);
        const cuttable = { ...request, signal };
        if (this.#random.next() >= this.faults) return await this.#sent(transport, cuttable);
        switch (this.#random.integer(5)) {
          case 0:
            throw new Error('read ECONNRESET');
          case 1:
            await this.#sent(transport, cuttable);
            throw new Error('read ECONNRESET');
          case 2:
            await this.clock.sleep(this.#random.integer(90_000), signal);
            return await this.#sent(transport, cuttable);
          case 3: {
            const response = await this.#sent(transport, cuttable);
            await this.clock.sleep(this.#random.integer(90_000), signal);
            return response;
          }
          default:
            return refusal();
        }
      },
      close: () => transport.close(),
    };
  }

  async #sent(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
    if (request.path.includes('watch=')) return await transport.request(request);
    this.#requests++;
    try {
      if (request.method !== 'GET') this.#isWritten = true;
      return await transport.request(request);
    } finally {
      this.#requests--;
    }
  }
}

function refusal(): TransportResponse {
  return {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield Buffer.from('{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500}');
    })(),
  };
}
