import { randomBytes } from 'node:crypto';
import type { Client } from '@evenkeel/client';
import {
  type Clock,
  EvenkeelError,
  type HostedWebhooks,
  type WebhookAnswer,
  type WebhookCall,
  type WebhookConfiguration,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { installDefinition, removeDefinition } from '../install-definition.ts';
import { convertBy, setConversion } from './hosted-definition.ts';
import { addPolicies } from './hosted-policies.ts';
import { register } from './registered-object.ts';
import { type SessionMark, sessionMark } from './session-mark.ts';
import { untilRejected } from './until-rejected.ts';
import type { OpenDoor, WebhookDoor } from './webhook-door.ts';
import {
  admissionProbe,
  conversionProbe,
  probeAnswers,
  probeLabel,
  probeMessage,
  probeNamespace,
} from './webhook-probe.ts';

export interface WebhookRegistrationOptions {
  /** With administrator permissions. */
  readonly client: Client;
  readonly door: WebhookDoor;
  readonly clock: Clock;
  /** Ends a registration that has only begun. */
  readonly signal: AbortSignal;
}

/** How long it may take until the API server uses a change. It is usually a few milliseconds. */
const effectiveWithinMs = 15_000;
const pollMs = 20;

const conversionPath = '/convert';

/** The webhooks of one operator in the API server. Several managers may share them, and the first gets the calls. */
export class WebhookRegistration {
  readonly #options: WebhookRegistrationOptions;
  readonly #webhooks: HostedWebhooks;
  readonly #managers: HostedWebhooks[] = [];
  readonly #session = randomBytes(3).toString('hex');
  readonly #undo: (() => Promise<unknown>)[] = [];
  /** Resolves when the API server calls the webhooks. If a step fails, rejects after everything before it has been undone. */
  readonly ready: Promise<void>;
  #ended: Promise<void> | undefined;

  constructor(options: WebhookRegistrationOptions, webhooks: HostedWebhooks) {
    this.#options = options;
    this.#webhooks = webhooks;
    this.ready = this.#begin();
    this.ready.catch(() => undefined);
  }

  add(manager: HostedWebhooks): void {
    this.#managers.push(manager);
  }

  /** Returns whether it was the last one. Calls that are in progress continue. */
  remove(manager: HostedWebhooks): boolean {
    if (this.#managers.length > 1) this.#managers.splice(this.#managers.indexOf(manager), 1);
    else return true;
    return false;
  }

  /** Removes everything, and resolves when the API server uses the original conversions. May be called again. */
  end(): Promise<void> {
    this.#ended ??= this.ready.then(
      () => this.#end(),
      () => undefined,
    );
    return this.#ended;
  }

  async #end(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#undo.splice(0).reverse()) await step().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  async #begin(): Promise<void> {
    const { client, clock, door, signal } = this.#options;
    const { configurations, policies, conversions } = this.#webhooks;
    const session = this.#session;
    try {
      const open = await door.open([...pathsOf(this.#webhooks), ...probeAnswers.keys()], (call) => this.#handle(call));
      this.#undo.push(() => open.close());
      const mark = sessionMark(session, open);
      // An API server that cannot call this process can still evaluate policies.
      await addPolicies(policies, { client, clock, signal, session, mark }, this.#undo);
      const hosted = configurations((path) => open.clientConfigOf(path));
      for (const configuration of hosted) {
        // The API server calls mutating webhooks in the order of these names.
        const name = `evenkeel-${configuration.metadata.name}-${session}`;
        await register(client, { ...configuration, metadata: { name } }, mark, this.#undo);
      }
      for (const { kind } of hosted) await this.#untilConfigured(kind, open, mark);
      if (conversions.length > 0) await this.#convert(open, mark);
    } catch (error) {
      await this.#end().catch(() => undefined);
      throw error;
    }
  }

  async #handle(call: WebhookCall): Promise<WebhookAnswer> {
    return probeAnswers.get(call.path)?.(call) ?? (this.#managers[0] ?? this.#webhooks).handle(call);
  }

  /**
   * Waits until the API server uses the configurations of a kind. It creates one more, which rejects a certain ConfigMap, and tries
   * to create that one: the API server learns of configurations in the order of their creation.
   */
  async #untilConfigured(kind: WebhookConfiguration['kind'], open: OpenDoor, mark: SessionMark): Promise<void> {
    const { client } = this.#options;
    const name = `evenkeel-probe-${this.#session}`;
    const undo: (() => Promise<unknown>)[] = [];
    await register(client, admissionProbe(kind, name, open), mark, undo);
    try {
      const metadata = { name, namespace: probeNamespace, labels: { [probeLabel]: name } };
      await this.#untilCalled(open, () => client.create(ConfigMap, { metadata }, { dryRun: true }));
    } finally {
      for (const step of undo) await step();
    }
  }

  /**
   * Makes the API server call `/convert`, and waits until it does. It learns of changed CRDs in the order of the changes, so the CRD
   * of a probe is changed last, at the end too. The kinds themselves cannot be probed: they may have no objects, and a new object may
   * be invalid.
   */
  async #convert(open: OpenDoor, mark: SessionMark): Promise<void> {
    const { client } = this.#options;
    const { definition, conversion, resource } = conversionProbe(`evenkeel-${this.#session}`, open);
    const probe = await installDefinition(client, withMark(definition, mark));
    const isConverted = () => client.create(resource, { metadata: { name: 'probe' } }, { dryRun: true });
    const restores: (() => Promise<void>)[] = [];
    this.#undo.push(async () => {
      try {
        await Promise.all(restores.map((restore) => restore()));
        await setConversion(client, probe.name, { strategy: 'None' });
        await this.#untilAccepted(isConverted);
      } finally {
        await removeDefinition(client, probe);
      }
    });
    const webhook = { clientConfig: open.clientConfigOf(conversionPath), conversionReviewVersions: ['v1'] };
    for (const kind of this.#webhooks.conversions) restores.push(await convertBy(client, kind, webhook, mark));
    await setConversion(client, probe.name, conversion);
    await this.#untilCalled(open, isConverted);
  }

  /** Repeats a request until the API server accepts it. Gives up after a time, because the process must end. */
  async #untilAccepted(request: () => Promise<unknown>): Promise<void> {
    const { clock } = this.#options;
    const deadlineMs = clock.monotonic() + effectiveWithinMs;
    const isAccepted = (): Promise<boolean> =>
      request().then(
        () => true,
        () => false,
      );
    while (!(await isAccepted()) && clock.monotonic() < deadlineMs) await clock.sleep(pollMs);
  }

  /** Repeats a request that the API server rejects with {@link probeMessage} as soon as it calls the probe. */
  async #untilCalled(open: OpenDoor, request: () => Promise<unknown>): Promise<void> {
    const { clock, signal } = this.#options;
    await untilRejected(request, {
      ...{ message: probeMessage, withinMs: effectiveWithinMs, clock, signal },
      failureOf: (result = notUsed, isLate) =>
        isLate || callFailures.some((failure) => result.includes(failure)) ? notReachable(result, open) : undefined,
    });
  }
}

const notUsed = `the API server did not use the webhook configurations within ${effectiveWithinMs / 1000} s`;

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

function withMark<T extends { readonly metadata: object }>(object: T, mark: SessionMark): T {
  return { ...object, metadata: { ...object.metadata, ...mark } };
}
