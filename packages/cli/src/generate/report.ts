import { relative } from 'node:path';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { quoted, withCode } from '../report/error-text.ts';
import type { GenerationTimings, ReportedFinding } from './generation.ts';
import type { OutputFile } from './output-files.ts';

/** The result of a run of `evenkeel generate`. */
export interface GenerateResult {
  readonly findings: readonly ReportedFinding[];
  readonly files: readonly OutputFile[];
  /** Whether files were written and removed, or only compared. */
  readonly wasWritten: boolean;
  readonly timings: RunTimings;
}

/** In milliseconds; see docs/generate.md. */
export interface RunTimings extends GenerationTimings {
  /** From the start of this process to the start of the loading process. */
  readonly startMs: number;
  readonly outputMs: number;
  /** From the start of this process to the report. */
  readonly totalMs: number;
}

/** What `--output json` prints. If the modules were not loaded in time, it has only the findings. */
export interface GenerateReport extends CommandDocument {
  readonly files: readonly {
    /** Relative to the working folder. */
    readonly path: string;
    /** The state before the run. */
    readonly state: OutputFile['state'];
    readonly action: 'none' | 'written' | 'removed';
  }[];
  readonly timings: RunTimings;
}

export function hasErrors(findings: readonly Pick<ReportedFinding, 'level'>[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

/** Reports the files and the durations, which the text does not have. */
function addResult({ files, wasWritten, timings }: GenerateResult, terminal: CommandTerminal): void {
  const report: Omit<GenerateReport, keyof CommandDocument> = {
    files: files.map((file) => ({
      path: relative(terminal.folder, file.path),
      state: file.state,
      action: wasWritten ? actionOn(file) : 'none',
    })),
    timings: Object.fromEntries(
      Object.entries(timings).map(([name, value]) => [name, Math.round(value)]),
    ) as unknown as RunTimings,
  };
  terminal.add(report);
}

/** The command that checks types. The commands of this package do not: they remove the types from modules. */
export const typeCheck = 'npx tsc --noEmit';

/** Prints the result of a run. */
export function reportResult(result: GenerateResult, isVerbose: boolean, terminal: CommandTerminal): void {
  const { files, wasWritten } = result;
  addResult(result, terminal);
  reportFindings(result.findings, isVerbose, terminal);
  const summary = summaryOf(isVerbose ? result.findings : result.findings.filter(({ isMinor }) => isMinor !== true));
  if (summary !== undefined && !terminal.isJson) terminal.err(summary);
  const current = files.filter(({ state }) => state === 'current');
  const isCombined = current.length > 1 && !isVerbose;
  for (const file of files) {
    const shown = relative(terminal.folder, file.path);
    if (file.state === 'current') {
      if (!isCombined) terminal.out(`${shown} is current`);
    } else if (wasWritten) terminal.out(`${shown} ${actionOn(file)}`);
  }
  if (isCombined) terminal.out(`${current.length} files are current`);
  // A script that goes on with other checks does not need the reminder.
  if (wasWritten && terminal.isInteractive === true) terminal.err(`types are not checked; run "${typeCheck}"`);
}

/** Prints findings: for a user with equal ones combined, and for a program each of them. All commands use it. */
export function reportFindings(all: readonly ReportedFinding[], isVerbose: boolean, terminal: CommandTerminal): void {
  if (terminal.isJson) {
    for (const { text: _text, stack: _stack, ...finding } of all) terminal.finding(finding);
    return;
  }
  const minor = isVerbose ? [] : all.filter(({ isMinor }) => isMinor === true);
  const findings = all.filter((finding) => !minor.includes(finding));
  if (minor.length > 0) terminal.err(withCode(minorText(minor), 'inexact-constraint'), 'notice');
  for (const alike of groupsOfAlike(inReadingOrder(findings))) {
    const [finding, ...others] = alike;
    const text = others.length === 0 ? finding.text : finding.message;
    const [head = '', ...details] = finding.details === undefined ? [text] : text.split('\n');
    terminal.err(withCode(head, finding.code), finding.level);
    for (const detail of details) terminal.err(`  ${detail}`);
    if (others.length > 0) for (const one of alike) terminal.err(`    ${placeOf(one)}`);
    for (const { stack } of alike) if (isVerbose && stack !== undefined) terminal.err(quoted(stack));
  }
}

function actionOn({ state, text }: OutputFile): 'none' | 'written' | 'removed' {
  if (state === 'current') return 'none';
  return text === undefined ? 'removed' : 'written';
}

/**
 * Sorts notices first, so that errors are next to the prompt, then by file and line. The files stay in the order of the checks: a mistake
 * in a class of the API causes mistakes in its controllers, and must be read first. So must a mistake of the whole project, such as two
 * copies of a package, which has no file.
 */
function inReadingOrder(findings: readonly ReportedFinding[]): ReportedFinding[] {
  const weight = ({ level }: ReportedFinding) => (level === 'notice' ? 0 : 1);
  const files = [undefined, ...new Set(findings.map(({ location }) => location?.file))];
  const file = ({ location }: ReportedFinding) => files.indexOf(location?.file);
  return findings.toSorted(
    (left, right) =>
      weight(left) - weight(right) ||
      file(left) - file(right) ||
      (left.location?.line ?? 0) - (right.location?.line ?? 0),
  );
}

/** Groups notices with the same message about several properties, at the position of the first. */
function groupsOfAlike(findings: readonly ReportedFinding[]): [ReportedFinding, ...ReportedFinding[]][] {
  const groups = new Map<string, [ReportedFinding, ...ReportedFinding[]]>();
  for (const [at, finding] of findings.entries()) {
    const { level, code, message, property } = finding;
    const key = level === 'notice' && property !== undefined ? `${code} ${message}` : String(at);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

/** Returns the part before the message: `src/nginx.ts:12: NginxSpec.port`. */
function placeOf({ text, message }: ReportedFinding): string {
  return text.endsWith(message) ? text.slice(0, -message.length).replace(/: $/, '') : text;
}

const placesNamed = 3;

/** Combines minor notices in one line, because the user need not react to them. */
function minorText(findings: readonly ReportedFinding[]): string {
  const places = [...new Set(findings.map(({ className, property }) => `${className}.${property}`))];
  const more = places.length - placesNamed;
  const named = `${places.slice(0, placesNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `the schema differs from the decorators of ${named} in minor details; --verbose lists them, and class-validator.md of the documentation explains them`;
}

/** Returns a summary only if there is more than one finding. */
function summaryOf(findings: readonly ReportedFinding[]): string | undefined {
  const count = (level: ReportedFinding['level'], code?: string) =>
    findings.filter((finding) => finding.level === level && (code === undefined || finding.code === code)).length;
  const errors = count('error');
  const notices = count('notice');
  const inexact = count('notice', 'inexact-constraint');
  if (errors > 1) return `${errors} errors; no file was written`;
  if (errors === 0 && inexact > 0) {
    const what = inexact === 1 ? 'one decorator is' : `${inexact} decorators are`;
    return `${what} not exactly represented in the schema; class-validator.md of the documentation explains why, and what checks the rest`;
  }
  return errors === 0 && notices > 1 ? `${notices} notices` : undefined;
}
