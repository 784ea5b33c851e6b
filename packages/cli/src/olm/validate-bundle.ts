import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { EvenkeelError, messageOf } from '@evenkeel/core';
import { type BundleCheck, type BundleFinding, bundleChecks, sarifLog, validateBundle } from '@evenkeel/olm';
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
  const skipped = new Set(options.skip ?? []);
  const unknown = [...skipped].find((check) => !Object.hasOwn(bundleChecks, check));
  if (unknown !== undefined) {
    throw new EvenkeelError('invalid-option', `--skip: unknown check "${unknown}"; use the id at the end of a message`);
  }
  const { name, findings: all } = await validateBundle(resolve(terminal.folder, folder), {
    kubernetesVersion: options.kubernetesVersion,
    categories: options.categories === undefined ? undefined : await categoriesIn(terminal.folder, options.categories),
  });
  const findings = all.filter(({ check }) => !skipped.has(check));
  if (options.sarif !== undefined) {
    const log = sarifLog(findings, ownVersion());
    await writeFile(resolve(terminal.folder, options.sarif), `${JSON.stringify(log, undefined, 2)}\n`);
  }
  const isStrict = options.strict === true;
  for (const finding of findings) print(finding, isStrict, terminal);
  const document: Partial<BundleReportDocument> = name === undefined ? {} : { bundle: name };
  terminal.add(document);
  const errors = findings.filter(({ level }) => isStrict || level === 'error').length;
  const warnings = findings.length - errors;
  const counts = [count(errors, 'error'), count(warnings, 'warning')].filter((each) => each !== '');
  terminal.out(`${name || folder}: ${[errors > 0 ? 'invalid' : 'valid', ...counts].join(', ')}`);
  return errors > 0 ? 1 : 0;
}

function print(
  { check, level, file, line, field, message }: BundleFinding,
  isStrict: boolean,
  terminal: CommandTerminal,
) {
  terminal.finding({
    level: isStrict || level === 'error' ? 'error' : 'notice',
    check: check satisfies BundleCheck,
    ...(file === undefined ? {} : { location: { file, line: line ?? 1 } }),
    message: [file === undefined ? '' : `${file}:${line ?? 1}`, field ?? '', message]
      .filter((part) => part !== '')
      .join(': '),
  });
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
    throw new EvenkeelError('invalid-option', `--categories: ${messageOf(cause)}; give a JSON file`, { cause });
  }
  throw new EvenkeelError('invalid-option', `--categories: ${file} has no list of strings "categories"; add it`);
}
