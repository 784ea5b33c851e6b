import { type Clock, type Random, rfc3339 } from '@evenkeel/core';
import { bootstrapPolicy } from './authorization/bootstrap-policy.ts';
import type { ApiObject } from './kind/api-object.ts';
import { randomUid } from './kind/random-name.ts';
import type { ObjectStore } from './store/object-store.ts';

/**
 * Creates the initial objects of every cluster in a new store: namespaces, RBAC roles and bindings, the system's priority
 * classes, and the service `kubernetes`.
 */
export function bootstrapCluster(options: {
  store: ObjectStore;
  clock: Clock;
  random: Random;
  serviceCidr: string;
}): void {
  const { store, clock, random } = options;
  const creationTimestamp = rfc3339(new Date(clock.now()));
  const put = (key: string, object: ApiObject): void => {
    const metadata = { ...object.metadata, uid: randomUid(random), creationTimestamp };
    store.put(key, metadata.namespace ?? '', metadata.name, { ...object, metadata });
  };
  for (const name of ['kube-system', 'kube-public', 'kube-node-lease', 'default']) put('/namespaces', namespace(name));
  put('/services', kubernetesService(firstAddress(options.serviceCidr)));
  for (const priorityClass of priorityClasses) put('scheduling.k8s.io/priorityclasses', priorityClass);
  for (const object of bootstrapPolicy()) put(`rbac.authorization.k8s.io/${object.kind.toLowerCase()}s`, object);
}

function namespace(name: string): ApiObject {
  return {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

function kubernetesService(clusterIP: string): ApiObject {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
      clusterIP,
      clusterIPs: [clusterIP],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  };
}

/** The PriorityClasses of every cluster. */
export const priorityClasses: readonly ApiObject[] = [
  { name: 'system-node-critical', value: 2_000_001_000 },
  { name: 'system-cluster-critical', value: 2_000_000_000 },
].map(({ name, value }) => ({
  kind: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  metadata: { name, generation: 1 },
  value,
  preemptionPolicy: 'PreemptLowerPriority',
}));

/** The first address of a range, which is that of the service `kubernetes`. */
function firstAddress(cidr: string): string {
  const [address = ''] = cidr.split('/');
  const parts = address.split('.').map(Number);
  return [...parts.slice(0, 3), (parts[3] ?? 0) + 1].join('.');
}
