import type { Strategy } from '../kind/strategy.ts';

/** For kinds that follow the generic rules, except that their objects have no generation. */
const withoutGeneration: Strategy = { generation: 'never' };

/**
 * The strategies of built-in kinds, keyed `KIND` in the core group and `KIND.GROUP` elsewhere. Kinds that are not
 * listed follow the generic rules. A strategy is imported when its kind is first read or written: all together are some
 * 70 modules, a sixth of the server's start, and most servers use a few.
 */
const builtInStrategies: ReadonlyMap<string, () => Promise<Strategy>> = new Map([
  ['ConfigMap', async () => (await import('../strategy/core/config-map.ts')).configMapStrategy],
  ['Endpoints', async () => (await import('../strategy/core/endpoints.ts')).endpointsStrategy],
  ['Event', async () => (await import('../strategy/core/event.ts')).eventStrategy],
  ['LimitRange', async () => (await import('../strategy/core/limit-range.ts')).limitRangeStrategy],
  ['Namespace', async () => (await import('../strategy/core/namespace.ts')).namespaceStrategy],
  ['Node', async () => (await import('../strategy/core/node.ts')).nodeStrategy],
  ['PersistentVolume', async () => (await import('../strategy/core/persistent-volume.ts')).persistentVolumeStrategy],
  [
    'PersistentVolumeClaim',
    async () => (await import('../strategy/core/persistent-volume-claim.ts')).persistentVolumeClaimStrategy,
  ],
  ['Pod', async () => (await import('../strategy/pod/pod.ts')).podStrategy],
  ['PodTemplate', async () => (await import('../strategy/core/pod-template.ts')).podTemplateStrategy],
  [
    'ReplicationController',
    async () => (await import('../strategy/core/replication-controller.ts')).replicationControllerStrategy,
  ],
  ['ResourceQuota', async () => (await import('../strategy/core/resource-quota.ts')).resourceQuotaStrategy],
  ['Secret', async () => (await import('../strategy/core/secret.ts')).secretStrategy],
  ['Service', async () => (await import('../strategy/core/service.ts')).serviceStrategy],
  ['ServiceAccount', async () => (await import('../strategy/core/service-account.ts')).serviceAccountStrategy],
  [
    'MutatingWebhookConfiguration.admissionregistration.k8s.io',
    async () =>
      (await import('../strategy/admissionregistration/webhook-configuration.ts')).mutatingWebhookConfigurationStrategy,
  ],
  [
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
    async () =>
      (await import('../strategy/admissionregistration/webhook-configuration.ts'))
        .validatingWebhookConfigurationStrategy,
  ],
  [
    'MutatingAdmissionPolicy.admissionregistration.k8s.io',
    async () => (await import('../strategy/admissionregistration/admission-policy.ts')).mutatingAdmissionPolicyStrategy,
  ],
  [
    'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
    async () =>
      (await import('../strategy/admissionregistration/admission-policy.ts')).mutatingAdmissionPolicyBindingStrategy,
  ],
  [
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
    async () =>
      (await import('../strategy/admissionregistration/admission-policy.ts')).validatingAdmissionPolicyStrategy,
  ],
  [
    'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
    async () =>
      (await import('../strategy/admissionregistration/admission-policy.ts')).validatingAdmissionPolicyBindingStrategy,
  ],
  [
    'APIService.apiregistration.k8s.io',
    async () => (await import('../strategy/apiregistration/api-service.ts')).apiServiceStrategy,
  ],
  [
    'ControllerRevision.apps',
    async () => (await import('../strategy/apps/controller-revision.ts')).controllerRevisionStrategy,
  ],
  ['DaemonSet.apps', async () => (await import('../strategy/apps/daemon-set.ts')).daemonSetStrategy],
  ['Deployment.apps', async () => (await import('../strategy/apps/deployment.ts')).deploymentStrategy],
  ['ReplicaSet.apps', async () => (await import('../strategy/apps/replica-set.ts')).replicaSetStrategy],
  ['StatefulSet.apps', async () => (await import('../strategy/apps/stateful-set.ts')).statefulSetStrategy],
  [
    'HorizontalPodAutoscaler.autoscaling',
    async () => (await import('../strategy/autoscaling/horizontal-pod-autoscaler.ts')).horizontalPodAutoscalerStrategy,
  ],
  ['CronJob.batch', async () => (await import('../strategy/batch/cron-job.ts')).cronJobStrategy],
  ['Job.batch', async () => (await import('../strategy/batch/job.ts')).jobStrategy],
  [
    'CertificateSigningRequest.certificates.k8s.io',
    async () =>
      (await import('../strategy/certificates/certificate-signing-request.ts')).certificateSigningRequestStrategy,
  ],
  ['Lease.coordination.k8s.io', async () => (await import('../strategy/coordination/lease.ts')).leaseStrategy],
  [
    'ResourceClaim.resource.k8s.io',
    async () => (await import('../strategy/resource/resource-claim.ts')).resourceClaimStrategy,
  ],
  ['EndpointSlice.discovery.k8s.io', async () => (await import('../strategy/core/endpoints.ts')).endpointSliceStrategy],
  ['Event.events.k8s.io', async () => (await import('../strategy/core/event.ts')).eventOfEventsGroupStrategy],
  ['Ingress.networking.k8s.io', async () => (await import('../strategy/networking/networking.ts')).ingressStrategy],
  [
    'IngressClass.networking.k8s.io',
    async () => (await import('../strategy/networking/networking.ts')).ingressClassStrategy,
  ],
  [
    'NetworkPolicy.networking.k8s.io',
    async () => (await import('../strategy/networking/networking.ts')).networkPolicyStrategy,
  ],
  ['IPAddress.networking.k8s.io', async () => withoutGeneration],
  ['ServiceCIDR.networking.k8s.io', async () => withoutGeneration],
  ['RuntimeClass.node.k8s.io', async () => (await import('../strategy/node/runtime-class.ts')).runtimeClassStrategy],
  [
    'PodDisruptionBudget.policy',
    async () => (await import('../strategy/policy/pod-disruption-budget.ts')).podDisruptionBudgetStrategy,
  ],
  ['ClusterRole.rbac.authorization.k8s.io', async () => (await import('../strategy/rbac/rbac.ts')).clusterRoleStrategy],
  [
    'ClusterRoleBinding.rbac.authorization.k8s.io',
    async () => (await import('../strategy/rbac/rbac.ts')).clusterRoleBindingStrategy,
  ],
  ['Role.rbac.authorization.k8s.io', async () => (await import('../strategy/rbac/rbac.ts')).roleStrategy],
  ['RoleBinding.rbac.authorization.k8s.io', async () => (await import('../strategy/rbac/rbac.ts')).roleBindingStrategy],
  [
    'PriorityClass.scheduling.k8s.io',
    async () => (await import('../strategy/scheduling/priority-class.ts')).priorityClassStrategy,
  ],
  ['CSIDriver.storage.k8s.io', async () => (await import('../strategy/storage/storage.ts')).csiDriverStrategy],
  ['CSINode.storage.k8s.io', async () => (await import('../strategy/storage/storage.ts')).csiNodeStrategy],
  [
    'CSIStorageCapacity.storage.k8s.io',
    async () => (await import('../strategy/storage/storage.ts')).csiStorageCapacityStrategy,
  ],
  ['StorageClass.storage.k8s.io', async () => (await import('../strategy/storage/storage.ts')).storageClassStrategy],
  [
    'VolumeAttachment.storage.k8s.io',
    async () => (await import('../strategy/storage/storage.ts')).volumeAttachmentStrategy,
  ],
  [
    'VolumeAttributesClass.storage.k8s.io',
    async () => (await import('../strategy/storage/storage.ts')).volumeAttributesClassStrategy,
  ],
]);

/** Loads the strategy of a built-in kind; undefined if only the generic rules apply. */
export async function loadStrategy({
  group,
  kind,
}: {
  readonly group: string;
  readonly kind: string;
}): Promise<Strategy | undefined> {
  return builtInStrategies.get(group === '' ? kind : `${kind}.${group}`)?.();
}
