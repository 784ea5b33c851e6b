import type { WebhookConfiguration } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';

/** A webhook in `spec.webhookdefinitions`. OLM makes its configuration, its Service and its certificate. */
export interface WrittenWebhook {
  readonly type: 'ValidatingAdmissionWebhook' | 'MutatingAdmissionWebhook' | 'ConversionWebhook';
  readonly generateName: string;
  readonly deploymentName: string;
  /** The port of the Service. */
  readonly containerPort: number;
  /** The port of the container. */
  readonly targetPort: number;
  readonly webhookPath: string;
  readonly admissionReviewVersions: readonly string[];
  readonly sideEffects: string;
  readonly rules?: readonly object[];
  readonly failurePolicy?: string;
  readonly conversionCRDs?: readonly string[];
}

/** The Deployment that serves webhooks. */
export interface WebhookDeployment {
  readonly deploymentName: string;
  /** The port on which its container listens. */
  readonly targetPort: number;
}

const servicePort = 443;

/**
 * Returns the webhooks and the conversion webhook of an operator.
 *
 * @param configurations those that `evenkeel generate` would write.
 * @param converted the CRDs whose objects the operator converts.
 */
export function webhookDefinitions(
  configurations: readonly WebhookConfiguration[],
  converted: readonly CustomResourceDefinition[],
  { deploymentName, targetPort }: WebhookDeployment,
): WrittenWebhook[] {
  const server = { deploymentName, containerPort: servicePort, targetPort };
  const webhooks = configurations.flatMap(({ kind, webhooks: entries }) =>
    entries.map((entry): WrittenWebhook => {
      const { name, clientConfig, rules, namespaceSelector: _, matchConditions: __, ...others } = entry;
      return {
        type: kind === 'MutatingWebhookConfiguration' ? 'MutatingAdmissionWebhook' : 'ValidatingAdmissionWebhook',
        generateName: name,
        ...server,
        webhookPath: clientConfig.service?.path ?? '/',
        rules,
        // The default of Kubernetes, written out because OLM has none.
        failurePolicy: 'Fail',
        ...others,
      };
    }),
  );
  if (converted.length === 0) return webhooks;
  return [
    ...webhooks,
    {
      type: 'ConversionWebhook',
      generateName: `convert.${deploymentName}`,
      ...server,
      webhookPath: '/convert',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      conversionCRDs: converted.map(({ metadata: { name } }) => name),
    },
  ];
}

/**
 * The options of webhooks that a ClusterServiceVersion cannot express, by the names of the webhooks.
 *
 * @param namespaces the namespaces that the operator declares. OLM selects those for which it installs the operator.
 */
export function lostOptions(
  configurations: readonly WebhookConfiguration[],
  namespaces: readonly string[] | undefined,
): { readonly webhook: string; readonly option: string }[] {
  return configurations
    .flatMap(({ webhooks }) => webhooks)
    .flatMap(({ name, matchConditions, namespaceSelector }) => [
      ...(matchConditions === undefined ? [] : [{ webhook: name, option: 'matchConditions' }]),
      ...(namespaceSelector === undefined || namespaces !== undefined
        ? []
        : [{ webhook: name, option: 'namespaceSelector' }]),
    ]);
}

/** The Service that OLM makes for the webhooks of a Deployment. Source: `pkg/controller/install/certresources.go` of OLM. */
export function webhookServiceOf(deploymentName: string): string {
  return `${deploymentName.replaceAll('.', '-')}-service`;
}
