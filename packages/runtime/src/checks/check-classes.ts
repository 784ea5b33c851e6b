import { EvenkeelError } from '@evenkeel/core';
import type { OptionsCaller } from './check-options.ts';

/**
 * Throws `invalid-option` for an entry of a list of classes that is not a class, and for a duplicate class. `runnables` may also
 * contain objects; `controllers` is required. `caller` is the function that got the options.
 */
export function checkClasses(
  option: 'controllers' | 'services' | 'runnables',
  listed: unknown,
  caller: OptionsCaller,
): void {
  const invalid = (problem: string): EvenkeelError =>
    new EvenkeelError('invalid-option', `${caller}(): the option "${option}" ${problem}`);
  if (listed === undefined && option === 'controllers')
    throw invalid('is missing; pass a list, such as [TheController]');
  if (listed === undefined) return;
  if (!Array.isArray(listed)) throw invalid('is not a list; pass a list, such as [TheClass]');
  const seen = new Set<unknown>();
  for (const [index, entry] of listed.entries()) {
    if (seen.has(entry)) throw invalid(`contains ${nameOf(entry)} twice; remove one of them`);
    seen.add(entry);
    if (isClass(entry) || (option === 'runnables' && isRunnable(entry))) continue;
    throw invalid(`is invalid: entry ${index + 1} of ${listed.length} is ${problemOf(entry)}`);
  }
}

function isClass(entry: unknown): boolean {
  return typeof entry === 'function' && entry.prototype !== undefined;
}

function isRunnable(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { start, stop } = entry as { readonly start?: unknown; readonly stop?: unknown };
  return typeof start === 'function' && typeof stop === 'function';
}

function nameOf(entry: unknown): string {
  return typeof entry === 'function' ? entry.name : 'an object';
}

function problemOf(entry: unknown): string {
  if (entry === undefined) {
    return 'undefined, because an import cycle used the class before it was defined; move one of the two classes to its own module';
  }
  if (Array.isArray(entry)) return 'a list; spread it, as in [...these, TheClass]';
  if (typeof entry === 'function') return `the function ${entry.name || '() => ...'}; pass the class itself`;
  if (typeof entry !== 'object' || entry === null)
    return `${entry === null ? 'null' : `a ${typeof entry}`}; pass the class itself`;
  if ('reconcile' in entry && 'finalizer' in entry) {
    return 'an unfinished controllerFor(); end it with .reconcile(...), which returns the controller';
  }
  const { name } = entry.constructor ?? {};
  return name === undefined || name === 'Object'
    ? 'an object; pass the class itself'
    : `an instance of ${name}; pass the class, and the manager creates the instance`;
}
