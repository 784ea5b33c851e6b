export { type BundleCheck, bundleChecks, type FindingLevel, type UpstreamValidator } from './validate/bundle-check.ts';
export { type BundleFinding, bundleFindingText } from './validate/bundle-finding.ts';
export type { BundleValidationOptions } from './validate/checked-bundle.ts';
export { isKubernetesVersion } from './validate/removed-api-checks.ts';
export { type SarifLog, sarifLog } from './validate/sarif.ts';
export { type BundleValidation, validateBundle } from './validate/validate-bundle.ts';
