import { Command } from 'commander';
import type { FindingOptions } from '../olm/report-findings.ts';
import type { UpdateCatalogOptions } from '../olm/update-catalog.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { helpWith } from './create.ts';
import { withFindingOptions } from './finding-options.ts';

const validateExamples = `
  $ evenkeel catalog validate ./catalog                            every check; exits with 1 if there is an error
  $ evenkeel catalog validate ./catalog --strict --skip package-icon-missing
  $ evenkeel catalog validate ./catalog --sarif catalog.sarif`;

const examples = `
  $ evenkeel catalog ./catalog ./bundle --image quay.io/acme/widgets-bundle@sha256:...
  $ evenkeel catalog ./catalog ./bundle --image quay.io/acme/widgets-bundle:v{version} --channels stable,fast --dry-run
  $ evenkeel catalog ./catalog --deprecate widgets/widgets.v0.1.0 --message "has a security problem; upgrade"
  $ evenkeel catalog ./catalog ./bundle --template semver.yaml --image quay.io/acme/widgets-bundle:v{version}
  $ evenkeel catalog ./catalog --graph svg > graph.svg`;

/** `evenkeel catalog`: file-based catalogs for the Operator Lifecycle Manager. */
export function catalogCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return new Command('catalog')
    .description('write and check file-based catalogs for the Operator Lifecycle Manager')
    .addHelpText('after', helpWith(examples, validateExamples))
    .argument('<folder>', 'the folder of the catalog, which is created if you add a bundle')
    .argument('[bundles...]', 'folders of bundles to add to channels')
    .option('--image <reference>', 'the image of the bundle; {package}, {name} and {version} are replaced')
    .option('--channels <names>', 'the channels, with commas (default: those of the bundle)')
    .option('--default-channel <name>', 'make this channel the default of the package')
    .option('--replaces <name>', 'the bundle that the new one replaces (default: derived from the channel)')
    .option('--skips <names>', 'the bundles that the new one skips, with commas (default: those of the bundle)')
    .option('--skip-range [range]', 'the range that the new bundle skips; without a value, all older bundles')
    .option('--overwrite', 'replace a bundle of the same name that has other content')
    .option('--deprecate <package/name>', 'deprecate a package, or a channel or a bundle of it')
    .option('--message <text>', 'what users of the deprecated thing should do')
    .option('--template <file>', 'render a template of opm (olm.semver or olm.template.basic) to the catalog')
    .option('--dockerfile', 'also write FOLDER.Dockerfile, from which you can build the image of the catalog')
    .option('--graph <form>', 'print the upgrade graph as text or svg')
    .option('--dry-run', 'write nothing; print the changes')
    .action(async (folder: string, bundles: readonly string[], options: UpdateCatalogOptions) => {
      const { updateCatalog } = await import('../olm/update-catalog.ts');
      await updateCatalog(folder, bundles, options, terminal);
    })
    .addCommand(
      withFindingOptions(new Command('validate'))
        .description('check a file-based catalog, whichever tool made it')
        .addHelpText('after', helpWith(validateExamples))
        .argument('<folder>', 'the folder of the catalog')
        .action(async (folder: string, options: FindingOptions) => {
          const { validateCatalogFolder } = await import('../olm/validate-catalog.ts');
          exit(await validateCatalogFolder(folder, options, terminal));
        }),
    );
}
