import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@evenkeel/kinds';
import { webhookErrors } from '@evenkeel/schema/evaluate';
import { jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';

type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];

/**
 * Sources: `pkg/apis/admissionregistration/v1/defaults.go`,
 * `pkg/registry/admissionregistration/validatingwebhookconfiguration/strategy.go`.
 */
export const validatingWebhookConfigurationStrategy = defineStrategy<ValidatingWebhookConfiguration>({
  default({ webhooks }) {
    for (const webhook of webhooks ?? []) defaultWebhook(webhook);
  },
  validate: ({ webhooks }) => webhookErrors(webhooks ?? []),
  validateUpdate: ({ webhooks }) => webhookErrors(webhooks ?? []),
  generation: (object, old) => !jsonEqual(object.webhooks, old.webhooks),
});

/** Source: `pkg/registry/admissionregistration/mutatingwebhookconfiguration/strategy.go`. */
export const mutatingWebhookConfigurationStrategy = defineStrategy<MutatingWebhookConfiguration>({
  default({ webhooks }) {
    for (const webhook of webhooks ?? []) {
      defaultWebhook(webhook);
      webhook.reinvocationPolicy ??= 'Never';
    }
  },
  validate: ({ webhooks }) => webhookErrors(webhooks ?? []),
  validateUpdate: ({ webhooks }) => webhookErrors(webhooks ?? []),
  generation: (object, old) => !jsonEqual(object.webhooks, old.webhooks),
});

function defaultWebhook(webhook: Webhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  for (const rule of webhook.rules ?? []) rule.scope ??= '*';
  const { service } = webhook.clientConfig;
  if (service) service.port ??= 443;
}
