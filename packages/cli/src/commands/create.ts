import { Command, Option } from 'commander';
import type { CreateApiOptions } from '../create/create-api.ts';
import type { HandlerOptions } from '../create/create-controller.ts';
import type { CreateVersionOptions } from '../create/create-version.ts';
import type { CreateWebhookOptions } from '../create/create-webhook.ts';
import type { ProjectEdit } from '../create/project-edit.ts';
import type { EditOptions } from '../create/run-edit.ts';
import type { Terminal } from '../terminal.ts';

const examples = `
Examples:
  $ evenkeel create api Voucher                                 a class, a controller, a test and a sample
  $ evenkeel create api Cache --group cache.example.com --no-controller
  $ evenkeel create version Voucher v1beta1 --storage
  $ evenkeel create webhook Voucher --validating --mutating
  $ evenkeel create webhook --for v1/Pod
  $ evenkeel create controller --for apps/v1/Deployment --dry-run

The commands add entries to evenkeel.config.ts and to defineOperator(), and keep the format and the comments of these files. They write
everything or nothing.
`;

/** Adds the options that all commands have which edit sources. */
export function withEditOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--dry-run', 'write nothing; print the changes as a diff')
    .addOption(
      new Option('-o, --output <format>', 'the format of the report').choices(['text', 'json']).default('text'),
    );
}

/** `evenkeel create`: adds an API, a version, a webhook or a controller to a project. */
export function createCommand(terminal: Terminal, exit: (code: number) => void): Command {
  const edit = async (options: EditOptions, plan: (edit: ProjectEdit) => void | Promise<void>): Promise<void> => {
    const { runEdit } = await import('../create/run-edit.ts');
    exit(await runEdit(options, terminal, plan));
  };
  const functions = new Option('--functions', 'as plain functions (default: as the existing controllers)');
  const group = new Option('--group <domain>', 'the API group, if several have the kind');
  const builtIn = new Option(
    '--for <kind>',
    'a built-in kind, such as apps/v1/Deployment, instead of a kind of the project',
  );
  return new Command('create')
    .description('add an API, a version, a webhook or a controller to the project')
    .addHelpText('after', examples)
    .addCommand(
      withEditOptions(new Command('api').description('add a kind with its controller, a test and a sample'))
        .argument('<kind>', 'the kind in CamelCase, such as Voucher')
        .option('--group <domain>', 'the API group (default: that of the other kinds)')
        .option('--version <version>', 'the version (default: v1alpha1)')
        .addOption(functions)
        .option('--no-controller', 'only the class and the sample')
        .action((kind: string, options: EditOptions & CreateApiOptions) =>
          edit(options, async (plan) => (await import('../create/create-api.ts')).createApi(plan, kind, options)),
        ),
    )
    .addCommand(
      withEditOptions(new Command('version').description('add a version of a kind, with a conversion'))
        .argument('<kind>', 'the kind')
        .argument('<version>', 'the new version, such as v1beta1')
        .option('--storage', 'store objects in the new version')
        .option('--no-served', 'do not serve the new version yet')
        .addOption(group)
        .action((kind: string, version: string, options: EditOptions & CreateVersionOptions) =>
          edit(options, async (plan) =>
            (await import('../create/create-version.ts')).createVersion(plan, kind, version, options),
          ),
        ),
    )
    .addCommand(
      withEditOptions(new Command('webhook').description('add a webhook with a test'))
        .argument('[kind]', 'the kind')
        .option('--validating', 'a webhook that checks objects (the default)')
        .option('--mutating', 'a webhook that changes objects')
        .addOption(builtIn)
        .addOption(group)
        .addOption(functions)
        .action((kind: string | undefined, options: EditOptions & CreateWebhookOptions) =>
          edit(options, async (plan) =>
            (await import('../create/create-webhook.ts')).createWebhook(plan, kind, options),
          ),
        ),
    )
    .addCommand(
      withEditOptions(new Command('controller').description('add a controller with a test'))
        .argument('[kind]', 'the kind')
        .addOption(builtIn)
        .addOption(group)
        .addOption(functions)
        .action((kind: string | undefined, options: EditOptions & HandlerOptions) =>
          edit(options, async (plan) =>
            (await import('../create/create-controller.ts')).createController(plan, kind, options),
          ),
        ),
    );
}
