/**
 * The built-in kinds whose state the controllers of a cluster advance: a Deployment never becomes ready without them. Other kinds
 * only depend on the garbage collector.
 */
const kinds: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'endpoints',
  'namespaces',
  'persistentvolumes',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'serviceaccounts',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'endpointslices.discovery.k8s.io',
  'horizontalpodautoscalers.autoscaling',
  'poddisruptionbudgets.policy',
  'certificatesigningrequests.certificates.k8s.io',
]);

/** Returns which of these resources, such as `deployments.apps`, controllers of the cluster advance, each once. */
export function advancedByControllers(resources: Iterable<string>): string[] {
  return [...new Set(resources)].filter((resource) => kinds.has(resource));
}
