import { Command } from 'commander';
import type { DeleteApiOptions } from '../create/delete-api.ts';
import type { EditOptions } from '../create/run-edit.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { withEditOptions } from './create.ts';

const examples = `
Examples:
  $ evenkeel delete api Voucher             its classes, controllers, webhooks, tests, samples and list entries
  $ evenkeel delete api Voucher/v1alpha1    one version
  $ evenkeel delete api Voucher --dry-run

The command deletes nothing if other sources use the kind, or if git could not restore a file. The cluster is not changed.
`;

/** `evenkeel delete`: removes an API from a project. */
export function deleteCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return new Command('delete')
    .description('remove an API from the project')
    .addHelpText('after', examples)
    .addCommand(
      withEditOptions(new Command('api').description('remove a kind or one of its versions'))
        .addHelpText('after', examples)
        .argument('<kind>', 'KIND or KIND/VERSION')
        .option('--group <domain>', 'the API group, if several groups have the kind')
        .option('--force', 'also delete files with changes that are not committed')
        .action(async (kind: string, options: EditOptions & DeleteApiOptions) => {
          const { runEdit } = await import('../create/run-edit.ts');
          const { deleteApi } = await import('../create/delete-api.ts');
          exit(await runEdit(options, terminal, (plan) => deleteApi(plan, kind, options)));
        }),
    );
}
