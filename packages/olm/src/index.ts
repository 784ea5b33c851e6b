export { currentForm } from './bundle/beta-definition.ts';
export { type Bundle, type BundleObject, packageNameOf } from './bundle/bundle.ts';
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
export type { ChannelEntry } from './catalog/catalog.ts';
export { type BundleAddition, CatalogUpdate } from './catalog/catalog-update.ts';
export { CatalogUpdateError } from './catalog/catalog-update-error.ts';
export { EditError } from './catalog/edit-document.ts';
export { graphSvg } from './catalog/graph-svg.ts';
export { graphText } from './catalog/graph-text.ts';
export { type PlacedBundle, placeInCatalog } from './catalog/place-in-catalog.ts';
export { scorecardConfiguration } from './csv/scorecard-configuration.ts';
export {
  type BuiltInTestName,
  builtInTests,
  runBuiltInTest,
} from './scorecard/built-in-tests.ts';
export { type BundleExamples, examplesOf } from './scorecard/bundle-example.ts';
export {
  type ConfiguredTest,
  parseScorecardConfiguration,
  ScorecardConfigurationError,
  type ScorecardStage,
  scorecardFolder,
} from './scorecard/scorecard-configuration.ts';
export type { ScorecardRun, ScorecardSubject } from './scorecard/scorecard-subject.ts';
export { scorecardText } from './scorecard/scorecard-text.ts';
export {
  allPass,
  parseScorecardResults,
  type ScorecardResult,
  ScorecardResultError,
  type ScorecardState,
  type ScorecardTest,
  type ScorecardTestList,
  type ScorecardTestSpec,
  scorecardVersion,
} from './scorecard/test-result.ts';
export { runnerOf, type TestRunner } from './scorecard/test-runner.ts';
export { xunitOf } from './scorecard/xunit.ts';
export { type BundleCheck, bundleChecks, type FindingLevel, type UpstreamValidator } from './validate/bundle-check.ts';
export { type CatalogCheck, catalogChecks } from './validate/catalog-check.ts';
export type { BundleValidationOptions } from './validate/checked-bundle.ts';
export { findingText, type OlmCheck, type OlmFinding, OlmReport } from './validate/finding.ts';
export { isKubernetesVersion } from './validate/removed-api-checks.ts';
export { type SarifLog, sarifLog } from './validate/sarif.ts';
export { type BundleValidation, validateBundle, validateBundleFiles } from './validate/validate-bundle.ts';
export { type CatalogValidation, validateCatalog } from './validate/validate-catalog.ts';
