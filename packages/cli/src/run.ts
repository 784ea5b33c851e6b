import type { ChildProcess } from 'node:child_process';
import { EvenkeelError } from '@evenkeel/core';
import { Command, CommanderError } from 'commander';
import { buildCommand } from './commands/build.ts';
import { completionCommand } from './commands/completion.ts';
import { createCommand } from './commands/create.ts';
import { deleteCommand } from './commands/delete.ts';
import { deployCommand, undeployCommand } from './commands/deploy.ts';
import { devCommand } from './commands/dev.ts';
import { doctorCommand } from './commands/doctor.ts';
import { generateCommand } from './commands/generate.ts';
import { initCommand } from './commands/init.ts';
import { installCommand, uninstallCommand } from './commands/install.ts';
import { migrateCommand } from './commands/migrate.ts';
import { runCommand } from './commands/run.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { versionsCommand } from './commands/versions.ts';
import type { LoadingProcess } from './generate/loading-process.ts';
import { quoted, withCode } from './generate/report.ts';
import { ownVersion } from './own-version.ts';
import type { Terminal } from './terminal.ts';

/** Processes that are already starting. The caller stops them if they are not used. */
export interface StartedProcesses {
  /** For `generate`. */
  readonly loading?: LoadingProcess | undefined;
  /** For `dev`. */
  readonly operator?: ChildProcess | undefined;
}

/**
 * Runs one command line (without the program's name) and resolves to its exit code: 0, 1 after one line that
 * describes the error, or another code that its command documents. `--verbose` adds the stack. Never throws.
 */
export async function run(
  commandLine: readonly string[],
  terminal: Terminal,
  { loading, operator }: StartedProcesses = {},
): Promise<number> {
  const program = new Command('evenkeel')
    .description('Kubernetes operators in TypeScript')
    .version(ownVersion())
    // Otherwise "create api --version v1" would print the version of the program.
    .enablePositionalOptions()
    .option('-v, --verbose', 'show the stacks of errors')
    .addHelpText('after', "\nA command's own options and examples: evenkeel <command> --help\n");
  let exitCode = 0;
  const exit = (code: number) => {
    exitCode = code;
  };
  // Options that all commands share may come before or after the command.
  const isVerbose = (): boolean =>
    commandsIn(program).some((command) => command.opts<{ verbose?: boolean }>().verbose === true);
  const commands = [
    initCommand(terminal, exit),
    createCommand(terminal, exit),
    deleteCommand(terminal, exit),
    devCommand(terminal, exit, isVerbose, operator),
    generateCommand(terminal, exit, isVerbose, loading),
    buildCommand(terminal, exit),
    runCommand(terminal, exit, isVerbose),
    installCommand(terminal, exit),
    deployCommand(terminal, exit),
    undeployCommand(terminal, exit),
    uninstallCommand(terminal, exit),
    doctorCommand(terminal, exit),
    migrateCommand(terminal, exit),
    versionsCommand(terminal, exit),
    upgradeCommand(terminal, exit),
    completionCommand(terminal),
  ];
  for (const command of commands) {
    const log = command.name() === 'dev' ? 'the whole log and ' : '';
    program.addCommand(command);
    for (const each of commandsIn(command)) each.option('-v, --verbose', `show ${log}the stacks of errors`);
  }
  for (const command of commandsIn(program)) {
    command.exitOverride();
    const name = nameOf(command);
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

/** A command and those below it. */
function commandsIn(command: Command): Command[] {
  return [command, ...command.commands.flatMap((below) => commandsIn(below))];
}

/** `evenkeel create api`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
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
