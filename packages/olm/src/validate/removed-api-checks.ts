import type { BundleObject } from '../bundle/bundle.ts';
import type { DeploymentPermissions, DescribedDefinition } from '../bundle/cluster-service-version.ts';
import {
  compareVersions,
  parseTolerantVersion,
  parseVersion,
  type SemanticVersion,
} from '../format/semantic-version.ts';
import type { CheckedBundle } from './checked-bundle.ts';

/**
 * The kinds that a Kubernetes version stopped to serve, by API version.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/deprecation-guide/, as far as `removed_apis.go` of operator-framework/api
 * checks it.
 */
const removals: readonly { readonly version: string; readonly kinds: Readonly<Record<string, readonly string[]>> }[] = [
  {
    version: '1.22.0',
    kinds: {
      'apiextensions.k8s.io/v1beta1': ['CustomResourceDefinition'],
      'scheduling.k8s.io/v1beta1': ['PriorityClass'],
      'rbac.authorization.k8s.io/v1beta1': ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'],
      'apiregistration.k8s.io/v1beta1': ['APIService'],
      'authentication.k8s.io/v1beta1': ['TokenReview'],
      'authorization.k8s.io/v1beta1': ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SubjectAccessReview'],
      'admissionregistration.k8s.io/v1beta1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
      'coordination.k8s.io/v1beta1': ['Lease'],
      'extensions/v1beta1': ['Ingress'],
      'networking.k8s.io/v1beta1': ['Ingress', 'IngressClass'],
      'storage.k8s.io/v1beta1': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
      'certificates.k8s.io/v1beta1': ['CertificateSigningRequest'],
    },
  },
  {
    version: '1.25.0',
    kinds: {
      'batch/v1beta1': ['CronJob'],
      'discovery.k8s.io/v1beta1': ['EndpointSlice'],
      'events.k8s.io/v1beta1': ['Event'],
      'autoscaling/v2beta1': ['HorizontalPodAutoscaler'],
      'policy/v1beta1': ['PodDisruptionBudget', 'PodSecurityPolicy'],
      'node.k8s.io/v1beta1': ['RuntimeClass'],
    },
  },
  { version: '1.26.0', kinds: { 'autoscaling/v2beta2': ['HorizontalPodAutoscaler'] } },
];

/** The version whose removals the resources of owned and required CRDs are compared with. */
const resourcesVersion = '1.25.0';
/** Rules name no version, so only a resource that has no successor in its group is certain. */
const removedResource = { group: 'policy', resource: 'podsecuritypolicies' };

/** Whether a text is a version as {@link BundleValidationOptions.kubernetesVersion} has it, such as `1.36` or `v1.36.3`. */
export function isKubernetesVersion(text: string): boolean {
  return parseTolerantVersion(text) !== undefined;
}

/** The checks of APIs that newer versions of Kubernetes no longer serve. */
export function checkRemovedApis(checked: CheckedBundle): void {
  const lowest = versionsMeant(checked);
  for (const { version, kinds } of removals) {
    const removedIn = parseVersion(version);
    const isMeant = removedIn !== undefined && lowest.some((meant) => compareVersions(meant, removedIn) >= 0);
    const found = [
      ...checked.bundle.objects.filter(({ apiVersion, kind }) => kinds[apiVersion]?.includes(kind)).map(shownObject),
      ...(version === resourcesVersion ? removedResourcesOfKinds(checked, kinds) : []),
    ];
    if (found.length > 0) {
      const message = `Kubernetes ${version.replace(/\.0$/, '')} removed the API of ${found.join(', ')}; use its successor (https://kubernetes.io/docs/reference/using-api/deprecation-guide/)`;
      checked.report.add('api-removed', message, undefined, isMeant ? 'error' : 'warning');
    }
    if (version === resourcesVersion) checkRules(checked);
  }
}

/** The lowest versions on which the bundle must work, as far as they are given. */
function versionsMeant(checked: CheckedBundle): SemanticVersion[] {
  const { kubernetesVersion } = checked.options;
  const { minKubeVersion } = checked.spec;
  const given = kubernetesVersion ? parseTolerantVersion(kubernetesVersion) : undefined;
  if (kubernetesVersion && given === undefined) {
    const message = `${JSON.stringify(kubernetesVersion)} is not a version of Kubernetes; pass one such as 1.30`;
    checked.report.add('kubernetes-version-invalid', message);
  }
  const lowest = minKubeVersion ? parseTolerantVersion(minKubeVersion) : undefined;
  if (minKubeVersion && lowest === undefined) {
    const message = `${JSON.stringify(minKubeVersion)} is not a version, so removed APIs are not compared with it; write it as 1.30.0`;
    checked.add('min-kube-version-unusable', ['spec', 'minKubeVersion'], message);
  }
  return [given, lowest].filter((version) => version !== undefined);
}

function shownObject({ file, kind, name, apiVersion }: BundleObject): string {
  return `${kind} ${name} (${apiVersion}, ${file})`;
}

function describedKinds(checked: CheckedBundle): readonly DescribedDefinition[] {
  const { owned, required } = checked.spec.customresourcedefinitions ?? {};
  return [...(owned ?? []), ...(required ?? [])];
}

function removedResourcesOfKinds(checked: CheckedBundle, kinds: Readonly<Record<string, readonly string[]>>): string[] {
  return describedKinds(checked).flatMap(({ name, resources }) =>
    (resources ?? [])
      .filter(({ version, kind }) => kinds[version ?? '']?.includes(kind ?? ''))
      .map(({ version, kind }) => `${kind} (${version}, a resource of ${name})`),
  );
}

function checkRules(checked: CheckedBundle): void {
  const { csv } = checked.bundle;
  if (csv.apiVersion !== 'operators.coreos.com/v1alpha1') return;
  const described = new Set(
    describedKinds(checked).flatMap(({ resources }) =>
      (resources ?? []).map(({ kind }) => `${(kind ?? '').toLowerCase()}s`),
    ),
  );
  if (described.has(removedResource.resource)) return;
  const { permissions, clusterPermissions } = checked.spec.install?.spec ?? {};
  const found = [
    ...removedRules('clusterPermissions', clusterPermissions ?? []),
    ...removedRules('permissions', permissions ?? []),
  ];
  if (found.length === 0) return;
  const message = `Kubernetes 1.25 removed PodSecurityPolicies, and ${found.join(', ')} is for them; remove the rule`;
  checked.add('rule-of-removed-api', ['spec', 'install', 'spec'], message);
}

function removedRules(field: string, permissions: readonly DeploymentPermissions[]): string[] {
  return permissions.flatMap(({ rules }, index) =>
    (rules ?? []).flatMap(({ apiGroups, resources }, at) => {
      const isMatch = apiGroups?.includes(removedResource.group) && resources?.includes(removedResource.resource);
      return isMatch ? [`${field}[${index}].rules[${at}]`] : [];
    }),
  );
}
