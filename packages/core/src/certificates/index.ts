export {
  type CertManagerManifest,
  type CertManagerOptions,
  certManagerManifests,
  injectionAnnotation,
  injectionAnnotations,
  servingSecretName,
} from './cert-manager-manifests.ts';
export { authoritySecretName, webhookServiceName } from './certificate-names.ts';
