import { labelRequirementsOf } from '@evenkeel/core';
import type { MutatingWebhookConfiguration } from '@evenkeel/kinds';
import type { ObjectStore } from '../store/object-store.ts';
import type { Selectors } from './request-selection.ts';

/** A webhook of a configuration of either kind. The fields that only mutating webhooks have are optional anyway. */
export type WebhookSettings = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];

/** A configured webhook with its parsed selectors. */
export interface ConfiguredWebhook extends Selectors {
  readonly settings: WebhookSettings;
}

/** The webhooks of all configurations of one kind, in the order of the configurations' names. */
export class WebhookConfigurations {
  readonly #store: ObjectStore;
  readonly #storageKey: string;
  #webhooks: readonly ConfiguredWebhook[] | undefined;

  constructor(store: ObjectStore, plural: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations') {
    this.#store = store;
    this.#storageKey = `admissionregistration.k8s.io/${plural}`;
    store.subscribe((key) => {
      if (key === this.#storageKey) this.#webhooks = undefined;
    });
  }

  get webhooks(): readonly ConfiguredWebhook[] {
    this.#webhooks ??= this.#store
      .resource(this.#storageKey)
      .list('')
      .flatMap(({ object }) => (object['webhooks'] as readonly WebhookSettings[] | undefined) ?? [])
      .map((settings) => ({
        settings,
        namespaceSelector: labelRequirementsOf(settings.namespaceSelector ?? {}),
        objectSelector: labelRequirementsOf(settings.objectSelector ?? {}),
      }));
    return this.#webhooks;
  }
}
