import type { WebhookClientConfig } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';

/** The placeholder in a definition, which {@link withConversionWebhook} replaces by the webhook of the operator. */
const unknownWebhook: WebhookClientConfig = {
  service: { namespace: 'default', name: 'webhook-service', path: '/convert' },
};

/** `spec.conversion` of a definition whose versions an operator converts. */
export function webhookConversion(clientConfig = unknownWebhook): object {
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
}

/**
 * Returns the definition with the webhook of the operator that converts its versions, and with more annotations. Others are
 * returned as they are.
 */
export function withConversionWebhook(
  definition: CustomResourceDefinition,
  clientConfig: WebhookClientConfig,
  annotations: Readonly<Record<string, string>> = {},
): CustomResourceDefinition {
  if (definition.spec.conversion?.strategy !== 'Webhook') return definition;
  const conversion = webhookConversion(clientConfig) as NonNullable<CustomResourceDefinition['spec']['conversion']>;
  const { metadata, spec } = definition;
  const all = { ...metadata.annotations, ...annotations };
  return {
    ...definition,
    metadata: { ...metadata, ...(Object.keys(all).length === 0 ? {} : { annotations: all }) },
    spec: { ...spec, conversion },
  };
}
