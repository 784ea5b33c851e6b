import { type Client, discoverResources } from '@evenkeel/client';
import { type Clock, type HostedWebhooks, type PolicyKind, policyKinds, type WebhookHost } from '@evenkeel/core';
import { removeAbandoned } from './remove-abandoned.ts';
import type { WebhookDoor } from './webhook-door.ts';
import { WebhookRegistration } from './webhook-registration.ts';

export interface ServingWebhookHostOptions {
  /** With administrator permissions and a field manager. */
  readonly client: Client;
  readonly door: WebhookDoor;
  readonly clock: Clock;
}

/** Registers webhooks by creating their configurations, with addresses that lead to this process, and policies. */
export class ServingWebhookHost implements WebhookHost {
  readonly #options: ServingWebhookHostOptions;
  /** By what is registered. */
  readonly #shared = new Map<string, WebhookRegistration>();
  /** Also those that have failed or ended. */
  readonly #all: WebhookRegistration[] = [];
  readonly #closing = new AbortController();

  constructor(options: ServingWebhookHostOptions) {
    this.#options = options;
  }

  async policyKinds(): Promise<readonly PolicyKind[]> {
    const version = { group: 'admissionregistration.k8s.io', version: 'v1' };
    const served = new Set((await discoverResources(this.#options.client, version)).map(({ kind }) => kind));
    return policyKinds.filter((kind) => served.has(kind));
  }

  /** Removes what killed processes have registered on the same API server; see {@link removeAbandoned}. */
  async removeAbandoned(): Promise<string[]> {
    return await removeAbandoned(this.#options.client);
  }

  async serve(webhooks: HostedWebhooks): Promise<() => Promise<void>> {
    this.#closing.signal.throwIfAborted();
    const id = JSON.stringify([
      webhooks.name,
      webhooks.configurations((path) => ({ url: path })),
      webhooks.policies,
      webhooks.conversions,
    ]);
    const registration = this.#shared.get(id) ?? this.#register(id, webhooks);
    registration.add(webhooks);
    try {
      await registration.ready;
    } catch (error) {
      this.#forget(id, registration);
      throw error;
    }
    let ended: Promise<void> | undefined;
    const leave = async (): Promise<void> => {
      if (!registration.remove(webhooks)) return;
      this.#forget(id, registration);
      await registration.end();
    };
    return () => {
      ended ??= leave();
      return ended;
    };
  }

  /**
   * Ends all registrations, even incomplete ones, and resolves when everything is removed. A manager does not wait for
   * that if it is stopped before it has started, or if its grace period is over. Rejects with the first error.
   */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the session ends'));
    await Promise.all(this.#all.map((registration) => registration.end()));
  }

  #register(id: string, webhooks: HostedWebhooks): WebhookRegistration {
    const registration = new WebhookRegistration({ ...this.#options, signal: this.#closing.signal }, webhooks);
    this.#shared.set(id, registration);
    this.#all.push(registration);
    return registration;
  }

  #forget(id: string, registration: WebhookRegistration): void {
    if (this.#shared.get(id) === registration) this.#shared.delete(id);
  }
}
