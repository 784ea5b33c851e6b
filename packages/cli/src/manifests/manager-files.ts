import { durationMs } from '@evenkeel/core';
import { servingCertificatesDirectory } from '@evenkeel/core/certificates';
import type { GeneratedFile, ManifestObject } from './generated-file.ts';
import { manifestFile } from './manifest-file.ts';
import type { OperatorPods } from './operator-pods.ts';
import { podLabels } from './pod-labels.ts';
import { containerPorts } from './ports.ts';

/** The user of the image's process, by the convention of distroless images; a pod cannot run as root with it. */
const user = 65532;
/** The default of the setting `gracePeriod`. */
const defaultGracePeriod = '30s';
/** The kubelet kills the process at the end of the pod's grace period, so the grace period of the process must be shorter. */
const secondsToExit = 5;

/** Returns the file of the operator's namespace; none for a namespace that every cluster has. */
export function namespaceFile({ name, namespace }: OperatorPods): Promise<GeneratedFile[]> {
  const level = 'restricted';
  const labels = Object.fromEntries(
    ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, level]),
  );
  const object = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { ...podLabels(name), ...labels } },
  };
  return managerFile('namespace', name, namespace === 'default' || namespace.startsWith('kube-') ? [] : [object]);
}

/** Returns the files of the operator's Deployment and PodDisruptionBudget. */
export async function managerFiles(pods: OperatorPods): Promise<GeneratedFile[]> {
  const { name, namespace, replicas } = pods;
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace, labels: podLabels(name) },
    spec: {
      maxUnavailable: 1,
      // A pod that is not ready serves no requests, so it must not block the drain of a node.
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: podLabels(name) },
    },
  };
  return [
    ...(await managerFile('deployment', name, [deploymentOf(pods)])),
    ...(await managerFile('pod_disruption_budget', name, replicas > 1 ? [budget] : [])),
  ];
}

/** The old pod stops before the new one starts. */
const stopFirst = { type: 'Recreate' };

/**
 * The defaults of Kubernetes, written out. An apply removes only fields that it has set before, and the API server rejects these fields
 * with the other strategy. So an operator can change its strategy.
 */
const replaceGradually = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };

function managerFile(fileName: string, operator: string, objects: readonly ManifestObject[]): Promise<GeneratedFile[]> {
  const from = `${operator} and the option deployment`;
  return manifestFile(`manager/${fileName}.yaml`, from, objects, ['output', 'deployment', 'operator']);
}

function deploymentOf(pods: OperatorPods): ManifestObject & { readonly spec: object } {
  const { name, namespace, replicas, serviceAccount, servingSecret } = pods;
  const { gracePeriod = defaultGracePeriod, isAlone } = pods;
  const labels = podLabels(name);
  const isSpread = replicas > 1;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      strategy: isAlone ? stopFirst : replaceGradually,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: serviceAccount,
          terminationGracePeriodSeconds: Math.ceil(durationMs(gracePeriod) / 1000) + secondsToExit,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: user,
            runAsGroup: user,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          ...(isSpread ? { topologySpreadConstraints: [spreadOf(labels)] } : {}),
          containers: [containerOf(pods)],
          ...(servingSecret === undefined
            ? {}
            : { volumes: [{ name: 'webhook-certificates', secret: { secretName: servingSecret } }] }),
        },
      },
    },
  };
}

/** Prefers nodes without another pod of the operator. */
function spreadOf(matchLabels: object): object {
  return {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels },
  };
}

/** Returns the environment variables as a container lists them. */
export function variablesOf({ env }: Pick<OperatorPods, 'env'>): { readonly name: string; readonly value: string }[] {
  return Object.entries(env).map(([name, value]) => ({ name, value }));
}

function containerOf(pods: OperatorPods) {
  const { image, gracePeriod, resources, servesMetrics, servesWebhooks, servingSecret } = pods;
  const env = variablesOf(pods);
  const { health, metrics, webhook } = containerPorts;
  const probe = (path: string) => ({ httpGet: { path, port: 'health' } });
  return {
    name: 'manager',
    image,
    args: [
      `--health-address=:${health}`,
      ...(servesMetrics ? [`--metrics-address=:${metrics}`] : []),
      ...(servesWebhooks ? [`--webhook-address=:${webhook}`] : []),
      ...(gracePeriod === undefined ? [] : [`--grace-period=${gracePeriod}`]),
    ],
    ...(env.length === 0 ? {} : { env }),
    ports: [
      { name: 'health', containerPort: health },
      ...(servesMetrics ? [{ name: 'metrics', containerPort: metrics }] : []),
      ...(servesWebhooks ? [{ name: 'webhook', containerPort: webhook }] : []),
    ],
    // The health server listens when the methods with @postConstruct have finished.
    startupProbe: { ...probe('/healthz'), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...probe('/healthz'), periodSeconds: 20 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5 },
    resources,
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(servingSecret === undefined
      ? {}
      : { volumeMounts: [{ name: 'webhook-certificates', mountPath: servingCertificatesDirectory, readOnly: true }] }),
  };
}
