import { hasErrors } from '../generate/report.ts';
import type { CommandDocument, DocumentFinding } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import type { ReleaseNotes } from './changelog.ts';

/** The result of an upgrade, or of a dry run. */
export interface UpgradeReport {
  readonly from: string;
  readonly to: string;
  /** Each package.json whose dependencies changed. Paths are relative to the folder of the command. */
  readonly packages: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** What codemods changed, with their titles. */
  readonly changed: readonly { readonly path: string; readonly reasons: readonly string[] }[];
  /** The changes above as a unified diff. */
  readonly diff: string;
  /** The generated files that were written or removed. Empty with `--dry-run`. */
  readonly generated: readonly { readonly path: string; readonly action: 'written' | 'removed' }[];
  /** The errors that prevented the generation of files, and notices about what the user should do by hand. */
  readonly findings: readonly DocumentFinding[];
  readonly changelog: readonly ReleaseNotes[];
  /** Whether the changes were written. */
  readonly written: boolean;
}

/**
 * What `--output json` prints. A newer version may add members; it never removes or changes one, because older versions read it. If the
 * command failed before it changed something, the report is missing, and a finding has the reason.
 */
export type UpgradeDocument = CommandDocument & Partial<UpgradeReport>;

/** The sections of the changelog that are printed whole; of others, only the number of entries. */
const printed: ReadonlySet<string> = new Set(['Changed', 'Removed', 'Deprecated', 'Security']);

/** Prints a report. With `--dry-run`, stdout has only the diff, so that another program can read it. */
export function printReport(report: UpgradeReport, terminal: CommandTerminal): void {
  const { findings, ...members } = report;
  terminal.add(members);
  if (terminal.isJson) {
    for (const finding of findings) terminal.finding(finding);
    return;
  }
  const { packages, changed, generated, diff, written } = report;
  const say = (text: string): void => (written ? terminal.out(text) : terminal.err(text));
  const verb = written ? 'changed' : 'would change';
  for (const { path, names } of packages) say(`${path} ${verb}: ${names.join(', ')}`);
  for (const { path, reasons } of changed) say(`${path} ${verb}: ${reasons.join('; ')}`);
  if (diff !== '') terminal.outSource(diff);
  for (const { path, action } of generated) say(`${path} ${action}`);
  for (const notes of report.changelog) printNotes(notes, say);
  for (const finding of findings) terminal.finding(finding);
  if (!written) return;
  say(
    hasErrors(findings)
      ? 'next: fix the errors, run evenkeel generate and your tests, and commit the changes'
      : 'next: run your tests, and commit the changes',
  );
}

function printNotes({ version, sections }: ReleaseNotes, say: (text: string) => void): void {
  const others: string[] = [];
  say(`what changed in ${version}:`);
  for (const { title, entries } of sections) {
    if (!printed.has(title)) others.push(`${title}: ${entries.length}`);
    else for (const entry of entries) say(`  ${title}: ${entry}`);
  }
  if (others.length > 0) say(`  ${others.join(', ')} (in node_modules/@evenkeel/cli/dist/CHANGELOG.md)`);
}
