// The kinds and types that operators usually need. Each group and version has a separate module with all of its types:
// `@evenkeel/kinds/core/v1`, `@evenkeel/kinds/apps/v1`, ... Groups that few operators need (apiregistration,
// flowcontrol, node, resource) are only in those modules, because each module that this one loads slows every start by
// half a millisecond.

export type { ApplyConfiguration, BuiltInKind, DeepPartial } from './apply-configuration.ts';
export {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './generated/kinds/admissionregistration/v1.ts';
export { CustomResourceDefinition, JSONSchemaProps } from './generated/kinds/apiextensions/v1.ts';
export {
  ControllerRevision,
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  ReplicaSet,
  ReplicaSetSpec,
  ReplicaSetStatus,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetStatus,
} from './generated/kinds/apps/v1.ts';
export { SelfSubjectReview, TokenRequest, TokenReview } from './generated/kinds/authentication/v1.ts';
export {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from './generated/kinds/authorization/v1.ts';
export {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
} from './generated/kinds/autoscaling/v2.ts';
export {
  CronJob,
  CronJobSpec,
  CronJobStatus,
  Job,
  JobSpec,
  JobStatus,
  JobTemplateSpec,
} from './generated/kinds/batch/v1.ts';
export { CertificateSigningRequest } from './generated/kinds/certificates/v1.ts';
export { Lease, LeaseSpec } from './generated/kinds/coordination/v1.ts';
export {
  Affinity,
  Binding,
  Capabilities,
  ComponentStatus,
  ConfigMap,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  ConfigMapVolumeSource,
  Container,
  ContainerPort,
  ContainerStatus,
  CoreEvent,
  EmptyDirVolumeSource,
  Endpoints,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  HTTPGetAction,
  Lifecycle,
  LimitRange,
  LoadBalancerIngress,
  LocalObjectReference,
  Namespace,
  NamespaceSpec,
  NamespaceStatus,
  Node,
  NodeAffinity,
  NodeSelector,
  NodeSpec,
  NodeStatus,
  ObjectFieldSelector,
  ObjectReference,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  PersistentVolumeClaimTemplate,
  PersistentVolumeSpec,
  PersistentVolumeStatus,
  Pod,
  PodAffinity,
  PodAntiAffinity,
  PodSecurityContext,
  PodSpec,
  PodStatus,
  PodTemplate,
  PodTemplateSpec,
  Probe,
  ReplicationController,
  ResourceQuota,
  ResourceRequirements,
  Secret,
  SecretEnvSource,
  SecretKeySelector,
  SecretReference,
  SecretVolumeSource,
  SecurityContext,
  Service,
  ServiceAccount,
  ServicePort,
  ServiceSpec,
  ServiceStatus,
  Toleration,
  TopologySpreadConstraint,
  TypedLocalObjectReference,
  Volume,
  VolumeMount,
} from './generated/kinds/core/v1.ts';
export { EndpointSlice } from './generated/kinds/discovery/v1.ts';
export { Event } from './generated/kinds/events/v1.ts';
export { DeleteOptions, LabelSelector, LabelSelectorRequirement, ListMeta } from './generated/kinds/meta/v1.ts';
export {
  Ingress,
  IngressBackend,
  IngressClass,
  IngressRule,
  IngressSpec,
  IngressStatus,
  IngressTLS,
  IPAddress,
  NetworkPolicy,
  NetworkPolicySpec,
  ServiceCIDR,
} from './generated/kinds/networking/v1.ts';
export { Eviction, PodDisruptionBudget, PodDisruptionBudgetSpec } from './generated/kinds/policy/v1.ts';
export {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from './generated/kinds/rbac/v1.ts';
export { PriorityClass } from './generated/kinds/scheduling/v1.ts';
export {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from './generated/kinds/storage/v1.ts';
export type { IntOrString } from './int-or-string.ts';
export type { Quantity } from './quantity.ts';

// For packages that read classes, and for authors of libraries.
export { schemaDefinition } from './schema-definition.ts';
export { schemaDefinitionOf } from './schema-definition-of.ts';
