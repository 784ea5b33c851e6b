import type { ChildProcess } from 'node:child_process';
import { Command } from 'commander';
import type { DevOptions } from '../dev/dev.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

const examples = `
Examples:
  $ evenkeel dev                             run on an embedded API server until Ctrl-C
  $ evenkeel dev --once                      exit with code 0 when the samples have converged, or with code 1 and the reason
  $ evenkeel dev --kubeconfig ~/.kube/config run on that cluster; installs only the CRDs and the samples there
  $ evenkeel dev --inspect                   let a debugger attach at port 9229

It does not check types. The exit code is 130 after Ctrl-C.
`;

/**
 * `evenkeel dev`: runs the operator of the configuration, with its CRDs installed and its samples applied.
 *
 * @param child the process of an operator that is already starting.
 */
export function devCommand(
  terminal: CommandTerminal,
  exit: (code: number) => void,
  isVerbose: () => boolean,
  child: ChildProcess | undefined,
): Command {
  return new Command('dev')
    .description('run the operator on an embedded API server and show what it does')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--kubeconfig <file>', 'run on the cluster of this kubeconfig instead')
    .option('--port <number>', 'the port of the embedded server (default: a free port)')
    .option('--sample <file...>', "apply the objects in these files instead of the configuration's samples")
    .option('--watch', 'with --kubeconfig: load changed code again, as on the embedded server')
    .option('--allow-breaking', 'with --kubeconfig: install CRDs even if they can break objects of the cluster')
    .option(
      '--inspect [port]',
      'let a debugger attach to the operator at this port of 127.0.0.1 (without a number: 9229)',
    )
    .option('--audit-log-path <file>', 'append the audit log of the embedded server to this file')
    .option('--audit-policy-file <file>', 'the audit policy (default: the metadata of all requests)')
    .option('--once', 'exit when the samples have converged')
    .option(
      '--timeout <duration>',
      'how long the samples may take to converge; after that, --once fails, otherwise a warning is printed',
      '30s',
    )
    .addHelpText('after', examples)
    .action(async (options: DevOptions) => {
      // Only this command needs the server and the runtime, so only this command loads them.
      const { dev } = await import('../dev/dev.ts');
      exit(await dev(options, terminal, isVerbose(), child));
    });
}
