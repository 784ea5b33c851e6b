import { randomBytes } from 'node:crypto';
import type { Client } from '@evenkeel/client';
import {
  type Clock,
  EvenkeelError,
  type HostedConversion,
  type HostedWebhooks,
  ignoreNotFound,
  messageOf,
  StatusError,
  type WebhookAnswer,
  type WebhookCall,
  type WebhookConfiguration,
  type WebhookHost,
} from '@evenkeel/core';
import {
  ConfigMap,
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@evenkeel/kinds';
import { installDefinition, removeDefinition } from '../install-definition.ts';
import type { OpenDoor, WebhookDoor } from './webhook-door.ts';
import { admissionProbe, conversionProbe, probeAnswers, probeLabel, probeMessage } from './webhook-probe.ts';

export interface ServingWebhookHostOptions {
  /** With administrator permissions. */
  readonly client: Client;
  readonly door: WebhookDoor;
  readonly clock: Clock;
}

/** How long it may take until the API server uses a configuration. It is usually a few milliseconds. */
const effectiveWithinMs = 15_000;
const pollMs = 20;

const kinds = { ValidatingWebhookConfiguration, MutatingWebhookConfiguration } as const;
/** The namespace of the ConfigMap that is never created. It exists on every server. */
const probeNamespace = 'default';
const conversionPath = '/convert';

/** One registration, which several managers may share. */
interface Registration {
  /** The managers, the first of which gets the calls. */
  readonly managers: HostedWebhooks[];
  readonly ready: Promise<() => Promise<void>>;
}

/** Registers webhooks by creating their configurations, with addresses that lead to this process. */
export class ServingWebhookHost implements WebhookHost {
  readonly #options: ServingWebhookHostOptions;
  readonly #registrations = new Map<string, Registration>();

  constructor(options: ServingWebhookHostOptions) {
    this.#options = options;
  }

  async serve(webhooks: HostedWebhooks): Promise<() => Promise<void>> {
    const id = JSON.stringify([
      webhooks.name,
      webhooks.configurations((path) => ({ url: path })),
      webhooks.conversions,
    ]);
    const known = this.#registrations.get(id);
    const registration = known ?? this.#register(webhooks);
    if (known === undefined) this.#registrations.set(id, registration);
    else known.managers.push(webhooks);
    try {
      await registration.ready;
    } catch (error) {
      this.#registrations.delete(id);
      throw error;
    }
    let ended: Promise<void> | undefined;
    return () => {
      ended ??= this.#leave(id, registration, webhooks);
      return ended;
    };
  }

  async #leave(id: string, { managers, ready }: Registration, webhooks: HostedWebhooks): Promise<void> {
    const [only] = managers;
    if (managers.length > 1 || only !== webhooks) {
      managers.splice(managers.indexOf(webhooks), 1);
      return;
    }
    // The manager goes on handling the calls that are in progress.
    this.#registrations.delete(id);
    await (await ready)();
  }

  #register(webhooks: HostedWebhooks): Registration {
    const managers = [webhooks];
    return { managers, ready: this.#begin(webhooks, managers) };
  }

  /** Returns what ends it. If a step fails, everything before it is undone. */
  async #begin(webhooks: HostedWebhooks, managers: readonly HostedWebhooks[]): Promise<() => Promise<void>> {
    const { client, door } = this.#options;
    const undo: (() => Promise<unknown>)[] = [];
    const end = async (): Promise<void> => {
      const errors: unknown[] = [];
      for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    };
    const handle = async (call: WebhookCall): Promise<WebhookAnswer> =>
      probeAnswers.get(call.path)?.(call) ?? (managers[0] ?? webhooks).handle(call);
    try {
      const open = await door.open([...pathsOf(webhooks), ...probeAnswers.keys()], handle);
      undo.push(() => open.close());
      const suffix = randomBytes(3).toString('hex');
      const configurations = webhooks.configurations((path) => open.clientConfigOf(path));
      for (const configuration of configurations) {
        // The API server calls mutating webhooks in the order of these names.
        const name = `evenkeel-${configuration.metadata.name}-${suffix}`;
        await create(client, { ...configuration, metadata: { name } });
        undo.push(() => remove(client, configuration.kind, name));
      }
      for (const { kind } of configurations) await this.#untilEffective(kind, open, suffix);
      if (webhooks.conversions.length > 0) await this.#convert(webhooks.conversions, open, suffix, undo);
      return end;
    } catch (error) {
      await end().catch(() => undefined);
      throw error;
    }
  }

  /**
   * Waits until the API server uses the configurations of a kind. It creates one more, which rejects a certain ConfigMap, and tries
   * to create that one: the API server learns of configurations in the order of their creation.
   */
  async #untilEffective(kind: WebhookConfiguration['kind'], open: OpenDoor, suffix: string): Promise<void> {
    const { client } = this.#options;
    const name = `evenkeel-probe-${suffix}`;
    await create(client, admissionProbe(kind, name, open));
    try {
      const metadata = { name, namespace: probeNamespace, labels: { [probeLabel]: name } };
      await this.#untilCalled(open, () => client.create(ConfigMap, { metadata }, { dryRun: true }));
    } finally {
      await remove(client, kind, name);
    }
  }

  /**
   * Makes the API server call `/convert`, and waits until it does. It learns of changed CRDs in the order of the changes, so the CRD
   * of a probe is changed last. The kinds themselves cannot be probed: they may have no objects, and a new object may be invalid.
   */
  async #convert(
    conversions: readonly HostedConversion[],
    open: OpenDoor,
    suffix: string,
    undo: (() => Promise<unknown>)[],
  ): Promise<void> {
    const { client } = this.#options;
    const { definition, conversion, resource } = conversionProbe(`evenkeel-${suffix}`, open);
    const probe = await installDefinition(client, definition);
    try {
      for (const converted of conversions) undo.push(await convertBy(client, converted, open));
      await setConversion(client, probe.name, conversion);
      const metadata = { name: 'probe' };
      await this.#untilCalled(open, () => client.create(resource, { metadata }, { dryRun: true }));
    } finally {
      await removeDefinition(client, probe);
    }
  }

  /** Repeats a request that the API server rejects with {@link probeMessage} as soon as it calls the probe. */
  async #untilCalled(open: OpenDoor, request: () => Promise<unknown>): Promise<void> {
    const { clock } = this.#options;
    const deadlineMs = clock.monotonic() + effectiveWithinMs;
    for (;;) {
      const problem = await request().then(
        () => `the API server does not use the webhook configurations within ${effectiveWithinMs / 1000} s`,
        (error: unknown) =>
          error instanceof StatusError && error.message.includes(probeMessage) ? undefined : messageOf(error),
      );
      if (problem === undefined) return;
      const failed = callFailures.some((failure) => problem.includes(failure));
      if (failed || clock.monotonic() > deadlineMs) throw notReachable(problem, open);
      await clock.sleep(pollMs);
    }
  }
}

/** In the messages of the API server if it cannot call a webhook. */
const callFailures = ['failed calling webhook', 'conversion webhook for'];

function notReachable(problem: string, open: OpenDoor): EvenkeelError {
  return new EvenkeelError(
    'webhook-not-reachable',
    `the API server cannot call the webhooks of this process at ${open.clientConfigOf('/').url}: ${problem}; run them on the embedded API server, or install the operator in the cluster`,
  );
}

function pathsOf({ configurations, conversions }: HostedWebhooks): string[] {
  const paths = new Set<string>(conversions.length === 0 ? [] : [conversionPath]);
  configurations((path) => {
    paths.add(path);
    return { url: path };
  });
  return [...paths];
}

async function create(client: Client, { kind, metadata, webhooks }: WebhookConfiguration): Promise<void> {
  await client.create(kinds[kind], { metadata, webhooks } as never);
}

async function remove(client: Client, kind: WebhookConfiguration['kind'], name: string): Promise<void> {
  await ignoreNotFound(client.delete(kinds[kind], name));
}

/** Makes the definition of a kind call `/convert`. Returns what restores it. */
async function convertBy(
  client: Client,
  { group, plural }: HostedConversion,
  open: OpenDoor,
): Promise<() => Promise<unknown>> {
  const name = `${plural}.${group}`;
  const before = await ignoreNotFound(client.get(CustomResourceDefinition, name));
  if (before === undefined) {
    throw new EvenkeelError(
      'not-converged',
      `CRD ${name} does not exist, so its versions cannot be converted; install it before the operator starts`,
    );
  }
  const webhook = { clientConfig: open.clientConfigOf(conversionPath), conversionReviewVersions: ['v1'] };
  await setConversion(client, name, { strategy: 'Webhook', webhook });
  return () => ignoreNotFound(setConversion(client, name, before.spec.conversion ?? { strategy: 'None' }));
}

function setConversion(client: Client, name: string, value: unknown): Promise<unknown> {
  return client.patch(CustomResourceDefinition, name, { json: [{ op: 'add', path: '/spec/conversion', value }] });
}
