import { X509Certificate } from 'node:crypto';
import { Clock, type Timer } from '@evenkeel/core';
import type { CaBundleTargetName } from '@evenkeel/core/certificates';

export const service = { namespace: 'default', name: 'nginx-webhook' } as const;
export const host = 'nginx-webhook.default.svc';

export const targets: readonly CaBundleTargetName[] = [
  { kind: 'ValidatingWebhookConfiguration', name: 'nginx' },
  { kind: 'MutatingWebhookConfiguration', name: 'nginx' },
  { kind: 'CustomResourceDefinition', name: 'widgets.example.com' },
];

/** The manifest of a target, as a user applies it: without a `caBundle`. */
export function manifestOf({ kind, name }: CaBundleTargetName): object {
  const clientConfig = { service: { ...service, path: '/webhook' } };
  if (kind === 'CustomResourceDefinition') return definition(name, clientConfig);
  const webhook = (prefix: string, to: object) => ({
    name: `${prefix}.example.com`,
    clientConfig: to,
    rules: [{ apiGroups: ['example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['nothings'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks: [
      webhook('first', clientConfig),
      webhook('elsewhere', { url: 'https://elsewhere.example.com/' }),
      webhook('second', clientConfig),
    ],
  };
}

function definition(name: string, clientConfig: object): object {
  const [plural = '', ...group] = name.split('.');
  const version = (version: string, storage: boolean) => ({
    name: version,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: group.join('.'),
      scope: 'Namespaced',
      names: { plural, singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [version('v1', true), version('v2', false)],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  };
}

/** A time, by the wall clock. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When a client that trusts a `caBundle` accepts a certificate, by the rules of Go's `crypto/x509`. */
export function acceptedSpans(caBundle: string, certificatePem: string): readonly Span[] {
  const leaf = new X509Certificate(certificatePem);
  if (leaf.checkHost(host) === undefined) return [];
  const blocks = Buffer.from(caBundle, 'base64')
    .toString('latin1')
    .split(/(?<=-----END CERTIFICATE-----\n)/);
  return blocks
    .filter((block) => block.includes('BEGIN'))
    .map((block) => new X509Certificate(block))
    .filter((authority) => authority.ca && leaf.checkIssued(authority) && leaf.verify(authority.publicKey))
    .map((authority) => ({
      fromMs: Math.max(leaf.validFromDate.getTime(), authority.validFromDate.getTime()),
      toMs: Math.min(leaf.validToDate.getTime(), authority.validToDate.getTime()),
    }));
}

/** Whether it accepts the certificate at a time. */
export function accepts(caBundle: string, certificatePem: string, nowMs: number): boolean {
  return acceptedSpans(caBundle, certificatePem).some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs <= toMs);
}

/** The time of several processes. A step waits until the requests that it has caused are answered. */
export class WorldClock extends Clock {
  #elapsedMs = 0;
  /** How far the wall clock has jumped. */
  #jumpedMs = 0;
  #order = 0;
  readonly #scheduled = new Set<{ readonly due: number; readonly order: number; readonly callback: () => void }>();
  readonly #settled: () => Promise<void>;

  /** @param settled resolves when nothing happens any more before the time advances. */
  constructor(settled: () => Promise<void>) {
    super();
    this.#settled = settled;
  }

  now(): number {
    return Date.parse('2026-01-01T00:00:00Z') + this.#elapsedMs + this.#jumpedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  schedule(delayMs: number, callback: () => void): Timer {
    const entry = { due: this.#elapsedMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#scheduled.add(entry);
    return { cancel: () => this.#scheduled.delete(entry) };
  }

  /** Changes the wall clock, as an administrator or a time server does. No timer becomes due. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  async advance(ms: number): Promise<void> {
    const target = this.#elapsedMs + ms;
    await this.#settled();
    for (let next = this.#next(target); next !== undefined; next = this.#next(target)) {
      this.#scheduled.delete(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.due);
      next.callback();
      await this.#settled();
    }
    this.#elapsedMs = target;
    await this.#settled();
  }

  #next(target: number) {
    let first: { readonly due: number; readonly order: number; readonly callback: () => void } | undefined;
    for (const entry of this.#scheduled) {
      if (entry.due > target) continue;
      if (first === undefined || entry.due < first.due || (entry.due === first.due && entry.order < first.order)) {
        first = entry;
      }
    }
    return first;
  }
}

/** The clock of one process, which is slightly off. */
export class SkewedClock extends Clock {
  readonly #clock: Clock;
  readonly #skewMs: number;

  constructor(clock: Clock, skewMs: number) {
    super();
    this.#clock = clock;
    this.#skewMs = skewMs;
  }

  now(): number {
    return this.#clock.now() + this.#skewMs;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  schedule(delayMs: number, callback: () => void): Timer {
    return this.#clock.schedule(delayMs, callback);
  }
}
