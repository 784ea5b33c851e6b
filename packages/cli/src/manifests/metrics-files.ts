import type { GeneratedFile, ManifestObject } from './generated-file.ts';
import { manifestFile } from './manifest-file.ts';
import type { OperatorPods } from './operator-pods.ts';
import { podLabels } from './pod-labels.ts';
import { containerPorts } from './ports.ts';

/**
 * Returns the files with which a scraper finds and reads the metrics of an operator; none if it serves no metrics in a cluster.
 *
 * @param isMonitored whether to write a ServiceMonitor.
 */
export async function metricsFiles(
  { name, namespace, servesMetrics }: OperatorPods,
  isMonitored: boolean,
): Promise<GeneratedFile[]> {
  if (!servesMetrics) return [];
  const labels = podLabels(name);
  const reader = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `${name}-metrics-reader` },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: metricsServiceName(name), namespace, labels: { ...labels, ...metricsLabel } },
    spec: {
      selector: labels,
      ports: [{ name: 'metrics', protocol: 'TCP', port: containerPorts.metrics, targetPort: 'metrics' }],
    },
  };
  const monitor = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: { ...labels, ...metricsLabel } },
      endpoints: [
        {
          port: 'metrics',
          scheme: 'https',
          path: '/metrics',
          bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
          // The process creates the certificate, so no other program knows its authority.
          tlsConfig: { insecureSkipVerify: true },
        },
      ],
    },
  };
  const file = (path: string, objects: readonly ManifestObject[]) =>
    manifestFile(path, `${name} and the option deployment`, objects, ['output', 'deployment', 'operator']);
  return [
    ...(await file('rbac/metrics_reader_role.yaml', [reader])),
    ...(await file('metrics/service.yaml', [service])),
    ...(await file('metrics/service_monitor.yaml', isMonitored ? [monitor] : [])),
  ];
}

/** The name of a Service has no dots. */
export function metricsServiceName(operator: string): string {
  return `${operator.replaceAll('.', '-')}-metrics`;
}

/** Distinguishes the Service of the metrics from that of the webhooks. */
const metricsLabel = { 'app.kubernetes.io/component': 'metrics' };
