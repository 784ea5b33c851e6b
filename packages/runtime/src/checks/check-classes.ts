import { EvenkeelError } from '@evenkeel/core';
import type { ManagerCaller } from './check-options.ts';

/**
 * Throws `invalid-option` for entries of a list of classes that are none, and for a class that stands there twice.
 * `runnables` may have objects among them; `controllers` may not be left out. `caller` is whose options they are.
 */
export function checkClasses(
  option: 'controllers' | 'services' | 'runnables',
  listed: unknown,
  caller: ManagerCaller,
): void {
  const refuse = (what: string): EvenkeelError =>
    new EvenkeelError('invalid-option', `${caller}(): the option "${option}" ${what}`);
  if (listed === undefined && option === 'controllers')
    throw refuse('is missing; give a list, such as [TheController]');
  if (listed === undefined) return;
  if (!Array.isArray(listed)) throw refuse('is no list; give one, such as [TheClass]');
  const seen = new Set<unknown>();
  for (const [index, entry] of listed.entries()) {
    if (seen.has(entry)) throw refuse(`has ${nameOf(entry)} twice; take one out`);
    seen.add(entry);
    if (isClass(entry) || (option === 'runnables' && isRunnable(entry))) continue;
    throw refuse(`has ${mend(entry)} (number ${index + 1} of ${listed.length})`);
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

function mend(entry: unknown): string {
  if (entry === undefined) {
    return 'undefined in it: the module of that class had not run yet, which an import cycle does; move one of the two into a module of its own';
  }
  if (Array.isArray(entry)) return 'a list in it; spread it, as in [...these, TheClass]';
  if (typeof entry === 'function') return `the function ${entry.name || '() => ...'} in it; give the class itself`;
  if (typeof entry !== 'object' || entry === null)
    return `a value of type ${entry === null ? 'null' : typeof entry} in it; give the class itself`;
  if ('reconcile' in entry && 'finalizer' in entry) {
    return 'what controllerFor() gave; end it with .reconcile(...), which gives the controller';
  }
  const { name } = entry.constructor ?? {};
  return name === undefined || name === 'Object'
    ? 'an object in it; give the class itself'
    : `an instance of ${name} in it; give the class, and it is made with what its constructor asks for`;
}
