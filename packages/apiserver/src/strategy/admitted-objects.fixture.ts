/** An object to create and the server's response: the object with defaults, or an Invalid status. */
export interface AdmittedObject {
  readonly title: string;
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Returns an object to create with this body. */
export function at(title: string, path: string, object: Readonly<Record<string, unknown>>): AdmittedObject {
  return { title, path, object };
}

export const paths = {
  pods: '/api/v1/namespaces/default/pods',
  services: '/api/v1/namespaces/default/services',
  deployments: '/apis/apps/v1/namespaces/default/deployments',
  replicaSets: '/apis/apps/v1/namespaces/default/replicasets',
  statefulSets: '/apis/apps/v1/namespaces/default/statefulsets',
  daemonSets: '/apis/apps/v1/namespaces/default/daemonsets',
  jobs: '/apis/batch/v1/namespaces/default/jobs',
  cronJobs: '/apis/batch/v1/namespaces/default/cronjobs',
} as const;

export const container = { name: 'main', image: 'nginx:1.29' };
export const selector = { matchLabels: { app: 'web' } };
export const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };

export const pod = (title: string, spec: object, metadata: object = {}): AdmittedObject =>
  at(`a Pod ${title}`, paths.pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', ...metadata }, spec });

export const podWith = (title: string, more: object): AdmittedObject =>
  pod(title, { containers: [{ ...container, ...more }] });

export const service = (title: string, spec: object): AdmittedObject =>
  at(`a Service ${title}`, paths.services, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec });

const workload =
  (kind: string, path: string, apiVersion: string) =>
  (title: string, spec: object, metadata: object = {}): AdmittedObject =>
    at(`a ${kind} ${title}`, path, { apiVersion, kind, metadata: { name: 'x', ...metadata }, spec });

export const deployment = workload('Deployment', paths.deployments, 'apps/v1');
export const replicaSet = workload('ReplicaSet', paths.replicaSets, 'apps/v1');
export const statefulSet = workload('StatefulSet', paths.statefulSets, 'apps/v1');
export const daemonSet = workload('DaemonSet', paths.daemonSets, 'apps/v1');
export const job = workload('Job', paths.jobs, 'batch/v1');
export const cronJob = workload('CronJob', paths.cronJobs, 'batch/v1');

/** Returns an object of a kind without its own function. */
export const other = (title: string, path: string, apiVersion: string, kind: string, body: object): AdmittedObject =>
  at(`a ${kind} ${title}`, path, { apiVersion, kind, metadata: { name: 'x' }, ...body });

export const rbac = (kind: string, plural: string, body: object, title = 'plain'): AdmittedObject => {
  const root = '/apis/rbac.authorization.k8s.io/v1';
  const path = kind.startsWith('Cluster') ? `${root}/${plural}` : `${root}/namespaces/default/${plural}`;
  return other(title, path, 'rbac.authorization.k8s.io/v1', kind, body);
};
