import { type Command, Option } from 'commander';

/**
 * Creates the option with which a command prints for programs. All commands have it.
 *
 * @param printsLines whether the command prints a line for each event before its document.
 */
export function outputOption(printsLines: boolean): Option {
  const json = printsLines ? 'one JSON object per line' : 'one JSON document at the end';
  return new Option('-o, --output <format>', `the format of the output; json: ${json}`)
    .choices(['text', 'json'])
    .default('text');
}

/** Whether the command line asks for JSON. Known as soon as the options are parsed, even if another option is invalid. */
export function wantsJson(command: Command): boolean {
  return command.opts<{ output?: string }>().output === 'json';
}
