import { Command, Option } from 'commander';
import type { CreateApiOptions } from '../create/create-api.ts';
import type { HandlerOptions } from '../create/create-controller.ts';
import type { CreateVersionOptions } from '../create/create-version.ts';
import type { CreateWebhookOptions } from '../create/create-webhook.ts';
import type { ProjectEdit } from '../create/project-edit.ts';
import type { EditOptions } from '../create/run-edit.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

const examples = {
  api: `
  $ evenkeel create api Voucher                                 a class, a controller, a test and a sample
  $ evenkeel create api Cache --group cache.example.com --no-controller`,
  version: `
  $ evenkeel create version Voucher v1beta1 --storage`,
  webhook: `
  $ evenkeel create webhook Voucher --validating --mutating
  $ evenkeel create webhook --for v1/Pod`,
  controller: `
  $ evenkeel create controller --for apps/v1/Deployment --dry-run`,
} as const;

const explanation = `
The command adds entries to evenkeel.config.ts and to defineOperator(), and keeps the format and the comments of these files. It
writes everything or nothing.
`;

/** Returns the end of the help. */
export function helpWith(...lines: readonly string[]): string {
  return `\nExamples:${lines.join('')}\n`;
}

/** Adds the options of all commands that edit sources. */
export function withEditOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--dry-run', 'write nothing; print the changes as a diff');
}

/** `evenkeel create`: adds an API, a version, a webhook or a controller to a project. */
export function createCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  const edit = async (options: EditOptions, plan: (edit: ProjectEdit) => void | Promise<void>): Promise<void> => {
    const { runEdit } = await import('../create/run-edit.ts');
    exit(await runEdit(options, terminal, plan));
  };
  const functions = new Option('--functions', 'write plain functions (default: the form of the existing controllers)');
  const group = new Option('--group <domain>', 'the API group, if several groups have the kind');
  const builtIn = new Option(
    '--for <kind>',
    'a built-in kind, such as apps/v1/Deployment, instead of a kind of the project',
  );
  return new Command('create')
    .description('add an API, a version, a webhook or a controller to the project')
    .addHelpText('after', `${helpWith(...Object.values(examples))}${explanation}`)
    .addCommand(
      withEditOptions(new Command('api').description('add a kind with its controller, a test and a sample'))
        .addHelpText('after', `${helpWith(examples.api)}${explanation}`)
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
        .addHelpText('after', `${helpWith(examples.version)}${explanation}`)
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
        .addHelpText('after', `${helpWith(examples.webhook)}${explanation}`)
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
        .addHelpText('after', `${helpWith(examples.controller)}${explanation}`)
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
