import { Command } from 'commander';
import type { DevOptions } from '../dev/dev.ts';
import type { Terminal } from '../terminal.ts';

const examples = `
Examples:
  $ evenkeel dev                             run on an embedded API server until Ctrl-C
  $ evenkeel dev --once                      end by itself: 0 when the samples have converged, 1 with the reason when not
  $ evenkeel dev --kubeconfig ~/.kube/config run on that cluster; installs the CRDs and the samples there, nothing else
`;

/** `evenkeel dev`: the operator of the configuration, live, with its CRDs installed and its samples applied. */
export function devCommand(terminal: Terminal, exit: (code: number) => void, isVerbose: () => boolean): Command {
  return new Command('dev')
    .description('run the operator on an embedded API server, and show what it does')
    .option('-c, --config <file>', 'the configuration (default: evenkeel.config.ts or .js here)')
    .option('--kubeconfig <file>', 'run on this cluster instead')
    .option('--port <number>', "the embedded server's port (default: a free one)")
    .option('--sample <file...>', "apply these objects instead of the configuration's samples")
    .option('--once', 'end when the samples have converged')
    .option('--timeout <duration>', 'how long the samples may take; then --once fails, else it is told', '30s')
    .addHelpText('after', examples)
    .action(async (options: DevOptions) => {
      // The server and the runtime are loaded by no other command.
      const { dev } = await import('../dev/dev.ts');
      exit(await dev(options, terminal, isVerbose()));
    });
}
