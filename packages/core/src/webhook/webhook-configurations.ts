import type { WebhookClientConfig, WebhookConfiguration, WebhookEntry } from '../contract/webhook-configuration.ts';
import type { WebhookPlan } from './webhook-plan.ts';

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
