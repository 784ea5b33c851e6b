export {
  type CertManagerManifest,
  type CertManagerOptions,
  certManagerManifests,
  injectionAnnotation,
  injectionAnnotations,
  servingSecretName,
} from './cert-manager-manifests.ts';
export { authoritySecretName, webhookServiceName } from './certificate-names.ts';
export {
  type CaBundleTargetName,
  type CertificateObjects,
  certificateObjects,
  type ServedWebhooks,
} from './certificate-objects.ts';
