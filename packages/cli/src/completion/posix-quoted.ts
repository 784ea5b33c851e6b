/** Returns a string as one word of bash, zsh or fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\n', ' ').replaceAll("'", `'"'"'`)}'`;
}
