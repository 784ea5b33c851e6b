import type { Command } from 'commander';
import { bashCompletion } from './bash-completion.ts';
import { type CompletedCommand, completedCommands } from './completed-command.ts';
import { fishCompletion } from './fish-completion.ts';
import { powershellCompletion } from './powershell-completion.ts';
import { zshCompletion } from './zsh-completion.ts';

const scripts = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} satisfies Record<string, (program: string, commands: readonly CompletedCommand[]) => string>;

/** Returns the script with which a shell completes the commands, options and choices of a program. */
export function completionScript(shell: keyof typeof scripts, program: Command): string {
  return scripts[shell](program.name(), completedCommands(program));
}
