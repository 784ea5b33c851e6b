import { type CompletedCommand, namesOf } from './completed-command.ts';

/** Returns the script for PowerShell. */
export function powershellCompletion(program: string, commands: readonly CompletedCommand[]): string {
  const entries = commands.map(({ path, commands: below, options, choices, takesFile }) => {
    const words = [...below, ...choices.map((name) => ({ name, description: name })), ...options].map(
      ({ name, description }) => `    @(${quoted(name)}, ${quoted(description || name)})`,
    );
    const values = options.flatMap((option) => {
      if (option.value === 'none') return [];
      const choicesOf = typeof option.value === 'string' ? [] : option.value;
      const value = option.value === 'file' ? '$null' : `@(${choicesOf.map(quoted).join(', ')})`;
      return namesOf(option).map((name) => `    ${quoted(name)} = ${value}`);
    });
    return `  ${quoted(path)} = @{
    Files = $${takesFile}
    Words = @(
${words.join('\n')}
    )
    Values = @{
${values.join('\n')}
    }
  }`;
  });
  return `# Completion of ${program} in PowerShell: add it to $PROFILE.
$${program}Completion = [System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)
@{
${entries.join('\n')}
}.GetEnumerator() | ForEach-Object { $${program}Completion[$_.Key] = $_.Value }
Register-ArgumentCompleter -Native -CommandName ${quoted(program)} -ScriptBlock {
  param($current, $ast, $position)
  $place = ''
  $previous = ''
  foreach ($element in ($ast.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $position -and $current -ne '') { break }
    $previous = $element.ToString()
    $next = "$place $previous".Trim()
    if ($${program}Completion.ContainsKey($next)) { $place = $next }
  }
  $command = $${program}Completion[$place]
  if ($command.Values.ContainsKey($previous)) {
    # Without results, PowerShell completes files.
    $command.Values[$previous] | Where-Object { $_ -like "$current*" } | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
    return
  }
  if ($command.Files -and -not $current.StartsWith('-')) { return }
  $command.Words | Where-Object { $_[0] -like "$current*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\n', ' ').replaceAll("'", "''")}'`;
}
