import { type WebhookPlan, webhookConfigurations } from '@evenkeel/core';
import { certManagerManifests, injectionAnnotations, webhookServiceName } from '@evenkeel/core/certificates';
import type { GeneratedFile } from './generation.ts';

export interface WebhookFilesOptions {
  /** The name of the operator. */
  readonly name: string;
  /** The namespace of the operator's pods. */
  readonly namespace: string;
  readonly certificates: 'built-in' | 'cert-manager' | 'files';
  /** Whether its webhook server converts objects. */
  readonly converts: boolean;
}

/** The port that the API server uses if a configuration names none. */
const servicePort = 443;
/** The default of the setting `--webhook-address`. */
const containerPort = 9443;
/** The recommended label of Kubernetes for the name of an application. */
const nameLabel = 'app.kubernetes.io/name';

/**
 * Returns the files that make the API server call an operator's webhooks: the configurations, the Service, and cert-manager's
 * objects if it issues the certificate. Returns none if there is nothing to call.
 */
export async function webhookFiles(
  plans: readonly WebhookPlan[],
  { name, namespace, certificates, converts }: WebhookFilesOptions,
): Promise<GeneratedFile[]> {
  if (plans.length === 0 && !converts) return [];
  const { stringify } = await import('yaml');
  const service = webhookServiceName(name);
  const annotations = certificates === 'cert-manager' ? { annotations: injectionAnnotations({ name, namespace }) } : {};
  const configurations = webhookConfigurations(name, plans, ({ path }) => ({
    service: { name: service, namespace, path },
  })).map((configuration) => ({ ...configuration, metadata: { ...configuration.metadata, ...annotations } }));
  const from = plans.length === 0 ? 'defineOperator()' : plans.map(({ webhookClass }) => webhookClass.name).join(', ');
  const file = (fileName: string, objects: readonly object[]): GeneratedFile[] => {
    if (objects.length === 0) return [];
    const documents = objects.map((object) => stringify(object, { lineWidth: 0, flowCollectionPadding: false }));
    return [
      {
        name: `webhook/${fileName}.yaml`,
        text: `# Made by "evenkeel generate" from the declarations of ${from}: change those, not this.\n\n${documents.join('---\n')}`,
        options: ['output', 'operator'],
      },
    ];
  };
  return [
    ...file('manifests', configurations),
    ...file('service', [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: service, namespace, labels: { [nameLabel]: name } },
        spec: {
          selector: { [nameLabel]: name },
          ports: [{ name: 'webhook', protocol: 'TCP', port: servicePort, targetPort: containerPort }],
        },
      },
    ]),
    ...file('cert_manager', certificates === 'cert-manager' ? certManagerManifests({ name, namespace, service }) : []),
  ];
}
