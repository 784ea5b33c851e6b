import { Command } from 'commander';
import type { DoctorOptions } from '../doctor/doctor.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { withClusterOptions } from './cluster-options.ts';

const examples = `
Examples:
  $ evenkeel doctor                       checks the operator on the current cluster of kubectl
  $ evenkeel doctor --context staging --output json

It only reads. Exit code 0: no check has failed; there may be warnings. Exit code 1: a check has failed, or the cluster cannot be
reached. Each result that is not ok has a line with the fix.
`;

/** `evenkeel doctor`: checks a deployed operator and its cluster. */
export function doctorCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  const command = new Command('doctor').description('check a deployed operator and its cluster, and print what to fix');
  return withClusterOptions(command, '1m')
    .option('--stuck-after <duration>', 'report deletions that take longer than this', '5m')
    .addHelpText('after', examples)
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('../doctor/doctor.ts');
      exit(await doctor(options, terminal));
    });
}
