import { Command } from 'commander';
import type { CommandTerminal } from '../report/command-terminal.ts';
import type { ScorecardOptions } from '../scorecard/scorecard.ts';

const examples = `
Examples:
  $ evenkeel scorecard ./bundle                            the tests of the bundle, on an embedded API server with your operator
  $ evenkeel scorecard ./bundle --list --selector suite=olm
  $ evenkeel scorecard ./bundle --kubeconfig ~/.kube/config --xunit results.xml
  $ evenkeel scorecard ./bundle --trust-bundle             also the commands, programs and modules that the bundle names
  $ evenkeel scorecard ./bundle --output json              a TestList of scorecard.operatorframework.io/v1alpha3

It runs no images. It knows the tests of operator-sdk's image and of its image for kuttl, and runs them itself. Without --trust-bundle,
nothing that is in the bundle is executed. The exit code is 0 if all selected tests pass, otherwise 1.

On a cluster, it installs the CRDs of the bundle and creates namespaces, and removes them at the end. Your operator runs in a process on
this machine; pass --no-operator if it already runs in the cluster.
`;

/** `evenkeel scorecard`: the tests of operator-sdk's scorecard, and your own. */
export function scorecardCommand(
  terminal: CommandTerminal,
  exit: (code: number) => void,
  isVerbose: () => boolean,
): Command {
  return new Command('scorecard')
    .description("run the tests of a bundle's scorecard, as operator-sdk does, without images")
    .argument('<bundle>', 'the folder with manifests/ and metadata/')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--scorecard-config <file>', 'the tests to run (default: tests/scorecard/config.yaml in the bundle)')
    .option('-l, --selector <selector>', 'only run tests with these labels, such as suite=basic')
    .option('-L, --list', 'print the tests, and run none')
    .option('--kubeconfig <file>', 'run on the cluster of this kubeconfig (default: an embedded API server)')
    .option('--no-operator', 'do not start the operator of the project')
    .option('--trust-bundle', 'run the commands, programs and modules that the bundle names, with your permissions')
    .option('--xunit <file>', 'also write the results as JUnit XML')
    .option('-x, --skip-cleanup', 'leave the CRDs and the objects on the cluster')
    .option(
      '--timeout <duration>',
      'how long the examples may take to converge, and each program or module to run',
      '30s',
    )
    .addHelpText('after', examples)
    .action(async (bundle: string, options: ScorecardOptions) => {
      const { scorecard } = await import('../scorecard/scorecard.ts');
      exit(await scorecard(bundle, options, terminal, isVerbose()));
    });
}
