import { readFile, writeFile } from 'node:fs/promises';
import { posix, relative, resolve, sep } from 'node:path';
import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { didYouMean, EvenkeelError, messageOf } from '@evenkeel/core';
import {
  type BundleFinding,
  bundleChecks,
  bundleFindingText,
  isKubernetesVersion,
  sarifLog,
  validateBundle,
} from '@evenkeel/olm';
import { ownVersion } from '../own-version.ts';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

/** The options of `evenkeel bundle validate` as strings from the command line. */
export interface ValidateBundleOptions {
  readonly kubernetesVersion?: string;
  readonly categories?: string;
  readonly skip?: readonly string[];
  readonly strict?: boolean;
  readonly sarif?: string;
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
  const skipped = skippedChecks(options.skip ?? []);
  const { kubernetesVersion } = options;
  if (kubernetesVersion !== undefined && !isKubernetesVersion(kubernetesVersion)) {
    const problem = `${JSON.stringify(kubernetesVersion)} is not a version of Kubernetes; pass one such as 1.36`;
    throw new EvenkeelError('invalid-option', `--kubernetes-version: ${problem}`);
  }
  const path = resolve(terminal.folder, folder);
  const { name, findings: all } = await validateBundle(path, {
    kubernetesVersion,
    categories: options.categories === undefined ? undefined : await categoriesIn(terminal.folder, options.categories),
  });
  // If the bundle cannot be read, nothing else has been checked.
  const kept = name === undefined ? all : all.filter(({ check }) => !skipped.has(check));
  const beside = relative(terminal.folder, path).split(sep).join('/');
  const findings = kept.map(
    (finding): BundleFinding => ({
      ...finding,
      ...(finding.file === undefined ? {} : { file: posix.join(beside, finding.file), line: finding.line ?? 1 }),
      level: options.strict === true ? 'error' : finding.level,
    }),
  );
  for (const finding of findings) print(finding, folder, terminal);
  const document: Partial<BundleReportDocument> = name === undefined ? {} : { bundle: name };
  terminal.add(document);
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - errors;
  const counts = [count(errors, 'error'), count(warnings, 'warning')].filter((each) => each !== '');
  terminal.out(`${name || folder}: ${[errors > 0 ? 'invalid' : 'valid', ...counts].join(', ')}`);
  if (options.sarif !== undefined) await writeSarif(resolve(terminal.folder, options.sarif), options.sarif, findings);
  return errors > 0 ? 1 : 0;
}

function skippedChecks(given: readonly string[]): ReadonlySet<string> {
  const known = Object.keys(bundleChecks);
  const skipped = given.flatMap((list) => list.split(',')).map((check) => check.trim());
  const unknown = skipped.find((check) => !known.includes(check));
  if (unknown === undefined) return new Set(skipped);
  const problem = `unknown check "${unknown}"${didYouMean(unknown, known)}; use the id at the end of a message`;
  throw new EvenkeelError('invalid-option', `--skip: ${problem}`);
}

function print(finding: BundleFinding, folder: string, terminal: CommandTerminal): void {
  const { check, level, file, line } = finding;
  terminal.finding({
    level: level === 'error' ? 'error' : 'notice',
    check,
    ...(file === undefined ? {} : { location: { file, line: line ?? 1 } }),
    message: file === undefined ? `${folder}: ${bundleFindingText(finding)}` : bundleFindingText(finding),
  });
}

async function writeSarif(path: string, shown: string, findings: readonly BundleFinding[]): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(sarifLog(findings, ownVersion()), undefined, 2)}\n`);
  } catch (cause) {
    const problem = `cannot write ${shown}: ${messageOf(cause)}; pass a file in a folder that exists and that you may write`;
    throw new EvenkeelError('invalid-option', `--sarif: ${problem}`, { cause });
  }
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
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
