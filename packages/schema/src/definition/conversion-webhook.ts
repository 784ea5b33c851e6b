import type { CustomResourceDefinition } from '@evenkeel/kinds';

/** The Service of an operator's webhook server. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** Default: 443. */
  readonly port?: number;
}

/** A Service that a definition names until {@link withConversionService} sets the one of the operator. */
const unknownService: WebhookService = { namespace: 'default', name: 'webhook-service' };

/** `spec.conversion` of a definition whose versions an operator converts. */
export function webhookConversion(service: WebhookService = unknownService): object {
  const { namespace, name, port } = service;
  return {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { service: { namespace, name, path: '/convert', ...(port === undefined ? {} : { port }) } },
      conversionReviewVersions: ['v1'],
    },
  };
}

/** Returns the definition with the Service of the operator that converts its versions. Others are returned as they are. */
export function withConversionService(
  definition: CustomResourceDefinition,
  service: WebhookService,
): CustomResourceDefinition {
  if (definition.spec.conversion?.strategy !== 'Webhook') return definition;
  const conversion = webhookConversion(service) as NonNullable<CustomResourceDefinition['spec']['conversion']>;
  return { ...definition, spec: { ...definition.spec, conversion } };
}
