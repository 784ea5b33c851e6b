import { type CompletedCommand, type CompletedOption, namesOf } from './completed-command.ts';
import { quoted } from './posix-quoted.ts';

/** The pattern of a `case` for the words of all commands: `'create' | 'create api'`. */
export function commandPattern(commands: readonly CompletedCommand[]): string {
  return commands.flatMap(({ path }) => (path === '' ? [] : quoted(path))).join(' | ');
}

/**
 * The branches of a `case` that complete the value after an option.
 *
 * @param reply the command that completes the value; `:` completes nothing.
 */
export function valueCases(
  commands: readonly CompletedCommand[],
  reply: (value: Exclude<CompletedOption['value'], 'none' | 'other'>) => string,
): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap((option) => {
        const { value } = option;
        if (value === 'none') return [];
        const places = namesOf(option).map((name) => quoted(`${path} ${name}`.trim()));
        return [`    ${places.join(' | ')}) ${value === 'other' ? ':' : reply(value)}; return ;;`];
      }),
    )
    .join('\n');
}
