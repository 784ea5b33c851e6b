/** The commands of a ```console block, with the output that the page shows. */
export function commandsIn(block: string): { readonly command: string; readonly output: string }[] {
  return [...block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = '', output = '']) => ({
    command,
    output,
  }));
}

/** Whether the output is that of a state which is reached after some time. */
export function isRepeated(command: string): boolean {
  return /^kubectl (get|events|describe|wait) /.test(command);
}

/** Throws if a command printed other lines than a page shows. */
export function expectLines(command: string, actual: readonly string[], shown: readonly string[]): void {
  const isSame = actual.length === shown.length && actual.every((line, i) => matches(line, shown[i] ?? ''));
  if (!isSame) throw new Error(`${command}\nprints\n${actual.join('\n')}\nand the guide shows\n${shown.join('\n')}`);
}

/** ` ... ` in a shown line matches anything. */
export function matches(actual: string, shown: string): boolean {
  const parts = shown.split(/ ?\.\.\. ?/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(actual);
}

/** Returns the lines without values that differ between runs. */
export function lines(text: string): string[] {
  return text
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/https:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replace(/\S*\/\.evenkeel\/kubeconfig/g, 'KUBECONFIG')
    .replace(/\b\d+(\.\d+)? (ms|s|m)\b/g, 'DURATION')
    .replace(/(?<=\s)\d+(s|m|m\d+s)(?=\s|$)/g, 'AGE')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}
