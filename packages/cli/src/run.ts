import type { ChildProcess } from 'node:child_process';
import { EvenkeelError } from '@evenkeel/core';
import { Command, CommanderError } from 'commander';
import { buildCommand } from './commands/build.ts';
import { bundleCommand } from './commands/bundle.ts';
import { capabilityCommand } from './commands/capability.ts';
import { catalogCommand } from './commands/catalog.ts';
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
import { scorecardCommand } from './commands/scorecard.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { versionsCommand } from './commands/versions.ts';
import type { LoadingProcess } from './generate/loading-process.ts';
import { ownVersion } from './own-version.ts';
import type { DocumentFinding } from './report/command-document.ts';
import { CommandTerminal } from './report/command-terminal.ts';
import { quoted } from './report/error-text.ts';
import { outputOption, wantsJson } from './report/output-option.ts';
import type { Terminal } from './terminal.ts';

/** Processes that are already starting. The caller stops them if they are not used. */
export interface StartedProcesses {
  /** For `generate` and `bundle`. */
  readonly loading?: LoadingProcess | undefined;
  /** For `dev`. */
  readonly operator?: ChildProcess | undefined;
}

const examples = `
Examples:
  $ evenkeel init my-operator
  $ evenkeel dev
`;

/** The commands that print a line for each event, because they run until the user stops them. */
const printsLines: ReadonlySet<string> = new Set(['dev', 'run']);

/**
 * Runs one command line (without the program's name) and resolves to its exit code, which docs/cli.md explains. An error is one line
 * on stderr, or with `--output json` a finding in the document on stdout. `--verbose` adds the stack. Never throws.
 */
export async function run(
  commandLine: readonly string[],
  terminal: Terminal,
  started: StartedProcesses = {},
): Promise<number> {
  let exitCode = 0;
  const exit = (code: number) => {
    exitCode = code;
  };
  const output: CommandTerminal = new CommandTerminal(terminal, () => commandsIn(program).some(wantsJson));
  const isVerbose = (): boolean =>
    commandsIn(program).some((command) => command.opts<{ verbose?: boolean }>().verbose === true);
  const program = createProgram(output, exit, isVerbose, started);
  // The command whose options are invalid, or which runs.
  let current = program;
  for (const command of commandsIn(program)) {
    command.exitOverride((error) => {
      current = command;
      throw error;
    });
  }
  program.hook('preAction', (_, command) => {
    current = command;
    if (output.isJson) output.reserve();
  });
  try {
    await program.parseAsync([...commandLine], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      exitCode = error.exitCode;
      // Commander has printed the message, and the help if the command is missing.
      if (error.code === 'commander.help' && output.isJson) output.finding(commandMissing(current));
    } else {
      exitCode = 1;
      report(error, isVerbose(), output);
    }
  }
  output.finish(nameOf(current), exitCode, printsLines.has(nameOf(current)));
  return exitCode;
}

/** Creates the program with all commands. Tests read it too. */
export function createProgram(
  terminal: CommandTerminal,
  exit: (code: number) => void,
  isVerbose: () => boolean,
  { loading, operator }: StartedProcesses = {},
): Command {
  const program = new Command('evenkeel')
    .description('Kubernetes operators in TypeScript')
    .version(ownVersion())
    // Otherwise "create api --version v1" would print the version of the program.
    .enablePositionalOptions()
    .addHelpText('after', `${examples}\nA command's own options and examples: evenkeel <command> --help\n`);
  const commands = [
    initCommand(terminal, exit),
    createCommand(terminal, exit),
    deleteCommand(terminal, exit),
    devCommand(terminal, exit, isVerbose, operator),
    generateCommand(terminal, exit, isVerbose, loading),
    buildCommand(terminal, exit),
    bundleCommand(terminal, exit, isVerbose, loading),
    capabilityCommand(terminal, exit, isVerbose),
    catalogCommand(terminal, exit),
    scorecardCommand(terminal, exit, isVerbose),
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
  for (const command of commands) program.addCommand(command);
  let printed = '';
  // Options that all commands share may come before or after the command.
  for (const command of commandsIn(program)) {
    const name = nameOf(command);
    const log = name === 'dev' ? 'the whole log and ' : '';
    command.addOption(outputOption(printsLines.has(name))).option('-v, --verbose', `show ${log}the stacks of errors`);
    command.configureOutput({
      // The text of --help, in parts, or of --version.
      writeOut: (text) => {
        printed += text;
        terminal.add({ text: printed.trimEnd() });
        terminal.out(text.trimEnd());
      },
      writeErr: (text) => terminal.err(text.trimEnd()),
      // An error that includes the valid values needs no reference to --help.
      outputError: (original, write) => {
        const [, option] = /^error: unknown option '(--[\w-]+)=/.exec(original) ?? [];
        const takesNone = option !== undefined && command.options.some(({ long }) => long === option);
        const text = takesNone ? `error: option '${option}' takes no value` : original;
        const isComplete = /Did you mean|Allowed choices/.test(text);
        const message = isComplete ? text : `${text.trimEnd()}; run '${`evenkeel ${name}`.trimEnd()} --help'`;
        if (!terminal.isJson) write(message);
        else
          terminal.finding({
            level: 'error',
            code: 'invalid-option',
            message: message.replace('error: ', '').trimEnd(),
          });
      },
    });
  }
  return program;
}

function commandMissing(command: Command): DocumentFinding {
  const commands = command.commands.map((each) => each.name()).join(', ');
  return { level: 'error', code: 'invalid-option', message: `the command is missing; pass one of ${commands}` };
}

/** A command and those below it. */
function commandsIn(command: Command): Command[] {
  return [command, ...command.commands.flatMap((below) => commandsIn(below))];
}

/** The words after the name of the program: `create api`. */
function nameOf(command: Command): string {
  return command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();
}

function report(error: unknown, isVerbose: boolean, terminal: CommandTerminal): void {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof EvenkeelError ? error.code : undefined;
  terminal.finding({ level: 'error', code, message });
  if (!isVerbose) return;
  terminal.err(quoted(stack));
  if (error instanceof EvenkeelError && error.cause instanceof Error) {
    terminal.err(quoted(`caused by ${error.cause.stack}`));
  }
}
