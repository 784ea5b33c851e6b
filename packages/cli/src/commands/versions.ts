import { Command } from 'commander';
import type { CommandTerminal } from '../report/command-terminal.ts';
import type { VersionsOptions } from '../versions/versions.ts';

const examples = `
A kind can be given as its name, its plural, a short name or the full name of its CRD. Default: the kinds of evenkeel.config.ts.

Examples:
  $ evenkeel versions                    all kinds of the project, on the current cluster of kubectl
  $ evenkeel versions Shop               who still writes an old version of Shop, and whether it can be removed
  $ evenkeel versions shops.example.com --output json

It only reads. A writer is a field manager in the managedFields of an object, with the version and the time of its last
change. A client that only reads, or that writes no changes, does not appear.
`;

/** `evenkeel versions`: shows the versions of kinds on a cluster, and who writes them. */
export function versionsCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return new Command('versions')
    .description('show which versions of a kind a cluster serves and stores, and who still writes an old one')
    .argument('[kind...]', 'the kinds to show')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--kubeconfig <file>', 'the cluster (default: that of kubectl)')
    .addHelpText('after', examples)
    .action(async (kinds: string[], options: VersionsOptions) => {
      const { versions } = await import('../versions/versions.ts');
      exit(await versions(kinds, options, terminal));
    });
}
