import { Argument, Command } from 'commander';
import type { CommandTerminal } from '../report/command-terminal.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

const examples = `
Examples:
  $ source <(evenkeel completion bash)                                    in ~/.bashrc
  $ source <(evenkeel completion zsh)                                     in ~/.zshrc, after compinit
  $ evenkeel completion fish > ~/.config/fish/completions/evenkeel.fish
  PS> evenkeel completion powershell | Out-String | Invoke-Expression     in $PROFILE

The script completes commands, options and their choices, and does not run evenkeel. Write it again after an upgrade.
`;

/** `evenkeel completion`: prints a script with which a shell completes commands. */
export function completionCommand(terminal: CommandTerminal): Command {
  return new Command('completion')
    .description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', examples)
    .action(async (shell: (typeof shells)[number], _options: unknown, command: Command) => {
      const program = command.parent ?? command;
      const { completionScript } = await import('../completion/completion-script.ts');
      const script = completionScript(shell, program);
      terminal.add({ shell, script });
      terminal.outSource(script);
    });
}
