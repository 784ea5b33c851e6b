import { type CompletedCommand, type CompletedWord, namesOf } from './completed-command.ts';
import { quoted } from './posix-quoted.ts';

/** Returns the script for zsh. */
export function zshCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const known = commands.flatMap(({ path }) => (path === '' ? [] : quoted(path)));
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap((option) => {
      if (option.value === 'none') return [];
      const places = namesOf(option).map((name) => quoted(`${path} ${name}`.trim()));
      const reply =
        option.value === 'file'
          ? '_files'
          : option.value === 'other'
            ? ':'
            : `compadd -- ${option.value.map(quoted).join(' ')}`;
      return [`    ${places.join(' | ')}) ${reply}; return ;;`];
    }),
  );
  const words = commands.map(({ path, commands: below, options, choices, takesFile }) => {
    const first = [...below, ...choices.map((name) => ({ name, description: name }))];
    return [
      `    ${quoted(path)})`,
      ...(takesFile ? ['      _files'] : []),
      `      first=(${first.map(described).join(' ')})`,
      `      options=(${options.map(described).join(' ')}) ;;`,
    ].join('\n');
  });
  return `#compdef ${program}
# Completion of ${program} in zsh: write it to a folder of $fpath as _${program}, or source it after compinit.
_${program}() {
  local place='' next i previous="\${words[CURRENT - 1]}"
  local -a first options
  for ((i = 2; i < CURRENT; i++)); do
    next="\${place:+$place }\${words[i]}"
    case "$next" in
    ${known.join(' | ')}) place="$next" ;;
    esac
  done
  case "\${place:+$place }$previous" in
${values.join('\n')}
  esac
  case "$place" in
${words.join('\n')}
  esac
  (( \${#first} )) && _describe -t commands command first
  _describe -o -t options option options
}
if [ "$funcstack[1]" = "_${program}" ]; then _${program}; else compdef _${program} ${program}; fi
`;
}

function described({ name, description }: CompletedWord): string {
  return quoted(`${name.replaceAll(':', '\\:')}:${description}`);
}
