/** The severity of a finding. Registries reject a bundle with an error. */
export type FindingLevel = 'error' | 'warning';

/**
 * The validators of github.com/operator-framework/api that make a check too, by the names that `operator-sdk bundle validate` uses.
 * `load` is the reading of the bundle, before any validator runs.
 */
export type UpstreamValidator =
  | 'load'
  | 'clusterserviceversion'
  | 'crd'
  | 'bundle'
  | 'operatorhubv2'
  | 'capabilities'
  | 'categories'
  | 'good-practices'
  | 'alpha-deprecated-apis'
  | 'object'
  | 'operatorgroup';

interface BundleCheckFacts {
  readonly level: FindingLevel;
  /** Empty for a check that only Evenkeel makes. */
  readonly validators: readonly UpstreamValidator[];
  /** What the check finds, for the documentation. */
  readonly finds: string;
}

const csv = ['clusterserviceversion'] as const;
const hub = ['operatorhubv2'] as const;
const bundle = ['bundle'] as const;
const practices = ['good-practices'] as const;
const object = ['object'] as const;
const removed = ['operatorhubv2', 'alpha-deprecated-apis'] as const;

/** All checks of a bundle, by the id with which a finding names its check. */
export const bundleChecks = {
  'bundle-unreadable': error(['load'], 'a folder or a file that cannot be read as a part of a bundle'),
  'csv-missing': error(['load'], 'a bundle without a ClusterServiceVersion'),
  'csv-duplicate': error(['load'], 'a bundle with several ClusterServiceVersions'),
  'file-hidden': error(['load'], 'a hidden file next to the ClusterServiceVersion'),
  'folder-nested': error(['load'], 'a folder next to the ClusterServiceVersion'),
  'object-invalid': error(['load'], 'a manifest that is not a Kubernetes object'),
  'csv-field-type': error(['load'], 'a field of the ClusterServiceVersion with a value of another type or form'),
  'definition-version-unsupported': error(['load'], 'a CRD whose apiVersion is not apiextensions.k8s.io/v1 or v1beta1'),
  'definition-field-type': error(['load'], 'a field of a CRD with a value of another type'),
  'annotations-file-invalid': error(['load'], 'an annotations file that is not YAML, or has other types'),

  'csv-name-invalid': error(csv, 'a name that is not a DNS-1123 subdomain, or that cannot be the value of a label'),
  'csv-replaces-invalid': error(csv, 'spec.replaces that is not a valid name'),
  'csv-annotations-missing': warning(csv, 'a ClusterServiceVersion without annotations'),
  'examples-missing': warning(csv, 'a missing annotation alm-examples'),
  'examples-twice': warning(csv, 'both alm-examples and olm.examples'),
  'examples-not-json': error(csv, 'examples that are not JSON'),
  'examples-not-objects': error(csv, 'examples that are not a list of objects'),
  'example-kind-not-owned': error(csv, 'an example of a kind that the operator does not own'),
  'example-of-kind-missing': warning(csv, 'an owned kind without an example'),
  'owned-name-invalid': error(csv, 'an owned CRD whose name is not PLURAL.GROUP'),
  'install-modes-missing': error(csv, 'missing spec.installModes'),
  'install-modes-none-supported': error(csv, 'install modes of which none is supported'),
  'conversion-install-mode': error(
    csv,
    'a conversion webhook without AllNamespaces as the only supported install mode',
  ),
  'min-kube-version-missing': warning(['clusterserviceversion', 'operatorhubv2'], 'missing spec.minKubeVersion'),
  'min-kube-version-invalid': error(
    ['clusterserviceversion', 'operatorhubv2'],
    'spec.minKubeVersion that is not a semantic version',
  ),
  'csv-field-missing': error(csv, 'a missing required field'),
  'annotation-case': error(['clusterserviceversion', 'operatorgroup'], 'an OLM annotation with wrong capital letters'),
  'properties-annotation': warning(
    ['clusterserviceversion', 'operatorgroup'],
    'the annotation olm.properties, which belongs in metadata/properties.yaml',
  ),
  'csv-api-version-missing': error(csv, 'a ClusterServiceVersion without a valid apiVersion'),

  'definition-invalid': error(['crd'], 'a CRD that the API server rejects'),

  'definition-duplicate': error(bundle, 'two CRDs with the same group, version and kind'),
  'owned-definition-missing': error(bundle, 'an owned CRD that is not in the bundle'),
  'definition-not-owned': error(bundle, 'a CRD in the bundle that the ClusterServiceVersion does not own'),
  'service-account-duplicate': error(bundle, 'a ServiceAccount that OLM creates itself'),
  'bundle-too-large': error(bundle, 'a bundle that is larger than OLM can store'),
  'bundle-nearly-too-large': warning(bundle, 'a bundle of more than 85 % of that size'),
  'release-name-mismatch': error(bundle, 'spec.release, and a name that is not PACKAGE-vVERSION-RELEASE'),
  'related-image-missing': error(bundle, 'a related image without a reference'),
  'related-image-invalid': error(bundle, 'an invalid reference of a related image'),

  'provider-missing': error(hub, 'missing spec.provider.name'),
  'maintainer-incomplete': error(hub, 'a maintainer without a name or an email'),
  'maintainer-email-invalid': error(hub, 'an invalid email of a maintainer'),
  'link-incomplete': error(hub, 'a link without a name or a URL'),
  'link-url-invalid': error(hub, 'an invalid URL of a link'),
  'version-missing': error(hub, 'missing spec.version, or 0.0.0'),
  'icon-missing': warning(hub, 'missing spec.icon'),
  'icon-count': error(hub, 'not exactly one icon'),
  'icon-incomplete': error(hub, 'an icon without data or media type'),
  'icon-media-type': error(hub, 'an icon that is not GIF, JPEG, PNG or SVG'),
  'kubernetes-version-invalid': error(removed, 'an invalid --kubernetes-version'),
  'min-kube-version-unusable': error(removed, 'spec.minKubeVersion that cannot be compared with other versions'),
  'api-removed': warning(
    removed,
    'an API that Kubernetes 1.22, 1.25 or 1.26 removed; an error if the bundle is for that version or later',
  ),
  'rule-of-removed-api': warning(removed, 'a rule for a resource that Kubernetes 1.25 removed'),
  'capability-invalid': error(['capabilities'], 'an unknown capability level'),
  'category-invalid': error(['categories'], 'an unknown category'),

  'deployment-missing': error(practices, 'a ClusterServiceVersion that installs no Deployment'),
  'container-requests-missing': warning(practices, 'a container without requests for CPU and memory'),
  'definition-description-missing': warning(practices, 'an owned or required CRD without a description'),
  'channel-name': warning(practices, 'a channel whose name does not start with candidate, fast or stable'),
  'definition-permission': warning(practices, 'a permission to create or patch CRDs'),
  'csv-name-version': warning(practices, 'a name that does not end with a semantic version'),
  'csv-name-form': warning(practices, 'a name that is not NAME.vVERSION'),

  'object-type': error(object, 'a PodDisruptionBudget, PriorityClass or role with a value of another type'),
  'pdb-max-unavailable': error(object, 'a PodDisruptionBudget with maxUnavailable 0, or with a percentage'),
  'pdb-min-available': error(object, 'a PodDisruptionBudget with minAvailable 100%'),
  'priority-class-global': error(object, 'a PriorityClass that is the default of the cluster'),
  'rule-for-budgets': warning(object, 'a role that may change PodDisruptionBudgets'),
  'rule-for-default-constraints': error(object, 'a role that may change the SecurityContextConstraints of OpenShift'),

  // Only Evenkeel makes these. They come from operator-registry (files), OLM v1 (preflight) and OperatorHub's pipeline.
  'file-several-documents': error([], 'a manifest with several documents, of which OLM reads one'),
  'object-kind-unsupported': error([], 'an object of a kind that OLM does not install'),
  'annotations-file-missing': error([], 'a missing metadata/annotations.yaml'),
  'bundle-annotation-invalid': error(
    [],
    'an annotation of the bundle that is missing or has another value than OLM needs',
  ),
  'default-channel-unlisted': error([], 'a default channel that is not one of the channels'),
  'dependencies-invalid': error([], 'metadata/dependencies.yaml with an invalid dependency'),
  'properties-invalid': error([], 'metadata/properties.yaml with an invalid property'),
  'install-mode-duplicate': error([], 'an install mode that is listed twice'),
  'install-mode-unknown': error([], 'an unknown install mode'),
  'deployment-duplicate': error([], 'two Deployments with the same name'),
  'deployment-name-invalid': error([], 'a name of a Deployment that is not a DNS-1123 subdomain'),
  'webhook-duplicate': error([], 'two webhooks with the same type and name'),
  'webhook-name-invalid': error([], 'a name of a webhook that is not a DNS-1123 subdomain'),
  'webhook-deployment-missing': error([], 'a webhook of a Deployment that the operator does not have'),
  'webhook-rule-forbidden': error([], 'a webhook for all groups, for OLM, or for webhook configurations'),
  'conversion-duplicate': error([], 'a CRD with two conversion webhooks'),
  'conversion-not-owned': error([], 'a conversion webhook of a CRD that the operator does not own'),
  'csv-name-mismatch': warning([], 'a name that is not PACKAGE.vVERSION'),
  'version-form': error([], 'spec.version that does not have the usual form of a semantic version'),
  'display-name-length': error([], 'a display name that does not have 3 to 50 characters'),
  'description-short': error([], 'a description with fewer than 20 characters'),
  'provider-short': error([], 'a name of the provider with fewer than 3 characters'),
  'maintainers-missing': error([], 'a missing or empty spec.maintainers'),
  'links-missing': error([], 'a missing or empty spec.links'),
  'icon-not-base64': error([], 'icon data that is not base64'),
  'image-without-digest': warning([], 'a related image whose content can change'),
  'image-unlisted': warning([], 'an image of a container that is not one of the related images'),
  'container-request-incomplete': warning([], 'a container with requests, but not for both CPU and memory'),
  'dependency-unsupported-in-v1': warning([], 'a dependency or a constraint, which OLM v1 does not resolve'),
  'install-mode-unsupported-in-v1': warning([], 'an operator that does not support AllNamespaces, which OLM v1 needs'),
  'object-too-large': error([], 'an object that is larger than the API server can store'),
  'submission-folder': error([], 'a bundle in operators/PACKAGE/VERSION that has another version'),
  'submission-ci-invalid': error([], 'a ci.yaml next to such a folder that is not YAML, or has an unknown updateGraph'),
  'submission-replaces-unknown': error([], 'spec.replaces that no bundle next to such a folder has as its name'),
  'previous-unreadable': error([], 'a previous bundle that cannot be read'),
  'upgrade-order': error([], 'a previous bundle of another package, or with the same or a higher version'),
  'upgrade-unsafe': error([], 'a change of a CRD since the previous bundle, with which OLM v1 refuses the upgrade'),
  'upgrade-definition-removed': error([], 'a CRD of the previous bundle that the bundle no longer has'),
  'upgrade-breaks-clients': warning([], 'a served version or a conversion of the previous bundle that is gone'),
} as const satisfies Record<string, BundleCheckFacts>;

/** The id of a check, which findings and the options of the command use. */
export type BundleCheck = keyof typeof bundleChecks;

function error<const V extends readonly UpstreamValidator[]>(validators: V, finds: string) {
  return { level: 'error', validators, finds } as const;
}

function warning<const V extends readonly UpstreamValidator[]>(validators: V, finds: string) {
  return { level: 'warning', validators, finds } as const;
}
