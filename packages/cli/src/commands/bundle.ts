import { Command } from 'commander';
import type { ValidateBundleOptions } from '../olm/validate-bundle.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { helpWith } from './create.ts';
import { withFindingOptions } from './finding-options.ts';

const examples = `
  $ evenkeel bundle validate ./bundle                              every check; exits with 1 if there is an error
  $ evenkeel bundle validate ./bundle --strict --skip csv-name-mismatch
  $ evenkeel bundle validate ./bundle --kubernetes-version 1.36 --sarif bundle.sarif`;

/** `evenkeel bundle`: bundles for the Operator Lifecycle Manager. */
export function bundleCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return new Command('bundle')
    .description('check bundles for the Operator Lifecycle Manager')
    .addHelpText('after', helpWith(examples))
    .addCommand(
      withFindingOptions(new Command('validate'))
        .description('check a bundle of the format registry+v1, whichever tool made it')
        .addHelpText('after', helpWith(examples))
        .argument('<folder>', 'the folder with manifests/ and metadata/')
        .option('--kubernetes-version <version>', 'report an error for each API that this version no longer serves')
        .option('--categories <file>', 'a JSON file with the allowed categories (default: those of OperatorHub)')
        .action(async (folder: string, options: ValidateBundleOptions) => {
          const { validateBundleFolder } = await import('../olm/validate-bundle.ts');
          exit(await validateBundleFolder(folder, options, terminal));
        }),
    );
}
