import { readFileSync } from 'node:fs';
import { EvenkeelError } from '@evenkeel/core';
import { Command, CommanderError } from 'commander';
import { devCommand } from './commands/dev.ts';
import { generateCommand } from './commands/generate.ts';
import { migrateCommand } from './commands/migrate.ts';
import { versionsCommand } from './commands/versions.ts';
import type { LoadingProcess } from './generate/loading-process.ts';
import { quoted, withCode } from './generate/report.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command line (without the program's name) and resolves to its exit code: 0, 1 after one line that
 * describes the error, or another code that its command documents. `--verbose` adds the stack. Never throws.
 *
 * @param loading a process for `generate` that is already started. The caller stops it if it is not used.
 */
export async function run(
  commandLine: readonly string[],
  terminal: Terminal,
  loading?: LoadingProcess,
): Promise<number> {
  const program = new Command('evenkeel')
    .description('Kubernetes operators in TypeScript')
    .version(version())
    .option('-v, --verbose', 'show the stacks of errors')
    .addHelpText('after', "\nA command's own options and examples: evenkeel <command> --help\n");
  let exitCode = 0;
  const exit = (code: number) => {
    exitCode = code;
  };
  // Options that all commands share may come before or after the command.
  const isVerbose = (): boolean =>
    [program, ...program.commands].some((command) => command.opts<{ verbose?: boolean }>().verbose === true);
  const commands = [
    devCommand(terminal, exit, isVerbose),
    generateCommand(terminal, exit, isVerbose, loading),
    migrateCommand(terminal, exit),
    versionsCommand(terminal, exit),
  ];
  for (const command of commands) {
    const log = command.name() === 'dev' ? 'the whole log and ' : '';
    program.addCommand(command.option('-v, --verbose', `show ${log}the stacks of errors`));
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride();
    const name = command === program ? 'evenkeel' : `evenkeel ${command.name()}`;
    command.configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      // An error that includes the valid values needs no reference to --help.
      outputError: (text, write) =>
        write(/Did you mean|Allowed choices/.test(text) ? text : `${text.trimEnd()}; run '${name} --help'`),
    });
  }
  try {
    await program.parseAsync([...commandLine], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    report(error, isVerbose(), terminal);
    return 1;
  }
}

function report(error: unknown, isVerbose: boolean, terminal: Terminal): void {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof EvenkeelError ? error.code : undefined;
  terminal.err(withCode(message, code), 'error');
  if (!isVerbose) return;
  terminal.err(quoted(stack));
  if (error instanceof EvenkeelError && error.cause instanceof Error) {
    terminal.err(quoted(`caused by ${error.cause.stack}`));
  }
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
