import { dirname, relative } from 'node:path';
import { Command } from 'commander';
import { foreignFile } from '../generate/foreign-file.ts';
import type { GenerationAnswer, ReportedFinding } from '../generate/generation.ts';
import { type LoadingProcess, startLoadingProcess } from '../generate/loading-process.ts';
import { compareWithDisk, type OutputFile, writeChanged } from '../generate/output-files.ts';
import { type GenerateResult, hasErrors, reportResult } from '../generate/report.ts';
import { runGeneration } from '../generate/run-generation.ts';
import { WrittenFiles } from '../generate/written-files.ts';
import { findConfig } from '../load/load-config.ts';
import { ProgressLines } from '../progress-lines.ts';
import { withProjectLock } from '../project-lock.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { timeoutOf } from '../timeout-option.ts';

interface GenerateOptions {
  readonly config?: string;
  readonly check?: boolean;
  readonly timeout: string;
}

const examples = `
Examples:
  $ evenkeel generate                 write config/ from the classes and the operator in evenkeel.config.ts
  $ evenkeel generate --check         in CI: exit with code 1 if a file is stale, missing or obsolete
  $ evenkeel generate --output json   print a report for programs
  $ evenkeel generate --verbose       also print the stack if a module throws

Exit code 0: all files are current or were written. Exit code 1: there are errors to fix first; nothing was written.
Types are not checked; run "npx tsc --noEmit".
Notices report where a schema is not exactly what a class declares. They do not change the exit code.
`;

/**
 * `evenkeel generate`: writes the CRDs of the classes in the configuration, and the manifests of the operator. Calls `exit(1)` if the user must fix
 * something.
 *
 * @param loading a process that is already started. Default: the command starts one.
 */
export function generateCommand(
  terminal: CommandTerminal,
  exit: (code: number) => void,
  isVerbose: () => boolean,
  loading: LoadingProcess | undefined,
): Command {
  return new Command('generate')
    .description('write the CRDs and manifests of the project, and check its controllers')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--check', 'write nothing; exit with code 1 if a file is stale, missing or obsolete')
    .option('--timeout <duration>', 'how long loading the modules may take', '30s')
    .addHelpText('after', examples)
    .action(async (options: GenerateOptions) => {
      const result = await generate(options, terminal, loading);
      reportResult(result, isVerbose(), terminal);
      exit(hasErrors(result.findings) ? 1 : 0);
    });
}

/** Generates the files. With `output: 'json'`, errors are findings. */
export async function generate(
  options: GenerateOptions,
  terminal: CommandTerminal,
  loading = startLoadingProcess(terminal.folder),
): Promise<GenerateResult> {
  const progress = new ProgressLines(terminal);
  const observer = { onPrint: (line: string) => terminal.err(line), onProgress: progress.onProgress };
  try {
    const timeLimitMs = timeoutOf(options.timeout);
    const configPath = findConfig(terminal.folder, options.config);
    const request = { configPath, folder: terminal.folder };
    const answer = await runGeneration(loading, request, timeLimitMs, observer);
    const outputAt = performance.now();
    const checksOnly = options.check === true;
    const finish = () => output(answer, checksOnly, configPath, terminal);
    const lock = { folder: dirname(configPath), command: 'generate', terminal };
    const { files, failures, wasWritten } = await (checksOnly ? finish() : withProjectLock(lock, finish));
    const now = performance.now();
    return {
      findings: [...answer.findings, ...failures],
      files,
      wasWritten,
      timings: { startMs: loading.first?.afterMs ?? 0, ...answer.timings, outputMs: now - outputAt, totalMs: now },
    };
  } finally {
    progress.stop();
    loading.child.kill('SIGKILL');
  }
}

/** Compares the generated files with those on disk. Writes them unless there is an error or a foreign file is in the way. */
async function output(
  { files: generated, findings, output: folder, chart }: GenerationAnswer,
  checksOnly: boolean,
  configPath: string,
  terminal: CommandTerminal,
): Promise<{ files: readonly OutputFile[]; failures: readonly ReportedFinding[]; wasWritten: boolean }> {
  if (hasErrors([...findings]) || folder === undefined) return { files: [], failures: [], wasWritten: false };
  const files = await compareWithDisk(generated, folder, chart);
  const foreign = files.flatMap(({ path, foreignBy }) =>
    foreignBy === undefined ? [] : [foreignFile(path, foreignBy, configPath, terminal.folder)],
  );
  if (foreign.length > 0) return { files: [], failures: foreign, wasWritten: false };
  if (checksOnly) {
    const stale = files.filter(({ state }) => state !== 'current').map((file) => notCurrent(file, terminal.folder));
    return { files, failures: stale, wasWritten: false };
  }
  const written = await WrittenFiles.read(dirname(configPath));
  const edited = await written.keepEdited(files, terminal.folder);
  await writeChanged(files);
  await written.record(files);
  return { files, failures: edited, wasWritten: true };
}

function notCurrent({ path, state }: OutputFile, folder: string): ReportedFinding {
  const shown = relative(folder, path);
  const message =
    state === 'obsolete'
      ? `${shown} is obsolete: no class generates it; run "evenkeel generate" and commit the removal`
      : `${shown} is ${state}; run "evenkeel generate" and commit it`;
  return { level: 'error', code: 'stale-output', className: '', message, text: message };
}
