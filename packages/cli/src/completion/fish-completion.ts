import type { CompletedCommand } from './completed-command.ts';
import { quoted } from './posix-quoted.ts';

/** Returns the script for fish. */
export function fishCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const known = commands.flatMap(({ path }) => (path === '' ? [] : quoted(path)));
  const lines = commands.flatMap(({ path, commands: below, options, choices, takesFile }) => {
    const at = `complete -c ${program} -n ${quoted(`__${program}_at ${quoted(path)}`)}`;
    return [
      ...(takesFile ? [`${at} -F`] : []),
      ...[...below, ...choices.map((name) => ({ name, description: '' }))].map(
        ({ name, description }) => `${at} -a ${quoted(name)} -d ${quoted(description)}`,
      ),
      ...options.map(({ name, short, description, value }) => {
        const forms = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${name.slice(2)}`;
        const takes =
          value === 'none'
            ? ''
            : value === 'file'
              ? ' -r -F'
              : value === 'other'
                ? ' -x'
                : ` -x -a ${quoted(value.join(' '))}`;
        return `${at} ${forms}${takes} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of ${program} in fish: write it to ~/.config/fish/completions/${program}.fish.
function __${program}_at
  set -l place
  for word in (commandline -opc)[2..]
    set -l next (string trim "$place $word")
    contains -- "$next" ${known.join(' ')}; and set place "$next"
  end
  test "$place" = "$argv[1]"
end
complete -c ${program} -f
${lines.join('\n')}
`;
}
