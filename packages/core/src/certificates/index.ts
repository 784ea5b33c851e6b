export {
  type CertManagerManifest,
  type CertManagerOptions,
  certManagerManifests,
  injectionAnnotation,
  injectionAnnotations,
  servingSecretName,
} from './cert-manager-manifests.ts';
export {
  authoritySecretName,
  authoritySecretType,
  servingCertificatesDirectory,
  webhookServiceName,
} from './certificate-names.ts';
export {
  type CaBundleTargetName,
  type CertificateObjects,
  certificateObjects,
  type ServedWebhooks,
} from './certificate-objects.ts';
export {
  type CertificateSource,
  type DeclaredCertificates,
  type PlannedCertificates,
  plannedCertificates,
} from './certificate-source.ts';
export {
  type CertificateDurations,
  type CertificateTiming,
  type CertificateTimingOptions,
  certificateTiming,
  renewalShare,
} from './certificate-timing.ts';
export { webhookClientConfig } from './webhook-client-config.ts';
