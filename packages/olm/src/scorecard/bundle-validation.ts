import { type BundleCheck, bundleChecks, type UpstreamValidator } from '../validate/bundle-check.ts';
import { findingText, type OlmFinding, OlmReport } from '../validate/finding.ts';
import { checkBundle } from '../validate/validate-bundle.ts';
import type { ScorecardSubject, TestFindings } from './scorecard-subject.ts';

/** What operator-sdk's test runs. */
const byDefault: readonly UpstreamValidator[] = ['load', 'clusterserviceversion', 'crd', 'bundle'];

/** Errors that only matter to OperatorHub, which not every operator is for. */
const ofOperatorHub: ReadonlySet<BundleCheck> = new Set([
  'version-form',
  'display-name-length',
  'description-short',
  'provider-short',
  'maintainers-missing',
  'links-missing',
  'icon-not-base64',
]);

/** The bundle has no error that prevents its installation. */
export async function bundleValidation({ bundle }: ScorecardSubject): Promise<TestFindings> {
  const report = new OlmReport<BundleCheck>();
  await checkBundle(bundle, {}, report);
  const found = report.findings.filter(({ check }) => isOfInstallation(check));
  const textOf = (finding: OlmFinding<BundleCheck>): string => `${findingText(finding)} [${finding.check}]`;
  return {
    errors: found.filter(({ level }) => level === 'error').map(textOf),
    suggestions: found.filter(({ level }) => level === 'warning').map(textOf),
  };
}

function isOfInstallation(check: BundleCheck): boolean {
  const validators: readonly UpstreamValidator[] = bundleChecks[check].validators;
  if (validators.length === 0) return !ofOperatorHub.has(check);
  return validators.some((validator) => byDefault.includes(validator));
}
