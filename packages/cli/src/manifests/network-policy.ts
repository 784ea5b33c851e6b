import type { GeneratedFile } from './generated-file.ts';
import { manifestFile } from './manifest-file.ts';
import type { OperatorPods } from './operator-pods.ts';
import { podLabels } from './pod-labels.ts';
import { containerPorts } from './ports.ts';

/**
 * Returns the file of the NetworkPolicy that limits who may connect to an operator. A policy sees the packets after the Service
 * has translated them, so it names ports of the container. Callers of webhooks and probes are not pods, and cannot be selected.
 */
export function networkPolicyFile({
  name,
  namespace,
  servesMetrics,
  servesWebhooks,
}: OperatorPods): Promise<GeneratedFile[]> {
  const { health, metrics, webhook } = containerPorts;
  const tcp = (port: number) => ({ protocol: 'TCP', port });
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace, labels: podLabels(name) },
    spec: {
      podSelector: { matchLabels: podLabels(name) },
      policyTypes: ['Ingress'],
      ingress: [
        { ports: [tcp(health), ...(servesWebhooks ? [tcp(webhook)] : [])] },
        ...(servesMetrics
          ? [
              {
                from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }],
                ports: [tcp(metrics)],
              },
            ]
          : []),
      ],
    },
  };
  const from = `${name} and the option deployment`;
  return manifestFile('manager/network_policy.yaml', from, [policy], ['output', 'deployment', 'operator']);
}
