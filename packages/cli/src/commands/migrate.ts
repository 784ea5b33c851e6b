import { Command } from 'commander';
import type { MigrateOptions } from '../migrate/migrate.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

const examples = `
A kind can be given as its name, its plural, a short name or the full name of its CRD. Default: the kinds of evenkeel.config.ts.

Examples:
  $ evenkeel migrate                    all kinds of the project, on the current cluster of kubectl
  $ evenkeel migrate Shop --dry-run     check that the API server accepts every object; write nothing
  $ evenkeel migrate shops.example.com --qps 20 --kubeconfig ~/.kube/production

Exit code 0: all objects are stored in the storage version. Exit code 1: some are not; the errors contain the reasons.
Exit code 130: interrupted by Ctrl-C; the same command continues.
`;

/** `evenkeel migrate`: stores all objects of kinds in the storage version of their CRDs. */
export function migrateCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return new Command('migrate')
    .description(
      'store the objects of a cluster in the storage version of their CRD, so that an old version can be removed',
    )
    .argument('[kind...]', 'the kinds to migrate')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--kubeconfig <file>', 'the cluster (default: that of kubectl)')
    .option('--dry-run', 'write nothing; report what the API server would reject')
    .option('--allow-data-loss', 'migrate although objects lose fields that only their old version has')
    .option('--qps <number>', 'the maximum number of requests per second', '100')
    .option('--no-server', 'do not use a StorageVersionMigration, even if the API server supports it')
    .addHelpText('after', examples)
    .action(async (kinds: string[], options: MigrateOptions) => {
      // Only this command needs the runtime.
      const { migrate } = await import('../migrate/migrate.ts');
      exit(await migrate(kinds, options, terminal));
    });
}
