import { Command } from 'commander';
import type { BuildOptions } from '../build/build.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

const examples = `
Examples:
  $ evenkeel build                       bundle src/main.ts and all it imports into dist/operator.mjs
  $ evenkeel build src/cli.ts --outfile dist/cli.mjs
  $ evenkeel build --image registry.example.com/sites:1.0 --base node:24-slim
                                         also write the image to dist/image.tar, for docker load
  $ evenkeel build --push                push the image that deployment.image in evenkeel.config.ts names
  $ evenkeel build --push --platform linux/amd64,linux/arm64
  $ evenkeel build --dockerfile -        print a Dockerfile for the same image

The file runs with "node dist/operator.mjs", without node_modules. With "node --enable-source-maps", Node
uses the source map next to it, but starts more slowly. The command does not check types; run "npx tsc". It
does not need Docker. It uses the credentials of "docker login" (~/.docker/config.json, or REGISTRY_AUTH_FILE).
`;

/** `evenkeel build`: bundles the operator into one file, and makes an image of it. */
export function buildCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return new Command('build')
    .description('bundle the operator and its dependencies into one file, and make an image of it')
    .argument('[main]', 'the module that runs the operator', 'src/main.ts')
    .option('--outfile <file>', 'the file of the bundle', 'dist/operator.mjs')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--image <name>', 'make an image with this name (default with other options: deployment.image)')
    .option('--base <image>', 'the base image: a name, or oci:FOLDER[:TAG] (default: image.base in the configuration)')
    .option('--platform <list>', 'platforms such as linux/amd64,linux/arm64 (default: Linux on this processor)')
    .option('--archive <file>', 'write the image as an archive for docker load and kind (default: dist/image.tar)')
    .option('--layout <folder>', 'write the image as an OCI image layout')
    .option('--push', 'push the image to its registry')
    .option('--dockerfile <file>', 'write a Dockerfile for the same image; - prints it')
    .option('--registry-ca <file>', 'trust registries with certificates of this authority')
    .option('--plain-http', 'allow registries without TLS; on this machine, they are always allowed')
    .addHelpText('after', examples)
    .action(async (main: string, options: BuildOptions) => {
      const { build } = await import('../build/build.ts');
      exit(await build(main, options, terminal));
    });
}
