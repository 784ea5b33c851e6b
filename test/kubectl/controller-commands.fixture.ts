import type { KubectlStep } from './session.fixture.ts';

/** A step, and what is compared after it has settled. */
export interface ControllerStep extends KubectlStep {
  /** Kinds whose objects must be the same on both servers. */
  readonly compare?: readonly string[];
  /** The set of reasons of all events so far must be the same. */
  readonly compareReasons?: true;
}

const claim = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });

/** A pod with a claim; it is on the node at once, unless it is not scheduled. */
const userOf = (claimName: string, place: object): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `user-of-${claimName}` },
    spec: {
      ...place,
      containers: [{ name: 'a', image: 'a:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  });

const volume = JSON.stringify({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'unused' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    hostPath: { path: '/a' },
    storageClassName: 'x',
  },
});

const statefulSet = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    serviceName: 'web',
    selector: { matchLabels: { app: 'set' } },
    template: { metadata: { labels: { app: 'set' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
  },
});

const workload = ['deployments', 'replicasets', 'pods', 'services', 'endpointslices', 'endpoints'];

/**
 * A session with controllers: the exit codes, the objects after each settled step, and the final set of event reasons
 * must be the same on both servers. What kubectl prints in between depends on timing.
 */
export const withControllers: readonly ControllerStep[] = [
  { run: 'create ns demo' },
  { run: 'config set-context --current --namespace demo' },
  { run: 'wait --for create --timeout 180s serviceaccount/default', compare: ['namespaces', 'serviceaccounts'] },
  { run: 'wait --for create --timeout 180s configmap/kube-root-ca.crt', compare: ['configmaps'] },
  { run: 'patch cm kube-root-ca.crt --type merge -p \'{"data":{"a":"b"}}\'', compare: ['configmaps'] },
  { run: 'annotate --overwrite cm kube-root-ca.crt kubernetes.io/description=mine', compare: ['configmaps'] },
  { run: 'delete cm kube-root-ca.crt', compare: ['configmaps'] },
  { run: 'apply -f @configmap.yaml -f @service.yaml' },
  { run: 'apply --server-side -f @deployment.yaml' },
  { run: 'rollout status --timeout 180s deployment/web', compare: workload },
  { run: 'get pods -o wide' },
  { run: 'describe deployment web' },
  { run: 'scale deployment web --replicas 4' },
  { run: 'rollout status --timeout 180s deployment/web', compare: workload },
  { run: 'scale deployment web --replicas 1' },
  { run: 'rollout status --timeout 180s deployment/web', compare: workload },
  { run: 'set image deployment/web nginx=nginx:1.30' },
  { run: 'rollout status --timeout 180s deployment/web', compare: ['deployments', 'replicasets', 'pods'] },
  { run: 'rollout history deployment/web' },
  { run: 'rollout undo deployment/web' },
  { run: 'rollout status --timeout 180s deployment/web', compare: ['deployments', 'replicasets'] },
  { run: 'rollout pause deployment/web' },
  { run: 'set env deployment/web C=3', compare: ['deployments', 'replicasets'] },
  { run: 'rollout resume deployment/web' },
  { run: 'rollout status --timeout 180s deployment/web', compare: ['replicasets', 'pods'] },
  { run: 'delete pod -l app=web' },
  { run: 'wait --for create --timeout 180s pod -l app=web' },
  { run: 'rollout status --timeout 180s deployment/web' },
  { run: 'wait --for condition=Ready --timeout 180s pod -l app=web', compare: workload },
  { run: 'patch deployment web --type merge -p \'{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}\'' },
  { run: 'set image deployment/web nginx=nginx:1.31' },
  { run: 'rollout status --timeout 180s deployment/web', compare: ['replicasets', 'pods'] },
  { run: 'events --for deployment/web' },
  { run: 'delete deployment web --cascade=orphan', compare: ['deployments', 'replicasets', 'pods'] },
  { run: 'apply -f @deployment.yaml' },
  { run: 'rollout status --timeout 180s deployment/web', compare: ['deployments'] },
  { run: 'delete deployment web --cascade=foreground --timeout 180s', compare: workload },
  { run: 'apply -f @deployment.yaml' },
  { run: 'rollout status --timeout 180s deployment/web' },
  { run: 'delete deployment web --cascade=background' },
  { run: 'wait --for delete --timeout 180s pod -l app=web', compare: workload },
  { run: 'run lonely --image nginx:1.29' },
  { run: 'wait --for condition=Ready --timeout 180s pod/lonely', compare: ['pods'] },
  { run: 'create job once --image busybox' },
  { run: 'wait --for condition=complete --timeout 180s job/once', compare: ['jobs'] },
  { run: 'get jobs -o wide' },
  { run: 'describe job once' },
  { run: 'delete job once --timeout 180s' },
  { run: 'wait --for delete --timeout 180s pod -l job-name', compare: ['jobs', 'pods'] },
  { run: 'delete svc web --timeout 180s', compare: ['services', 'endpoints', 'endpointslices'], compareReasons: true },
  { run: "create cronjob yearly --image busybox --schedule '0 0 1 1 *'" },
  { run: 'create job now --from cronjob/yearly' },
  { run: 'wait --for condition=complete --timeout 180s job/now', compare: ['jobs'] },
  { run: 'delete job now --cascade=foreground --timeout 180s', compare: ['jobs'] },
  { run: 'delete cronjob yearly', compare: ['cronjobs'] },
  { run: 'create -f -', stdin: claim('used') },
  { run: 'patch pvc used --type merge -p \'{"metadata":{"finalizers":null}}\'', compare: ['pvc'] },
  { run: 'create -f -', stdin: userOf('used', { nodeName: 'node-0' }) },
  { run: 'wait --for condition=Ready --timeout 180s pod/user-of-used' },
  { run: 'delete pvc used --wait=false', compare: ['pvc'] },
  { run: 'delete pod user-of-used --timeout 180s' },
  { run: 'wait --for delete --timeout 180s pvc/used', compare: ['pvc'] },
  { run: 'create -f -', stdin: claim('wanted') },
  { run: 'create -f -', stdin: userOf('wanted', { schedulerName: 'nobody' }) },
  { run: 'delete pvc wanted --timeout 180s', compare: ['pvc'] },
  { run: 'create -f -', stdin: volume },
  { run: 'delete pv unused --timeout 180s' },
  { run: 'create -f -', stdin: statefulSet },
  { run: 'rollout status --timeout 180s statefulset/web', compare: ['statefulsets', 'pods'] },
  // Rollouts are compared without kubectl: the real scheduler may report a deleted pod under the name of the next one.
  {
    run: 'delete statefulset web --cascade=foreground --timeout 180s',
    compare: ['statefulsets', 'controllerrevisions'],
  },
  { run: 'config set-context --current --namespace default' },
  { run: 'delete ns demo --timeout 180s', compare: ['namespaces'] },
  { run: 'get ns demo' },
];
