import type { Client } from '@evenkeel/client';
import { EvenkeelError } from '@evenkeel/core';
import { EndpointSlice } from '@evenkeel/kinds/discovery/v1';
import type { ClusterObjects } from '../cluster/cluster-objects.ts';
import { isDefinition, isWebhookConfiguration, referenceOf, shownName } from '../cluster/object-name.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';
import type { WaitOptions } from './wait-options.ts';

const pollMs = 500;

/** The parts of webhook configurations and CRDs with the addresses that the API server calls. */
export interface CallingObject {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig: ClientConfig }[];
  readonly spec?: { readonly conversion?: { readonly webhook?: { readonly clientConfig?: ClientConfig } } };
}

export interface ClientConfig {
  readonly service?: { readonly namespace: string; readonly name: string };
  readonly url?: string;
  /** PEM in base64. */
  readonly caBundle?: string;
}

/** Returns the addresses of an object that the API server calls, with the names of webhooks. */
export function clientConfigsOf({ webhooks = [], spec }: CallingObject): readonly (readonly [string, ClientConfig])[] {
  const conversion = spec?.conversion?.webhook?.clientConfig;
  return [
    ...webhooks.map(({ name, clientConfig }) => [name, clientConfig] as const),
    ...(conversion === undefined ? [] : [['conversion', conversion] as const]),
  ];
}

/** Whether the API server calls the operator because of an object. */
export function isCaller(object: ManifestObject): boolean {
  return (
    (isWebhookConfiguration(object) || isDefinition(object)) && clientConfigsOf(object as CallingObject).length > 0
  );
}

/**
 * Returns why the API server cannot call the webhooks of these objects: their Service has no ready endpoint, or the certificate authority
 * is missing. Empty if it can call them.
 */
export async function webhookProblems(
  cluster: ClusterObjects,
  objects: readonly ManifestObject[],
  signal: AbortSignal,
): Promise<string[]> {
  const problems: string[] = [];
  const services = new Map<string, { readonly namespace: string; readonly name: string }>();
  for (const reference of objects.filter(isCaller).map(referenceOf)) {
    const live = await cluster.get(reference, signal);
    if (live === undefined) {
      problems.push(`${shownName(reference)} does not exist`);
      continue;
    }
    for (const [name, { service, caBundle = '' }] of clientConfigsOf(live as CallingObject)) {
      if (service === undefined) continue;
      services.set(`${service.namespace}/${service.name}`, service);
      if (caBundle === '') problems.push(`${shownName(reference)}: ${name} has no caBundle yet`);
    }
  }
  for (const service of services.values()) {
    if (!(await hasReadyEndpoint(cluster.client, service, signal))) {
      problems.push(`service/${service.name} in ${service.namespace} has no ready endpoint`);
    }
  }
  return problems;
}

async function hasReadyEndpoint(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<boolean> {
  const labels = { 'kubernetes.io/service-name': name };
  const { items } = await client.list(EndpointSlice, { namespace, labels, signal });
  return items.some(({ endpoints }) => (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false));
}

/** Waits until the API server can call the webhooks of these objects. Throws `not-rolled-out`. */
export async function waitForWebhooks(
  cluster: ClusterObjects,
  objects: readonly ManifestObject[],
  { clock, deadlineMs, signal, progress }: WaitOptions,
): Promise<void> {
  let reported: string | undefined;
  for (;;) {
    const problems = await webhookProblems(cluster, objects, signal);
    const [first] = problems;
    if (first === undefined) return;
    if (clock.monotonic() >= deadlineMs) {
      throw new EvenkeelError(
        'not-rolled-out',
        `the API server cannot call the webhooks; check the log of the operator, and that of cert-manager if it issues the certificates\n${problems.map((line) => `    ${line}`).join('\n')}`,
      );
    }
    if (first !== reported) progress(`waiting for the webhooks: ${first}`);
    reported = first;
    await clock.sleep(pollMs, signal);
  }
}
