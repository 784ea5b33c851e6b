import { Command } from 'commander';
import type { CommandTerminal } from '../report/command-terminal.ts';
import type { RunOptions } from '../run-operator/run-operator.ts';

const examples = `
Examples:
  $ evenkeel build && evenkeel run        run dist/operator.mjs on the current cluster of kubectl
  $ evenkeel run --module src/main.ts     run the sources
  $ evenkeel run -- --log-level debug     pass settings to the operator
  $ evenkeel run --without-lease          run beside the replica in the cluster

It asks the leader in the cluster to release the Lease, waits, and gives the Lease back at the end.
The exit code is that of the operator: 0 after Ctrl-C.
`;

/** `evenkeel run`: runs the operator on a cluster in place of the replica there. */
export function runCommand(terminal: CommandTerminal, exit: (code: number) => void, isVerbose: () => boolean): Command {
  return new Command('run')
    .description('run the built operator on a cluster, in place of the replica there')
    .argument('[settings...]', 'settings of the operator, after --')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--module <file>', 'the module that runs the operator', 'dist/operator.mjs')
    .option('--kubeconfig <file>', 'the cluster (default: that of kubectl)')
    .option('-n, --namespace <name>', 'the namespace of the Lease (default: as declared, or that of the deployment)')
    .option('--without-lease', 'do not use the Lease; the replica in the cluster continues to reconcile')
    .addHelpText('after', examples)
    .action(async (settings: string[], options: RunOptions) => {
      const { runOperator } = await import('../run-operator/run-operator.ts');
      exit(await runOperator(settings, options, terminal, isVerbose()));
    });
}
