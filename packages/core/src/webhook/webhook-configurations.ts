import type { WebhookClientConfig, WebhookConfiguration, WebhookEntry } from '../contract/webhook-configuration.ts';
import { namespaceSelectorOf } from './namespace-selector.ts';
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
  const { name, operations, sideEffects, selection } = plan;
  const { scope: _, matchConditions, namespaceSelector: __, ...others } = selection;
  const namespaceSelector = namespaceSelectorOf(plan);
  return {
    name,
    clientConfig,
    rules: [requestRule(plan, operations)],
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...others,
    ...(matchConditions === undefined || hasConditionsInProcess(plan) ? {} : { matchConditions }),
    sideEffects,
    admissionReviewVersions: ['v1'],
  };
}

/**
 * Whether the match conditions of a webhook are evaluated with its rules, in the process: a policy looks for its parameters first, and
 * its conditions can read them.
 */
export function hasConditionsInProcess({
  rules,
  methods,
  schema,
}: Pick<WebhookPlan, 'rules' | 'methods' | 'schema'>): boolean {
  return rules?.params !== undefined && methods.length === 0 && !schema;
}

/** The requests of a webhook or policy. */
export function requestRule(
  { resource, subresource, selection }: Pick<WebhookPlan, 'resource' | 'subresource' | 'selection'>,
  operations: WebhookPlan['operations'],
): WebhookEntry['rules'][number] {
  const { group, version, plural } = resource;
  const { scope } = selection;
  return {
    operations: operations.map((operation) => operation.toUpperCase()),
    apiGroups: [group],
    apiVersions: [version],
    resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
    ...(scope === undefined ? {} : { scope }),
  };
}
