import type { CompletedCommand } from './completed-command.ts';
import { commandPattern, valueCases } from './posix-cases.ts';
import { quoted } from './posix-quoted.ts';

/** Returns the script for bash. */
export function bashCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const values = valueCases(commands, (value) =>
    value === 'file' ? 'compopt -o default' : `COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$current"))`,
  );
  const words = commands.map(({ path, commands: below, options, choices, takesFile }) => {
    const all = [...below.map(({ name }) => name), ...choices, ...options.map(({ name }) => name)].join(' ');
    return `    ${quoted(path)}) ${takesFile ? 'compopt -o default; ' : ''}words=${quoted(all)} ;;`;
  });
  return `# Completion of ${program} in bash: source it in ~/.bashrc.
_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" place='' words='' next i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${place:+$place }\${COMP_WORDS[i]}"
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
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _${program} ${program}
`;
}
