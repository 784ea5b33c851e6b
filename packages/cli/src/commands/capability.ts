import { Command } from 'commander';
import type { CapabilityOptions } from '../capability/capability.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

const examples = `
Examples:
  $ npx jest --json --outputFile .evenkeel/tests.json
  $ evenkeel capability                      answers the 38 questions, and prints what is missing for the next level
  $ evenkeel capability --bundle ./bundle    exits with 1 if the bundle claims a higher level than the evidence shows
  $ evenkeel capability --output json

An answer is yes or no only if there is evidence: a class, a manifest, what the operator creates for the samples on an embedded API
server, or a test whose title names the question, such as "restores a backup [capability 3.2]". Otherwise, it is unknown.
`;

/** `evenkeel capability`: the level of an operator's capabilities, with evidence. */
export function capabilityCommand(
  terminal: CommandTerminal,
  exit: (code: number) => void,
  isVerbose: () => boolean,
): Command {
  return new Command('capability')
    .description('show which of the Operator Capability Levels the operator reaches, with evidence')
    .option('-c, --config <file>', 'the configuration file (default: evenkeel.config.ts or .js in this folder)')
    .option('--tests <file...>', 'reports of "jest --json" or of Vitest (default: .evenkeel/tests.json)')
    .option('--bundle <folder>', 'a bundle, whose claimed level and images are checked too')
    .option('--no-run', 'do not run the operator for the samples of the project')
    .option('--timeout <duration>', 'how long the samples may take to converge', '30s')
    .addHelpText('after', examples)
    .action(async (options: CapabilityOptions) => {
      const { capability } = await import('../capability/capability.ts');
      exit(await capability(options, terminal, isVerbose()));
    });
}
