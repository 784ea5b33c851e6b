import { resolve } from 'node:path';
import type { Bundle } from '../bundle/bundle.ts';
import type { BundleFile } from '../bundle/bundle-folder.ts';
import { loadBundle } from '../bundle/load-bundle.ts';
import { readBundle } from '../bundle/read-bundle.ts';
import type { BundleCheck } from './bundle-check.ts';
import { type BundleValidationOptions, CheckedBundle } from './checked-bundle.ts';
import { checkContent } from './content-checks.ts';
import { checkCsv } from './csv-checks.ts';
import { checkDefinitions } from './definition-checks.ts';
import { checkExamples } from './example-checks.ts';
import { type OlmFinding, OlmReport } from './finding.ts';
import { checkGoodPractices } from './good-practice-checks.ts';
import { checkInstallation } from './install-checks.ts';
import { checkInstallModes } from './install-mode-checks.ts';
import { checkMetadata } from './metadata-checks.ts';
import { checkObjects } from './object-checks.ts';
import { checkForOperatorHub } from './operator-hub-checks.ts';
import { checkForPipeline } from './pipeline-checks.ts';
import { checkRemovedApis } from './removed-api-checks.ts';
import { checkSubmission } from './submission-checks.ts';
import { checkUpgrade } from './upgrade-checks.ts';

/** The result of {@link validateBundle}. */
export interface BundleValidation {
  /** The name of the ClusterServiceVersion. Missing if the bundle cannot be read. */
  readonly name?: string;
  /** In the order of the checks. */
  readonly findings: readonly OlmFinding<BundleCheck>[];
}

/**
 * Validates a bundle of the format registry+v1 in a folder, whichever tool made it. It needs no cluster and changes nothing. If the
 * bundle cannot be read, only the reasons for that are reported.
 *
 * The checks are those of operator-framework/api, commit 3048ccdc52d1, and more ({@link bundleChecks}). Bundles are untrusted: their
 * size, nesting and aliases are limited, and symbolic links are rejected. Never throws for what is in the folder.
 */
export async function validateBundle(folder: string, options: BundleValidationOptions = {}): Promise<BundleValidation> {
  const report = new OlmReport<BundleCheck>();
  const bundle = await readBundle(folder, report);
  if (bundle !== undefined) await checkSubmission(new CheckedBundle(bundle, options, report), resolve(folder));
  return checkedBundle(bundle, options, report);
}

/** Validates a bundle that is not on disk, as {@link validateBundle} does. */
export async function validateBundleFiles(
  files: readonly BundleFile[],
  options: BundleValidationOptions = {},
): Promise<BundleValidation> {
  const report = new OlmReport<BundleCheck>();
  return checkedBundle(await loadBundle(files, report), options, report);
}

async function checkedBundle(
  bundle: Bundle | undefined,
  options: BundleValidationOptions,
  report: OlmReport<BundleCheck>,
): Promise<BundleValidation> {
  if (bundle === undefined) return { findings: report.findings };
  await checkBundle(bundle, options, report);
  return { name: bundle.name, findings: report.findings };
}

/** Adds the findings about a bundle that could be read. */
export async function checkBundle(
  bundle: Bundle,
  options: BundleValidationOptions,
  report: OlmReport<BundleCheck>,
): Promise<void> {
  const checked = new CheckedBundle(bundle, options, report);
  await checkCsv(checked);
  checkExamples(checked);
  checkInstallModes(checked);
  checkDefinitions(checked);
  checkContent(checked);
  checkForOperatorHub(checked);
  checkRemovedApis(checked);
  checkGoodPractices(checked);
  await checkObjects(checked);
  checkMetadata(checked);
  checkInstallation(checked);
  checkForPipeline(checked);
  if (options.previous !== undefined) await checkUpgrade(checked, options.previous);
}
