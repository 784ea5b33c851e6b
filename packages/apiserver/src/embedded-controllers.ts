import type { EmbeddedController } from './controllers/controller.ts';
import { deploymentController } from './controllers/deployment-controller.ts';
import { endpointSliceController } from './controllers/endpoint-slice-controller.ts';
import { endpointsController } from './controllers/endpoints-controller.ts';
import { garbageCollector } from './controllers/garbage-collector.ts';
import { kubelet } from './controllers/kubelet.ts';
import { loadBalancerController } from './controllers/load-balancer-controller.ts';
import { namespaceController } from './controllers/namespace-controller.ts';
import { onDemand } from './controllers/on-demand-controller.ts';
import { replicaSetController, replicationController } from './controllers/replica-set-controller.ts';
import { rootCaPublisher } from './controllers/root-ca-publisher.ts';
import { scheduler } from './controllers/scheduler.ts';
import { serviceAccountController } from './controllers/service-account-controller.ts';
import { claimProtection, volumeProtection } from './controllers/volume/volume-protection.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };
const storageClasses = { group: 'storage.k8s.io', plural: 'storageclasses' };
const clusterRoles = { group: 'rbac.authorization.k8s.io', plural: 'clusterroles' };
const autoscalers = { group: 'autoscaling', plural: 'horizontalpodautoscalers' };
const resourceQuotas = { group: '', plural: 'resourcequotas' };
const jobs = { group: 'batch', plural: 'jobs' };
const cronJobs = { group: 'batch', plural: 'cronjobs' };
const validatingPolicies = { group: 'admissionregistration.k8s.io', plural: 'validatingadmissionpolicies' };
const statefulSets = { group: 'apps', plural: 'statefulsets' };
const budgets = { group: 'policy', plural: 'poddisruptionbudgets' };
const daemonSets = { group: 'apps', plural: 'daemonsets' };

/** Every controller of an embedded cluster. A real cluster with a scheduler, a node and a cloud has the same ones. */
export const embeddedControllers: readonly EmbeddedController[] = [
  namespaceController,
  serviceAccountController,
  rootCaPublisher,
  garbageCollector,
  deploymentController,
  replicaSetController,
  onDemand(
    'replication-controller',
    [{ group: '', plural: 'replicationcontrollers' }],
    async () => replicationController,
  ),
  onDemand(
    'clusterrole-aggregation-controller',
    [clusterRoles],
    async () => (await import('./controllers/cluster-role-aggregation.ts')).clusterRoleAggregation,
    // The authorizer itself aggregates the roles of every cluster.
    { isWanted: ({ metadata }) => metadata.labels?.['kubernetes.io/bootstrapping'] === undefined },
  ),
  onDemand(
    'horizontal-pod-autoscaler-controller',
    [autoscalers],
    async () => (await import('./controllers/autoscaler/autoscaler-controller.ts')).autoscalerController,
  ),
  onDemand(
    'statefulset-controller',
    [statefulSets],
    async () => (await import('./controllers/stateful-set-controller.ts')).statefulSetController,
  ),
  onDemand(
    'daemonset-controller',
    [daemonSets],
    async () => (await import('./controllers/daemon-set/daemon-set-controller.ts')).daemonSetController,
  ),
  onDemand('job-controller', [jobs], async () => (await import('./controllers/job/job-controller.ts')).jobController),
  onDemand(
    'ttl-after-finished-controller',
    [jobs],
    async () => (await import('./controllers/job/ttl-after-finished-controller.ts')).ttlAfterFinishedController,
  ),
  onDemand(
    'cronjob-controller',
    [cronJobs],
    async () => (await import('./controllers/cron-job/cron-job-controller.ts')).cronJobController,
  ),
  onDemand(
    'disruption-controller',
    [budgets],
    async () => (await import('./controllers/disruption/disruption-controller.ts')).disruptionController,
  ),
  onDemand(
    'validatingadmissionpolicy-status-controller',
    [validatingPolicies],
    async () => (await import('./controllers/policy-status-controller.ts')).policyStatusController,
  ),
  onDemand(
    'certificatesigningrequest-signing-controller',
    [{ group: 'certificates.k8s.io', plural: 'certificatesigningrequests' }],
    async () => (await import('./controllers/certificate-signer.ts')).certificateSigner,
    { account: 'certificate-controller' },
  ),
  claimProtection,
  volumeProtection,
  onDemand(
    'persistentvolume-binder-controller',
    [claims, volumes],
    async () => (await import('./controllers/volume/volume-binder.ts')).volumeBinder,
  ),
  onDemand(
    'persistentvolume-provisioner',
    [claims],
    async () => (await import('./controllers/volume/volume-provisioner.ts')).volumeProvisioner,
  ),
  onDemand(
    'persistentvolume-expander',
    [storageClasses],
    async () => (await import('./controllers/volume/volume-expander.ts')).volumeExpander,
  ),
  onDemand(
    'resourcequota-controller',
    [resourceQuotas],
    async () => (await import('./controllers/resource-quota-controller.ts')).resourceQuotaController,
  ),
  scheduler,
  kubelet,
  endpointSliceController,
  endpointsController,
  loadBalancerController,
];
