import { Command } from 'commander';
import type { ApplyOptions } from '../deploy/install.ts';
import type { RemoveOptions } from '../deploy/undeploy.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { dryRunOption, withClusterOptions } from './cluster-options.ts';

const installExamples = `
Examples:
  $ evenkeel install                      applies the CRDs to the current cluster of kubectl
  $ evenkeel install --dry-run=server     prints what would change
  $ evenkeel install --context kind-dev --allow-breaking

The command rejects a CRD that can break objects or clients on the cluster. A version in which objects are stored cannot be removed.
Exit code 0: the CRDs are served. Exit code 1: they are not; the errors contain the reasons. Exit
code 130: interrupted by Ctrl-C.
`;

/** `evenkeel install`: applies the CRDs. */
export function installCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return withClusterOptions(new Command('install').description('apply the CRDs of the project to a cluster'), '1m')
    .addOption(dryRunOption())
    .option('--allow-breaking', 'accept changes that can break existing objects and clients')
    .option('--force-conflicts', 'take over fields that other field managers own')
    .addHelpText('after', installExamples)
    .action(async (options: ApplyOptions) => {
      // Only commands for clusters need the client.
      const { install } = await import('../deploy/install.ts');
      exit(await install(options, terminal));
    });
}

const uninstallExamples = `
Examples:
  $ evenkeel uninstall --dry-run=server   prints how many objects would be deleted
  $ evenkeel uninstall                    asks, and deletes the objects and the CRDs
  $ evenkeel uninstall --yes              does not ask

The objects are deleted first. The command waits until the operator has removed their finalizers.
`;

/** `evenkeel uninstall`: deletes the CRDs with their objects. */
export function uninstallCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  const command = new Command('uninstall').description('delete the CRDs of the project and all their objects');
  return withClusterOptions(command, '2m')
    .addOption(dryRunOption())
    .option('--yes', 'delete without confirmation')
    .addHelpText('after', uninstallExamples)
    .action(async (options: RemoveOptions) => {
      const { uninstall } = await import('../deploy/undeploy.ts');
      exit(await uninstall(options, terminal));
    });
}
