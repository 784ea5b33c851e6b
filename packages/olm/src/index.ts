export { currentForm } from './bundle/beta-definition.ts';
export type { Bundle, BundleObject } from './bundle/bundle.ts';
export { type BundleFile, BundleFolderError, readBundleFolder } from './bundle/bundle-folder.ts';
export { readBundle } from './bundle/read-bundle.ts';
export {
  type AnsweredQuestion,
  assessCapability,
  type CapabilityAssessment,
} from './capability/assess-capability.ts';
export type { CapabilityEvidence, EvidenceSource } from './capability/capability-answer.ts';
export type { CapabilityFacts, ManifestFact, ObservedRun, TaggedTest } from './capability/capability-facts.ts';
export {
  type CapabilityLevel,
  type CapabilityQuestion,
  capabilityLevels,
  capabilityQuestions,
} from './capability/capability-question.ts';
export { TestReportError, taggedTestsIn } from './capability/tagged-tests.ts';
export { type BundleCheck, bundleChecks, type FindingLevel, type UpstreamValidator } from './validate/bundle-check.ts';
export { type CatalogCheck, catalogChecks } from './validate/catalog-check.ts';
export type { BundleValidationOptions } from './validate/checked-bundle.ts';
export { findingText, type OlmCheck, type OlmFinding, OlmReport } from './validate/finding.ts';
export { isKubernetesVersion } from './validate/removed-api-checks.ts';
export { type SarifLog, sarifLog } from './validate/sarif.ts';
export { type BundleValidation, validateBundle, validateBundleFiles } from './validate/validate-bundle.ts';
export { type CatalogValidation, validateCatalog } from './validate/validate-catalog.ts';
