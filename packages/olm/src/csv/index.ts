/**
 * ClusterServiceVersions and the other files of bundles, made from the declarations of an operator.
 *
 * @module @evenkeel/olm/csv
 */

export {
  type BundleContents,
  type BundleRelease,
  bundleAnnotations,
  bundleDockerfile,
  bundleFiles,
  bundleFolders,
  bundleMark,
  installFiles,
  type TypedValue,
  type WrittenFile,
} from './bundle-files.ts';
export { type BundleMetadata, isVersion, isVersionRange } from './bundle-metadata.ts';
export {
  type DescriptorOverride,
  type KindDescription,
  ownedKinds,
  requiredKinds,
  type WrittenKind,
} from './described-kinds.ts';
export type { Descriptor } from './descriptors.ts';
export { type CatalogInstallation, installManifestsV0, installManifestsV1 } from './install-manifests.ts';
export {
  forbiddenMode,
  type InstallModeType,
  installModesFor,
  installModeTypes,
  type OperatorScope,
} from './install-modes.ts';
export {
  bundledDefinition,
  clusterServiceVersion,
  type OperatorBundle,
  type WrittenClusterServiceVersion,
} from './operator-bundle.ts';
export { type InstallPermissions, installPermissions } from './permissions.ts';
export {
  type ImageDigests,
  imagesInEnvironment,
  pinned,
  type RelatedImage,
  repositoryOf,
} from './related-image.ts';
export {
  lostOptions,
  type WebhookDeployment,
  type WrittenWebhook,
  webhookDefinitions,
  webhookServiceOf,
} from './webhook-definitions.ts';
