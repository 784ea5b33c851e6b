import { EvenkeelError } from '@evenkeel/core';
import type { Option } from 'commander';

/** Options that npm has too. Users can set their variables for npm. */
const ofNpm: ReadonlySet<string> = new Set(['--yes', '--output', '--verbose']);

/**
 * Throws `invalid-option` with the correct command if npm did not pass the options of `npm create evenkeel NAME --kind Memcached`. npm
 * passes only the options after `--`. It reads the others as its own settings: they become environment variables, and their values
 * become arguments.
 *
 * @param words the arguments that npm has passed.
 * @param options the options of the command.
 */
export function rejectSwallowedOptions(
  words: readonly string[],
  options: readonly Option[],
  environment: Readonly<Record<string, string | undefined>>,
): void {
  if (!/^npm\//.test(environment['npm_config_user_agent'] ?? '')) return;
  const left = [...words];
  const swallowed = options.flatMap((option) => {
    const { long } = option;
    if (typeof long !== 'string' || ofNpm.has(long)) return [];
    const value = environment[`npm_config_${long.replace(/^--(?:no-)?/, '').replaceAll('-', '_')}`];
    return value === undefined ? [] : written(option, long, value, left);
  });
  if (swallowed.length === 0) return;
  const command = ['npm create evenkeel@latest', left[0] ?? 'my-operator', '--', ...swallowed].join(' ');
  const names = swallowed.map((each) => each.split(' ')[0]).join(', ');
  throw new EvenkeelError(
    'invalid-option',
    `npm did not pass ${names} to the command, because "--" is missing before the options; run "${command}"`,
  );
}

/** Returns an option for the correct command, or nothing if npm's variable has another meaning. Removes its value from the words. */
function written({ required, negate }: Option, long: string, value: string, words: string[]): string[] {
  // npm has a setting "git" too: the path of git.
  if (negate) return value === '' || value === 'false' ? [long] : [];
  if (!required) return value === 'true' ? [long] : [];
  if (value !== 'true') return [`${long} ${value}`];
  const form = long === '--kind' ? /^[A-Z]/ : /\./;
  const at = words.findIndex((word) => form.test(word));
  const [found = long === '--kind' ? '<names>' : '<domain>'] = at < 0 ? [] : words.splice(at, 1);
  return [`${long} ${found}`];
}
