import { Command } from 'commander';
import type { LoadingProcess } from '../generate/loading-process.ts';
import type { WriteBundleOptions } from '../olm/bundle-options.ts';
import type { ValidateBundleOptions } from '../olm/validate-bundle.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { helpWith } from './create.ts';
import { withFindingOptions } from './finding-options.ts';

const writing = `
  $ evenkeel bundle                                   write ./bundle from the classes and the option bundle
  $ evenkeel bundle --check                           in CI: exit with code 1 if the bundle is stale or invalid
  $ evenkeel bundle --version 1.3.0 --channels candidate,stable --replaces 1.2.0 --skip-range ">=1.0.0 <1.3.0"
  $ evenkeel bundle --resolve-images --image registry.example.com/sites-bundle:1.3.0 --push`;

const validating = `
  $ evenkeel bundle validate ./bundle                              every check; exits with 1 if there is an error
  $ evenkeel bundle validate ./bundle --strict --skip csv-name-mismatch
  $ evenkeel bundle validate ./bundle --previous ../released/bundle
  $ evenkeel bundle validate ./bundle --kubernetes-version 1.36 --sarif bundle.sarif`;

/**
 * `evenkeel bundle`: bundles for the Operator Lifecycle Manager.
 *
 * @param loading a process that is already started. Default: the command starts one.
 */
export function bundleCommand(
  terminal: CommandTerminal,
  exit: (code: number) => void,
  isVerbose: () => boolean,
  loading: LoadingProcess | undefined,
): Command {
  return new Command('bundle')
    .description('write and check bundles for the Operator Lifecycle Manager')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option(
      '--version <version>',
      'the version of the bundle (default: bundle.version, otherwise that of package.json)',
    )
    .option('--channels <list>', 'the channels, with commas (default: bundle.channels, otherwise stable)')
    .option('--default-channel <name>', 'the channel of users who select none (default: the first of the channels)')
    .option('--replaces <version>', 'the version or the name of the bundle from which users upgrade to this one')
    .option('--skips <list>', 'versions or names of bundles that users no longer need on their way, with commas')
    .option('--skip-range <range>', 'a range of versions that users can upgrade from directly')
    .option('--operator-image <name>', "the operator's image (default: deployment.image)")
    .option(
      '--resolve-images',
      'ask the registries for the digests of images that "evenkeel build --push" has not recorded',
    )
    .option('--folder <folder>', 'the folder of the bundle (default: bundle.folder, otherwise ./bundle)')
    .option('--check', 'write nothing; exit with code 1 if a file is stale, missing or obsolete, or the bundle invalid')
    .option('--image <name>', 'make an image of the bundle with this name')
    .option('--archive <file>', 'write the image as an archive for docker load and kind')
    .option('--layout <folder>', 'write the image as an OCI image layout')
    .option('--push', 'push the image to its registry')
    .option('--registry-ca <file>', 'trust registries with certificates of this authority')
    .option('--plain-http', 'allow registries without TLS; on this machine, they are always allowed')
    .option('--timeout <duration>', 'how long loading the modules may take', '30s')
    .addHelpText('after', helpWith(writing))
    .action(async (options: WriteBundleOptions) => {
      const { writeBundle } = await import('../olm/write-bundle.ts');
      exit(await writeBundle(options, isVerbose(), terminal, loading));
    })
    .addCommand(
      withFindingOptions(new Command('validate'))
        .description('check a bundle of the format registry+v1, whichever tool made it')
        .addHelpText('after', helpWith(validating))
        .argument('<folder>', 'the folder with manifests/ and metadata/')
        .option('--kubernetes-version <version>', 'report an error for each API that this version no longer serves')
        .option('--categories <file>', 'a JSON file with the allowed categories (default: those of OperatorHub)')
        .option('--previous <folder>', 'the bundle before this one; report changes of CRDs with which upgrades fail')
        .action(async (folder: string, options: ValidateBundleOptions) => {
          const { validateBundleFolder } = await import('../olm/validate-bundle.ts');
          exit(await validateBundleFolder(folder, options, terminal));
        }),
    );
}
