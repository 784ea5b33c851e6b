// The plans of webhooks. It is a separate entry point, because an operator without webhooks must not load it at its start.

export { planWebhooks, type WebhookPlans } from './plan-webhooks.ts';
export { webhookConfigurations } from './webhook-configurations.ts';
export type { PlannedAdmit, WebhookPlan, WebhookSelection } from './webhook-plan.ts';
