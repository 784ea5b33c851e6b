import type { CompletedCommand, CompletedWord } from './completed-command.ts';
import { commandPattern, valueCases } from './posix-cases.ts';
import { quoted } from './posix-quoted.ts';

/** Returns the script for zsh. */
export function zshCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const values = valueCases(commands, (value) =>
    value === 'file' ? '_files' : `compadd -- ${value.map(quoted).join(' ')}`,
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
    ${commandPattern(commands)}) place="$next" ;;
    esac
  done
  case "\${place:+$place }$previous" in
${values}
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
