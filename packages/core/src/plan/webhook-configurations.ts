import type { WebhookPlan } from './webhook-plan.ts';

/** How the API server reaches a webhook, as configurations state it. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64. */
  readonly caBundle?: string;
}

/** A `ValidatingWebhookConfiguration` or `MutatingWebhookConfiguration` of `admissionregistration.k8s.io/v1`, as JSON. */
export interface WebhookConfiguration {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly metadata: { readonly name: string };
  /** Mutating webhooks are called in this order. */
  readonly webhooks: readonly WebhookEntry[];
}

/** One webhook of a configuration, with the options that its class declares. The API server adds the defaults of the others. */
export interface WebhookEntry extends Omit<WebhookPlan['selection'], 'scope'> {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules: readonly {
    readonly operations: readonly string[];
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly resources: readonly string[];
    readonly scope?: string;
  }[];
  readonly sideEffects: string;
  readonly admissionReviewVersions: readonly string[];
}

/**
 * Returns the configurations of webhooks: at most one for the mutating and one for the validating ones, each with the webhooks in
 * the order of the plans.
 *
 * @param name the name of both.
 * @param clientConfigOf where the API server finds a webhook.
 */
export function webhookConfigurations(
  name: string,
  plans: readonly WebhookPlan[],
  clientConfigOf: (plan: WebhookPlan) => WebhookClientConfig,
): WebhookConfiguration[] {
  return (['mutating', 'validating'] as const).flatMap((type) => {
    const webhooks = plans.filter((plan) => plan.type === type).map((plan) => entryOf(plan, clientConfigOf(plan)));
    if (webhooks.length === 0) return [];
    const kind = type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
    return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks };
  });
}

function entryOf(plan: WebhookPlan, clientConfig: WebhookClientConfig): WebhookEntry {
  const { name, resource, subresource, operations, sideEffects, selection } = plan;
  const { scope, ...others } = selection;
  const { group, version, plural } = resource;
  return {
    name,
    clientConfig,
    rules: [
      {
        operations: operations.map((operation) => operation.toUpperCase()),
        apiGroups: [group],
        apiVersions: [version],
        resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
        ...(scope === undefined ? {} : { scope }),
      },
    ],
    ...others,
    sideEffects,
    admissionReviewVersions: ['v1'],
  };
}
