import type { ApplyConfigurationOf, Client } from '@evenkeel/client';
import { ignoreNotFound, type KindClass } from '@evenkeel/core';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@evenkeel/kinds/admissionregistration/v1';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';

/** The Service of the webhook server. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
}

/** An object whose `caBundle`s an operator maintains. */
export interface CaBundleTargetName {
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration' | 'CustomResourceDefinition';
  readonly name: string;
}

/** One version of a target. */
export interface CaBundleTargetState {
  readonly resourceVersion: string;
  readonly webhooks: readonly WebhookState[];
}

export interface WebhookState {
  /** Undefined for the conversion webhook of a CRD. */
  readonly name: string | undefined;
  /** Empty if there is none. */
  readonly caBundle: string;
}

interface ClientConfig {
  readonly service?: { readonly namespace: string; readonly name: string };
  readonly caBundle?: string;
}

const kinds = { ValidatingWebhookConfiguration, MutatingWebhookConfiguration, CustomResourceDefinition } as const;

/**
 * The webhooks of one object that call the operator's Service. Webhooks with a URL or with another Service have certificates of
 * somebody else, and are not changed.
 */
export class CaBundleTarget {
  readonly #name: CaBundleTargetName;
  readonly #service: WebhookService;

  constructor(name: CaBundleTargetName, service: WebhookService) {
    this.#name = name;
    this.#service = service;
  }

  get kind(): KindClass {
    return kinds[this.#name.kind];
  }

  get name(): string {
    return this.#name.name;
  }

  toString(): string {
    return `${this.#name.kind} ${this.#name.name}`;
  }

  /** Returns undefined if the object does not exist or has no webhook of the Service. */
  async read(client: Client, signal: AbortSignal): Promise<CaBundleTargetState | undefined> {
    const object = await ignoreNotFound(client.get(kinds[this.#name.kind], this.name, { signal }));
    if (object === undefined) return undefined;
    const webhooks = this.#configsOf(object).flatMap(([name, { service, caBundle = '' } = {}]): WebhookState[] => {
      const isOwn = service?.namespace === this.#service.namespace && service.name === this.#service.name;
      return isOwn ? [{ name, caBundle }] : [];
    });
    const { resourceVersion = '' } = object.metadata;
    return webhooks.length === 0 ? undefined : { resourceVersion, webhooks };
  }

  /** Sets all `caBundle`s by server-side apply. Rejects with a conflict if the object has changed since it was read. */
  async write(
    client: Client,
    { resourceVersion, webhooks }: CaBundleTargetState,
    caBundle: string,
    options: { readonly fieldManager: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const metadata = { name: this.name, resourceVersion };
    const forced = { ...options, force: true };
    if (this.#name.kind === 'CustomResourceDefinition') {
      const spec = { conversion: { webhook: { clientConfig: { caBundle } } } };
      await client.apply(CustomResourceDefinition, { metadata, spec }, forced);
      return;
    }
    const configuration: ApplyConfigurationOf<typeof ValidatingWebhookConfiguration> = {
      metadata,
      webhooks: webhooks.map(({ name }) => ({ name, clientConfig: { caBundle } })),
    };
    if (this.#name.kind === 'ValidatingWebhookConfiguration') {
      await client.apply(ValidatingWebhookConfiguration, configuration, forced);
    } else await client.apply(MutatingWebhookConfiguration, configuration as object as MutatingApply, forced);
  }

  #configsOf(object: object): readonly (readonly [string | undefined, ClientConfig | undefined])[] {
    if (object instanceof CustomResourceDefinition) return [[undefined, object.spec.conversion?.webhook?.clientConfig]];
    const { webhooks = [] } = object as ValidatingWebhookConfiguration | MutatingWebhookConfiguration;
    return webhooks.map(({ name, clientConfig }) => [name, clientConfig]);
  }
}

type MutatingApply = ApplyConfigurationOf<typeof MutatingWebhookConfiguration>;
