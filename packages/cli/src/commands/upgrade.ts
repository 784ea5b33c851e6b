import { Command } from 'commander';
import type { CommandTerminal } from '../report/command-terminal.ts';
import type { UpgradeOptions } from '../upgrade/upgrade.ts';
import { withEditOptions } from './create.ts';

const examples = `
Examples:
  $ evenkeel upgrade                  to the latest version
  $ evenkeel upgrade 0.2.0            to this version; a tag of the registry, such as next, is possible too
  $ evenkeel upgrade --dry-run        print the changes of package.json and your sources as a diff
  $ evenkeel upgrade --from 0.1.0     the packages are upgraded already: change the sources and generate the files

The command changes the versions of all packages of evenkeel in package.json, installs them with your package manager, changes your
sources as the new version needs it, generates the files, and prints what changed for you. If a step fails, package.json and the
lockfile are restored.
Exit code 0: upgraded, or nothing to upgrade. Exit code 1: nothing is changed, or the files could not be generated.
`;

/** `evenkeel upgrade`: moves a project to another version of the framework. */
export function upgradeCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return withEditOptions(new Command('upgrade').description('move the project to a newer version of evenkeel'))
    .argument('[version]', 'the version or a tag of the registry (default: latest)')
    .option('--from <version>', 'the version before the upgrade, if the packages are already upgraded')
    .option('--allow-dirty', 'upgrade although git has changes that are not committed')
    .addHelpText('after', examples)
    .action(async (version: string | undefined, options: UpgradeOptions) => {
      const { upgrade } = await import('../upgrade/upgrade.ts');
      const { config } = options;
      const generate = async () => {
        const { generate: generateFiles } = await import('./generate.ts');
        return generateFiles({ ...(config === undefined ? {} : { config }), timeout: '30s' }, terminal);
      };
      exit(await upgrade(version, options, terminal, generate));
    });
}
