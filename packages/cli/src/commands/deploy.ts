import { Command } from 'commander';
import type { DeployOptions } from '../deploy/deploy.ts';
import type { UndeployOptions } from '../deploy/undeploy.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { dryRunOption, withClusterOptions } from './cluster-options.ts';

const deployExamples = `
Examples:
  $ evenkeel deploy --image registry.example.com/sites:1.2.0
  $ evenkeel deploy --dry-run=server      prints what would change
  $ evenkeel deploy --context kind-dev --timeout 5m --output json

It applies the same objects that "evenkeel generate" writes to config/, which need not exist. Then it waits until the operator is
available, and deletes the obsolete objects of an older version. Exit code 0: deployed. Exit code 1: not deployed; the errors contain
the reasons. Exit code 130: interrupted by Ctrl-C; the same command continues.
`;

/** `evenkeel deploy`: applies everything that the operator needs. */
export function deployCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  const command = new Command('deploy').description('deploy the operator to a cluster, and wait until it is available');
  return withClusterOptions(command, '2m')
    .option('--image <image>', 'the image of the operator (default: that of the configuration)')
    .addOption(dryRunOption())
    .option('--allow-breaking', 'accept changes of CRDs that can break existing objects and clients')
    .option('--force-conflicts', 'take over fields that other field managers own')
    .addHelpText('after', deployExamples)
    .action(async (options: DeployOptions) => {
      // Only commands for clusters need the client.
      const { deploy } = await import('../deploy/deploy.ts');
      exit(await deploy(options, terminal));
    });
}

const undeployExamples = `
Examples:
  $ evenkeel undeploy                     keeps the CRDs with their objects, and the namespace
  $ evenkeel undeploy --delete-crds       asks, and deletes the objects, then the operator, then the CRDs
  $ evenkeel undeploy --delete-crds --delete-namespace --yes

With --delete-crds, it waits until the operator has removed the finalizers of the objects.
`;

/** `evenkeel undeploy`: deletes what `evenkeel deploy` has applied. */
export function undeployCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  const command = new Command('undeploy').description('delete the operator from a cluster');
  return withClusterOptions(command, '2m')
    .option('--namespace <name>', 'the namespace of the operator (default: that of the configuration)')
    .option('--delete-crds', 'also delete the CRDs and all their objects')
    .option('--delete-namespace', 'also delete the namespace, with everything in it')
    .option('--yes', 'delete without confirmation')
    .addOption(dryRunOption())
    .addHelpText('after', undeployExamples)
    .action(async (options: UndeployOptions) => {
      const { undeploy } = await import('../deploy/undeploy.ts');
      exit(await undeploy(options, terminal));
    });
}
