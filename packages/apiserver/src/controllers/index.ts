import type { EmbeddedController } from './controller.ts';
import { deploymentController } from './deployment-controller.ts';
import { endpointSliceController } from './endpoint-slice-controller.ts';
import { endpointsController } from './endpoints-controller.ts';
import { garbageCollector } from './garbage-collector.ts';
import { kubelet } from './kubelet.ts';
import { loadBalancerController } from './load-balancer-controller.ts';
import { namespaceController } from './namespace-controller.ts';
import { onDemand } from './on-demand-controller.ts';
import { replicaSetController } from './replica-set-controller.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
import { scheduler } from './scheduler.ts';
import { serviceAccountController } from './service-account-controller.ts';
import { claimProtection, volumeProtection } from './volume-protection.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };
const jobs = { group: 'batch', plural: 'jobs' };
const statefulSets = { group: 'apps', plural: 'statefulsets' };

/** Every controller an embedded cluster has, as a real one with a scheduler, a node and a cloud would. */
export const embeddedControllers: readonly EmbeddedController[] = [
  namespaceController,
  serviceAccountController,
  rootCaPublisher,
  garbageCollector,
  deploymentController,
  replicaSetController,
  onDemand(
    'statefulset-controller',
    [statefulSets],
    async () => (await import('./stateful-set-controller.ts')).statefulSetController,
  ),
  onDemand('job-controller', [jobs], async () => (await import('./job-controller.ts')).jobController),
  onDemand(
    'ttl-after-finished-controller',
    [jobs],
    async () => (await import('./ttl-after-finished-controller.ts')).ttlAfterFinishedController,
  ),
  claimProtection,
  volumeProtection,
  onDemand(
    'persistentvolume-binder-controller',
    [claims, volumes],
    async () => (await import('./volume-binder.ts')).volumeBinder,
  ),
  onDemand(
    'persistentvolume-provisioner',
    [claims],
    async () => (await import('./volume-provisioner.ts')).volumeProvisioner,
  ),
  scheduler,
  kubelet,
  endpointSliceController,
  endpointsController,
  loadBalancerController,
];
