import { Command } from 'commander';
import type { CommandTerminal } from '../report/command-terminal.ts';
import type { InitOptions } from '../scaffold/init.ts';

const examples = `
Examples:
  $ evenkeel init cache-operator                                    asks for the kind and the API group
  $ evenkeel init cache-operator --kind Memcached --group cache.example.com
  $ evenkeel init shop --kind Shop,Voucher --functions --github-actions --yes

The project's name is that of the folder. "." is the current folder. Without a terminal, nothing is asked, as with --yes.
"npm create evenkeel", "pnpm create evenkeel", "yarn create evenkeel" and "bun create evenkeel" do the same without an installed
evenkeel. Each of them installs the packages of the project.
`;

/** `evenkeel init`: creates a project. */
export function initCommand(terminal: CommandTerminal, exit: (code: number) => void): Command {
  return (
    new Command('init')
      .description('create a project with an API, a controller, tests and a sample')
      .argument('[folder]', 'the folder of the project, which must be empty or not exist')
      .option('--kind <names>', 'the kinds, such as Memcached or Shop,Voucher')
      .option('--group <domain>', 'the API group of the kinds, such as cache.example.com')
      .option('--functions', 'controllers as plain functions instead of classes with decorators')
      .option('--github-actions', 'add a workflow that runs the tests and the build')
      .option('--devcontainer', 'add a development container')
      .option('--committed', 'let git track the generated files, for deployments from git')
      .option('-y, --yes', 'ask nothing; use the defaults')
      .option('--no-install', 'do not install the packages')
      .option('--no-git', 'do not create a git repository')
      .addHelpText('after', examples)
      // npm passes the values of options that it does not pass.
      .allowExcessArguments()
      .action(async (folder: string | undefined, options: InitOptions, command: Command) => {
        const { rejectSwallowedOptions } = await import('../scaffold/swallowed-options.ts');
        rejectSwallowedOptions(command.args, command.options, process.env);
        if (command.args.length > 1) {
          const text = `error: too many arguments for 'init'. Expected 1 argument but got ${command.args.length}.`;
          command.error(text, { code: 'commander.excessArguments' });
        }
        const { init } = await import('../scaffold/init.ts');
        exit(await init(folder, options, terminal));
      })
  );
}
