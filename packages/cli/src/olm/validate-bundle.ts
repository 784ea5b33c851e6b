import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { EvenkeelError, messageOf } from '@evenkeel/core';
import { bundleChecks, isKubernetesVersion, validateBundle } from '@evenkeel/olm';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { type FindingOptions, reportFindings, skippedChecks } from './report-findings.ts';

/** The options of `evenkeel bundle validate` as strings from the command line. */
export interface ValidateBundleOptions extends FindingOptions {
  readonly kubernetesVersion?: string;
  readonly categories?: string;
  readonly previous?: string;
}

/** What `--output json` prints. */
export interface BundleReportDocument extends CommandDocument {
  /** The name of the ClusterServiceVersion. Missing if the bundle cannot be read. */
  readonly bundle?: string;
}

/** Prints the findings about a bundle; resolves to the exit code. */
export async function validateBundleFolder(
  folder: string,
  options: ValidateBundleOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const skipped = skippedChecks(options, bundleChecks);
  const { kubernetesVersion } = options;
  if (kubernetesVersion !== undefined && !isKubernetesVersion(kubernetesVersion)) {
    const problem = `${JSON.stringify(kubernetesVersion)} is not a version of Kubernetes; pass one such as 1.36`;
    throw new EvenkeelError('invalid-option', `--kubernetes-version: ${problem}`);
  }
  const { name, findings } = await validateBundle(resolve(terminal.folder, folder), {
    kubernetesVersion,
    previous: options.previous === undefined ? undefined : resolve(terminal.folder, options.previous),
    categories: options.categories === undefined ? undefined : await categoriesIn(terminal.folder, options.categories),
  });
  const document: Partial<BundleReportDocument> = name === undefined ? {} : { bundle: name };
  terminal.add(document);
  return reportFindings({ folder, name, findings }, skipped, options, terminal);
}

/** Reads a file of categories, as operator-sdk takes it in OPERATOR_BUNDLE_CATEGORIES: `{"categories": ["..."]}`. */
async function categoriesIn(folder: string, file: string): Promise<string[]> {
  try {
    const value: unknown = JSON.parse(await readFile(resolve(folder, file), 'utf8'));
    const categories = isJsonObject(value) ? valueAt(value, 'categories') : undefined;
    if (Array.isArray(categories) && categories.every((each) => typeof each === 'string')) return categories;
  } catch (cause) {
    throw new EvenkeelError('invalid-option', `--categories: ${file}: ${messageOf(cause)}; pass a JSON file`, {
      cause,
    });
  }
  throw new EvenkeelError('invalid-option', `--categories: ${file} has no list of strings "categories"; add it`);
}
