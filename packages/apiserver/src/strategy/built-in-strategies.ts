import type { Strategy } from '../kind/strategy.ts';
import { configMapStrategy } from './config-map.ts';
import { cronJobStrategy } from './cron-job.ts';
import { daemonSetStrategy } from './daemon-set.ts';
import { deploymentStrategy } from './deployment.ts';
import { endpointSliceStrategy, endpointsStrategy } from './endpoints.ts';
import { eventOfEventsGroupStrategy, eventStrategy } from './event.ts';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.ts';
import { jobStrategy } from './job.ts';
import { leaseStrategy } from './lease.ts';
import { namespaceStrategy } from './namespace.ts';
import { ingressClassStrategy, ingressStrategy, networkPolicyStrategy } from './networking.ts';
import { nodeStrategy } from './node.ts';
import { persistentVolumeStrategy } from './persistent-volume.ts';
import { persistentVolumeClaimStrategy } from './persistent-volume-claim.ts';
import { podStrategy } from './pod.ts';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget.ts';
import { podTemplateStrategy } from './pod-template.ts';
import { priorityClassStrategy } from './priority-class.ts';
import { limitRangeStrategy, resourceQuotaStrategy } from './quota.ts';
import { clusterRoleBindingStrategy, clusterRoleStrategy, roleBindingStrategy, roleStrategy } from './rbac.ts';
import { replicaSetStrategy } from './replica-set.ts';
import { replicationControllerStrategy } from './replication-controller.ts';
import { secretStrategy } from './secret.ts';
import { serviceStrategy } from './service.ts';
import { serviceAccountStrategy } from './service-account.ts';
import { statefulSetStrategy } from './stateful-set.ts';
import { csiDriverStrategy, storageClassStrategy } from './storage.ts';

/** Kinds with nothing of their own but that their objects have no generation. */
const withoutGeneration: Strategy = { generation: 'never' };

/** Kinds that take an update only of a state that its sender has seen. */
const conditionalUpdates: Strategy = { allowUnconditionalUpdate: false };

/**
 * What the server does in code for its own kinds, keyed `KIND` in the core group and `KIND.GROUP` elsewhere. Kinds that
 * are not listed follow the generic rules.
 */
export const builtInStrategies: ReadonlyMap<string, Strategy> = new Map([
  ['ConfigMap', configMapStrategy],
  ['Endpoints', endpointsStrategy],
  ['Event', eventStrategy],
  ['LimitRange', limitRangeStrategy],
  ['Namespace', namespaceStrategy],
  ['Node', nodeStrategy],
  ['PersistentVolume', persistentVolumeStrategy],
  ['PersistentVolumeClaim', persistentVolumeClaimStrategy],
  ['Pod', podStrategy],
  ['PodTemplate', podTemplateStrategy],
  ['ReplicationController', replicationControllerStrategy],
  ['ResourceQuota', resourceQuotaStrategy],
  ['Secret', secretStrategy],
  ['Service', serviceStrategy],
  ['ServiceAccount', serviceAccountStrategy],
  ['ControllerRevision.apps', withoutGeneration],
  ['DaemonSet.apps', daemonSetStrategy],
  ['Deployment.apps', deploymentStrategy],
  ['ReplicaSet.apps', replicaSetStrategy],
  ['StatefulSet.apps', statefulSetStrategy],
  ['HorizontalPodAutoscaler.autoscaling', horizontalPodAutoscalerStrategy],
  ['CronJob.batch', cronJobStrategy],
  ['Job.batch', jobStrategy],
  ['CertificateSigningRequest.certificates.k8s.io', withoutGeneration],
  ['Lease.coordination.k8s.io', leaseStrategy],
  ['EndpointSlice.discovery.k8s.io', endpointSliceStrategy],
  ['Event.events.k8s.io', eventOfEventsGroupStrategy],
  ['Ingress.networking.k8s.io', ingressStrategy],
  ['IngressClass.networking.k8s.io', ingressClassStrategy],
  ['NetworkPolicy.networking.k8s.io', networkPolicyStrategy],
  ['IPAddress.networking.k8s.io', withoutGeneration],
  ['ServiceCIDR.networking.k8s.io', withoutGeneration],
  ['RuntimeClass.node.k8s.io', { ...withoutGeneration, ...conditionalUpdates, allowCreateOnUpdate: true }],
  ['PodDisruptionBudget.policy', podDisruptionBudgetStrategy],
  ['ClusterRole.rbac.authorization.k8s.io', clusterRoleStrategy],
  ['ClusterRoleBinding.rbac.authorization.k8s.io', clusterRoleBindingStrategy],
  ['Role.rbac.authorization.k8s.io', roleStrategy],
  ['RoleBinding.rbac.authorization.k8s.io', roleBindingStrategy],
  ['PriorityClass.scheduling.k8s.io', priorityClassStrategy],
  ['CSIDriver.storage.k8s.io', csiDriverStrategy],
  ['CSINode.storage.k8s.io', { ...withoutGeneration, ...conditionalUpdates }],
  ['CSIStorageCapacity.storage.k8s.io', { ...withoutGeneration, ...conditionalUpdates }],
  ['StorageClass.storage.k8s.io', storageClassStrategy],
  ['VolumeAttachment.storage.k8s.io', conditionalUpdates],
  ['VolumeAttributesClass.storage.k8s.io', withoutGeneration],
]);

/** The strategy of a built-in kind; undefined where the generic rules are all there is. */
export function strategyFor({ group, kind }: { readonly group: string; readonly kind: string }): Strategy | undefined {
  return builtInStrategies.get(group === '' ? kind : `${kind}.${group}`);
}
