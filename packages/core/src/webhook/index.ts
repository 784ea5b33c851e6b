// The plans of webhooks. It is a separate entry point, because an operator without webhooks must not load it at its start.

export { admissionPolicy, policyInProcess } from './admission-policy.ts';
export { namespaceSelectorOf } from './namespace-selector.ts';
export { planWebhooks, type WebhookPlans } from './plan-webhooks.ts';
export { defaultMinServerVersion, policyKindOf, policyKindsIn, servedSince } from './policy-kinds.ts';
export { hasConditionsInProcess, webhookConfigurations } from './webhook-configurations.ts';
export type {
  PlannedAdmit,
  PlannedParams,
  PlannedRules,
  PolicyPlan,
  WebhookPlan,
  WebhookSelection,
} from './webhook-plan.ts';
