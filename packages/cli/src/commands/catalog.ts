import { Command } from 'commander';
import type { FindingOptions } from '../olm/report-findings.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { helpWith } from './create.ts';
import { withFindingOptions } from './finding-options.ts';

const examples = `
  $ evenkeel catalog validate ./catalog                            every check; exits with 1 if there is an error
  $ evenkeel catalog validate ./catalog --strict --skip package-icon-missing
  $ evenkeel catalog validate ./catalog --sarif catalog.sarif`;

/** `evenkeel catalog`: file-based catalogs for the Operator Lifecycle Manager. */
export function catalogCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return new Command('catalog')
    .description('check file-based catalogs for the Operator Lifecycle Manager')
    .addHelpText('after', helpWith(examples))
    .addCommand(
      withFindingOptions(new Command('validate'))
        .description('check a file-based catalog, whichever tool made it')
        .addHelpText('after', helpWith(examples))
        .argument('<folder>', 'the folder of the catalog')
        .action(async (folder: string, options: FindingOptions) => {
          const { validateCatalogFolder } = await import('../olm/validate-catalog.ts');
          exit(await validateCatalogFolder(folder, options, terminal));
        }),
    );
}
