import {
  certManagerManifests,
  injectionAnnotations,
  plannedCertificates,
  webhookClientConfig,
  webhookServiceName,
} from '@evenkeel/core/certificates';
import { type WebhookPlan, webhookConfigurations } from '@evenkeel/core/webhook';
import type { Operator } from '@evenkeel/runtime';
import type { GeneratedFile, ManifestObject } from './generated-file.ts';
import { manifestFile } from './manifest-file.ts';
import { podLabels } from './pod-labels.ts';
import { containerPorts } from './ports.ts';

/** The port that the API server uses if a configuration names none. */
const servicePort = 443;

/** The objects that make the API server call the webhooks of an operator. */
interface WebhookFiles {
  /** What must exist before the operator's pods run. */
  readonly callees: readonly GeneratedFile[];
  /** The configurations. As soon as they exist, the API server calls the webhooks. */
  readonly callers: readonly GeneratedFile[];
}

/**
 * Returns the files that make the API server call an operator's webhooks: the configurations, the Service, and cert-manager's
 * objects if it issues the certificate. Without webhooks and conversions there are none.
 *
 * @param plans the operator's webhooks.
 * @param namespace the namespace of its pods.
 */
export async function webhookFiles(
  { name, conversions = [], webhookServer }: Operator,
  plans: readonly WebhookPlan[],
  namespace: string,
): Promise<WebhookFiles> {
  if (plans.length === 0 && conversions.length === 0) return { callees: [], callers: [] };
  const certificates = plannedCertificates(webhookServer);
  const serviceObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: webhookServiceName(name), namespace, labels: podLabels(name) },
    spec: {
      selector: podLabels(name),
      ports: [{ name: 'webhook', protocol: 'TCP', port: servicePort, targetPort: containerPorts.webhook }],
    },
  };
  const annotations =
    certificates.source === 'cert-manager' ? { annotations: injectionAnnotations({ name, namespace }) } : {};
  const addressOf = (path: string) => webhookClientConfig(certificates, { name, namespace }, path);
  const configurations = webhookConfigurations(name, plans, ({ path }) => addressOf(path)).map((configuration) => ({
    ...configuration,
    metadata: { ...configuration.metadata, ...annotations },
  }));
  const isByService = addressOf('/').service !== undefined;
  const from = plans.length === 0 ? name : plans.map(({ webhookClass }) => webhookClass.name).join(', ');
  const file = (fileName: string, objects: readonly ManifestObject[]) =>
    manifestFile(`webhook/${fileName}.yaml`, from, objects, ['output', 'operator']);
  return {
    callees: [
      ...(await file('service', isByService ? [serviceObject] : [])),
      ...(await file(
        'cert_manager',
        certificates.source === 'cert-manager'
          ? certManagerManifests({ name, namespace, service: serviceObject.metadata.name, ...certificates })
          : [],
      )),
    ],
    callers: await file('manifests', configurations),
  };
}
