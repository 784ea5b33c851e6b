import type { Command } from 'commander';

/** Adds the options of both validations to a command. */
export function withFindingOptions(command: Command): Command {
  return command
    .option(
      '--skip <checks>',
      'do not report the findings of these checks: ids from the ends of messages, with commas; can be repeated',
      (given: string, before: readonly string[] | undefined) => [...(before ?? []), given],
    )
    .option('--strict', 'treat warnings as errors')
    .option('--sarif <file>', 'also write the findings as SARIF 2.1.0, for code hosts');
}
