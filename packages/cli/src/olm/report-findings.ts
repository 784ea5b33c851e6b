import { writeFile } from 'node:fs/promises';
import { posix, relative, resolve, sep } from 'node:path';
import { didYouMean, EvenkeelError, messageOf } from '@evenkeel/core';
import { findingText, type OlmFinding, sarifLog } from '@evenkeel/olm';
import { ownVersion } from '../own-version.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

/** The options of both validations as strings from the command line. */
export interface FindingOptions {
  readonly skip?: readonly string[];
  readonly strict?: boolean;
  readonly sarif?: string;
}

/** The result of a validation. */
export interface ReportedFindings {
  /** The validated folder as the user wrote it. */
  readonly folder: string;
  /** What the last line is about; undefined if the folder could not be read. Then nothing else has been checked, so nothing is skipped. */
  readonly name: string | undefined;
  readonly findings: readonly OlmFinding[];
}

/** Returns the checks of `--skip`. Throws `invalid-option` if one is unknown. */
export function skippedChecks({ skip = [] }: FindingOptions, checks: object): ReadonlySet<string> {
  const known = Object.keys(checks);
  const skipped = skip.flatMap((list) => list.split(',')).map((check) => check.trim());
  const unknown = skipped.find((check) => !known.includes(check));
  if (unknown === undefined) return new Set(skipped);
  const problem = `unknown check "${unknown}"${didYouMean(unknown, known)}; use the id at the end of a message`;
  throw new EvenkeelError('invalid-option', `--skip: ${problem}`);
}

/** Prints the findings of a validation; resolves to the exit code. */
export async function reportFindings(
  { folder, name, findings: all }: ReportedFindings,
  skipped: ReadonlySet<string>,
  { strict = false, sarif }: FindingOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const kept = name === undefined ? all : all.filter(({ check }) => !skipped.has(check));
  const levelled = strict ? kept.map((finding) => ({ ...finding, level: 'error' as const })) : kept;
  const findings = printFindings(levelled, folder, terminal);
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - errors;
  const counts = [count(errors, 'error'), count(warnings, 'warning')].filter((each) => each !== '');
  terminal.out(`${name || folder}: ${[errors > 0 ? 'invalid' : 'valid', ...counts].join(', ')}`);
  if (sarif !== undefined) await writeSarif(resolve(terminal.folder, sarif), sarif, findings);
  return errors > 0 ? 1 : 0;
}

/**
 * Prints findings with the paths of their files relative to the working folder; returns them in this form.
 *
 * @param folder the validated folder as the user wrote it.
 */
export function printFindings(all: readonly OlmFinding[], folder: string, terminal: CommandTerminal): OlmFinding[] {
  const beside = relative(terminal.folder, resolve(terminal.folder, folder)).split(sep).join('/');
  const findings = all.map((finding) => ({
    ...finding,
    ...(finding.file === undefined ? {} : { file: posix.join(beside, finding.file), line: finding.line ?? 1 }),
  }));
  for (const finding of findings) print(finding, folder, terminal);
  return findings;
}

function print(finding: OlmFinding, folder: string, terminal: CommandTerminal): void {
  const { check, level, file, line } = finding;
  terminal.finding({
    level: level === 'error' ? 'error' : 'notice',
    check,
    ...(file === undefined ? {} : { location: { file, line: line ?? 1 } }),
    message: file === undefined ? `${folder}: ${findingText(finding)}` : findingText(finding),
  });
}

async function writeSarif(path: string, shown: string, findings: readonly OlmFinding[]): Promise<void> {
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
