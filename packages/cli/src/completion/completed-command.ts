import type { Command, Option } from 'commander';

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** The words after the name of the program: `create api`. Empty for the program itself. */
  readonly path: string;
  readonly commands: readonly CompletedWord[];
  readonly options: readonly CompletedOption[];
  /** The choices of the first argument. Empty if it is anything else. */
  readonly choices: readonly string[];
  /** Whether the first argument is a file or a folder. */
  readonly takesFile: boolean;
}

export interface CompletedWord {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption extends CompletedWord {
  /** The long form, with its dashes. */
  readonly name: string;
  /** Such as `-o`. */
  readonly short: string | undefined;
  /** The value that follows it. */
  readonly value: 'none' | 'file' | 'other' | readonly string[];
}

/** Returns a command and all commands below it. */
export function completedCommands(command: Command, path = ''): CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const [argument] = command.registeredArguments;
  return [
    {
      path,
      commands: commands.map((each) => ({ name: each.name(), description: each.description() })),
      options: help.visibleOptions(command).map(completedOption),
      choices: argument?.argChoices ?? [],
      takesFile: argument !== undefined && isFile(argument.name()),
    },
    ...commands.flatMap((each) => completedCommands(each, `${path} ${each.name()}`.trim())),
  ];
}

function completedOption(option: Option): CompletedOption {
  const { long, short, description, argChoices, flags } = option;
  const [, placeholder = ''] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? [];
  const takesValue = option.required || option.optional;
  return {
    name: long ?? short ?? '',
    short: long === undefined ? undefined : short,
    description,
    value: !takesValue ? 'none' : (argChoices ?? (isFile(placeholder) ? 'file' : 'other')),
  };
}

function isFile(placeholder: string): boolean {
  return /file|folder|path|module/.test(placeholder);
}

/** The names of an option. */
export function namesOf({ name, short }: CompletedOption): string[] {
  return short === undefined ? [name] : [short, name];
}
