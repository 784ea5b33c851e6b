import type { TablePrinter } from '../kind/table-columns.ts';
import {
  certificateSigningRequestPrinter,
  configMapPrinter,
  eventPrinter,
  leasePrinter,
  namespacePrinter,
  nodePrinter,
  priorityClassPrinter,
  resourceQuotaPrinter,
  roleBindingPrinter,
  runtimeClassPrinter,
  scalePrinter,
  secretPrinter,
  serviceAccountPrinter,
  webhookConfigurationPrinter,
} from './cluster-printers.ts';
import { defaultPrinter } from './default-printer.ts';
import {
  endpointSlicePrinter,
  endpointsPrinter,
  ingressClassPrinter,
  ingressPrinter,
  ipAddressPrinter,
  networkPolicyPrinter,
  serviceCidrPrinter,
  servicePrinter,
} from './network-printers.ts';
import { podPrinter } from './pod-printer.ts';
import { mutatingPolicyPrinter, policyBindingPrinter, validatingPolicyPrinter } from './policy-printers.ts';
import {
  csiDriverPrinter,
  csiNodePrinter,
  persistentVolumeClaimPrinter,
  persistentVolumePrinter,
  storageClassPrinter,
  volumeAttachmentPrinter,
  volumeAttributesClassPrinter,
} from './storage-printers.ts';
import {
  controllerRevisionPrinter,
  cronJobPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  horizontalPodAutoscalerPrinter,
  jobPrinter,
  podDisruptionBudgetPrinter,
  podTemplatePrinter,
  replicaSetPrinter,
  replicationControllerPrinter,
  statefulSetPrinter,
} from './workload-printers.ts';

/** The printers of built-in kinds, keyed `KIND` in the core group and `KIND.GROUP` elsewhere. */
export const builtInPrinters: ReadonlyMap<string, TablePrinter> = new Map([
  ['ConfigMap', configMapPrinter],
  ['Endpoints', endpointsPrinter],
  ['Event', eventPrinter],
  ['Namespace', namespacePrinter],
  ['Node', nodePrinter],
  ['PersistentVolume', persistentVolumePrinter],
  ['PersistentVolumeClaim', persistentVolumeClaimPrinter],
  ['Pod', podPrinter],
  ['PodTemplate', podTemplatePrinter],
  ['ReplicationController', replicationControllerPrinter],
  ['ResourceQuota', resourceQuotaPrinter],
  ['Secret', secretPrinter],
  ['Service', servicePrinter],
  ['ServiceAccount', serviceAccountPrinter],
  ['MutatingAdmissionPolicy.admissionregistration.k8s.io', mutatingPolicyPrinter],
  ['MutatingAdmissionPolicyBinding.admissionregistration.k8s.io', policyBindingPrinter],
  ['ValidatingAdmissionPolicy.admissionregistration.k8s.io', validatingPolicyPrinter],
  ['ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io', policyBindingPrinter],
  ['MutatingWebhookConfiguration.admissionregistration.k8s.io', webhookConfigurationPrinter],
  ['ValidatingWebhookConfiguration.admissionregistration.k8s.io', webhookConfigurationPrinter],
  ['ControllerRevision.apps', controllerRevisionPrinter],
  ['DaemonSet.apps', daemonSetPrinter],
  ['Deployment.apps', deploymentPrinter],
  ['ReplicaSet.apps', replicaSetPrinter],
  ['StatefulSet.apps', statefulSetPrinter],
  ['HorizontalPodAutoscaler.autoscaling', horizontalPodAutoscalerPrinter],
  ['Scale.autoscaling', scalePrinter],
  ['CronJob.batch', cronJobPrinter],
  ['Job.batch', jobPrinter],
  ['CertificateSigningRequest.certificates.k8s.io', certificateSigningRequestPrinter],
  ['Lease.coordination.k8s.io', leasePrinter],
  ['EndpointSlice.discovery.k8s.io', endpointSlicePrinter],
  ['Event.events.k8s.io', eventPrinter],
  ['Ingress.networking.k8s.io', ingressPrinter],
  ['IngressClass.networking.k8s.io', ingressClassPrinter],
  ['IPAddress.networking.k8s.io', ipAddressPrinter],
  ['NetworkPolicy.networking.k8s.io', networkPolicyPrinter],
  ['ServiceCIDR.networking.k8s.io', serviceCidrPrinter],
  ['RuntimeClass.node.k8s.io', runtimeClassPrinter],
  ['PodDisruptionBudget.policy', podDisruptionBudgetPrinter],
  ['ClusterRoleBinding.rbac.authorization.k8s.io', roleBindingPrinter],
  ['RoleBinding.rbac.authorization.k8s.io', roleBindingPrinter],
  ['PriorityClass.scheduling.k8s.io', priorityClassPrinter],
  ['CSIDriver.storage.k8s.io', csiDriverPrinter],
  ['CSINode.storage.k8s.io', csiNodePrinter],
  ['StorageClass.storage.k8s.io', storageClassPrinter],
  ['VolumeAttachment.storage.k8s.io', volumeAttachmentPrinter],
  ['VolumeAttributesClass.storage.k8s.io', volumeAttributesClassPrinter],
]);

/** Returns the printer of a built-in kind, or the default printer if the kind has none. */
export function printerFor({ group, kind }: { readonly group: string; readonly kind: string }): TablePrinter {
  return builtInPrinters.get(group === '' ? kind : `${kind}.${group}`) ?? defaultPrinter;
}
