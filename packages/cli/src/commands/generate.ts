import { relative, resolve } from 'node:path';
import { durationMs, type ErrorCode, EvenkeelError } from '@evenkeel/core';
import { type Finding, findingText } from '@evenkeel/schema';
import { Command, Option } from 'commander';
import { compareWithDisk, type OutputFile, writeChanged } from '../generate/output-files.ts';
import { runGeneration } from '../generate/run-generation.ts';
import { findConfig } from '../load/load-config.ts';
import type { Terminal } from '../terminal.ts';

interface GenerateOptions {
  readonly config?: string;
  readonly check?: boolean;
  readonly output: 'text' | 'json';
  readonly timeout: string;
}

const examples = `
Examples:
  $ evenkeel generate                 write config/crd/*.yaml from the classes that evenkeel.config.ts names
  $ evenkeel generate --check         in CI: exit 1 where a file is stale or missing
  $ evenkeel generate --output json   what was found and written, for a program
`;

/** `evenkeel generate`: CRDs from the classes of the configuration. `exit` is told 1 where something is to be mended. */
export function generateCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('generate')
    .description('write the CRDs of the classes that evenkeel.config.ts names')
    .option('-c, --config <file>', 'the configuration (default: evenkeel.config.ts or .js here)')
    .option('--check', 'write nothing; exit 1 where a file is stale or missing')
    .addOption(new Option('-o, --output <format>', 'how to report').choices(['text', 'json']).default('text'))
    .option('--timeout <duration>', 'how long the modules may take to load', '30s')
    .addHelpText('after', examples)
    .action(async (options: GenerateOptions) => exit(await generate(options, terminal)));
}

async function generate(options: GenerateOptions, terminal: Terminal): Promise<number> {
  const configPath =
    options.config === undefined ? findConfig(terminal.folder) : resolve(terminal.folder, options.config);
  const answer = await runGeneration({ configPath }, durationMs(options.timeout as `${number}s`));
  if ('error' in answer) {
    const error = new EvenkeelError(answer.error.code as ErrorCode, answer.error.message);
    error.stack = answer.error.stack;
    throw error;
  }
  const isBroken = hasErrors(answer.findings);
  const files = isBroken ? [] : await compareWithDisk(answer.files, answer.output);
  const wasWritten = !isBroken && options.check !== true;
  if (wasWritten) await writeChanged(files);
  const findings = [
    ...answer.findings.map((finding) => fromFolder(finding, terminal.folder)),
    ...(options.check === true ? files.filter((file) => file.state !== 'current') : []).map((file) =>
      staleOutput(file, terminal.folder),
    ),
  ];
  if (options.output === 'json') reportJson(files, findings, wasWritten, terminal);
  else reportText(files, findings, wasWritten, terminal);
  return hasErrors(findings) ? 1 : 0;
}

function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.level === 'error');
}

function staleOutput({ path, state }: OutputFile, folder: string): Finding {
  const message = `${relative(folder, path)} is ${state}; run "evenkeel generate" and commit it`;
  return { level: 'error', code: 'stale-output', className: '', message };
}

function reportText(
  files: readonly OutputFile[],
  findings: readonly Finding[],
  wasWritten: boolean,
  terminal: Terminal,
): void {
  for (const finding of findings) terminal.err(`${finding.level}: ${findingText(finding)} [${finding.code}]`);
  for (const { path, state } of files) {
    const shown = relative(terminal.folder, path);
    if (state === 'current') terminal.out(`${shown} is current`);
    else if (wasWritten) terminal.out(`${shown} written`);
  }
}

function reportJson(
  files: readonly OutputFile[],
  findings: readonly Finding[],
  wasWritten: boolean,
  terminal: Terminal,
): void {
  const shown = files.map(({ path, state }) => ({
    path: relative(terminal.folder, path),
    state,
    written: wasWritten && state !== 'current',
  }));
  terminal.out(JSON.stringify({ files: shown, findings }, undefined, 2));
}

function fromFolder(finding: Finding, folder: string): Finding {
  if (finding.location === undefined) return finding;
  return { ...finding, location: { ...finding.location, file: relative(folder, finding.location.file) } };
}
