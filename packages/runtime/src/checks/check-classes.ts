import { EvenkeelError, isInversifyModule, isProvider } from '@evenkeel/core';
import type { OptionsCaller } from './check-options.ts';

type ListOfClasses = 'controllers' | 'webhooks' | 'conversions' | 'services' | 'runnables' | 'overrides';

/** What a list accepts besides classes. */
const othersIn: Readonly<Record<ListOfClasses, (entry: unknown) => boolean>> = {
  controllers: () => false,
  webhooks: () => false,
  conversions: () => false,
  services: (entry) => isProvider(entry) || isInversifyModule(entry),
  runnables: isRunnable,
  overrides: isProvider,
};

/**
 * Throws `invalid-option` for an entry of a list of classes that does not belong there, and for a duplicate entry. `services` may
 * also contain providers and modules of inversify, `runnables` objects, and `overrides` only providers; `controllers` is required.
 * `caller` is the function that got the options.
 */
export function checkClasses(option: ListOfClasses, listed: unknown, caller: OptionsCaller): void {
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
    if ((isClass(entry) && option !== 'overrides') || othersIn[option](entry)) continue;
    throw invalid(`is invalid: entry ${index + 1} of ${listed.length} is ${problemOf(entry, option)}`);
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

function problemOf(entry: unknown, option: ListOfClasses): string {
  if (option === 'overrides' && isClass(entry)) {
    const { name } = entry as { readonly name: string };
    return `the class ${name}; say what it replaces, as in { provide: TheClass, useClass: ${name} }`;
  }
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
  if ('admit' in entry && 'inject' in entry) {
    return 'an unfinished validatingWebhookFor() or mutatingWebhookFor(); end it with .admit(...), which returns the webhook';
  }
  const { name } = entry.constructor ?? {};
  const isPlain = name === undefined || name === 'Object';
  if (option === 'services' || option === 'overrides') {
    return `${isPlain ? 'an object without "provide"' : `an instance of ${name}`}; pass a provider, such as { provide: TheClass, useValue: ... }`;
  }
  return isPlain
    ? 'an object; pass the class itself'
    : `an instance of ${name}; pass the class, and the manager creates the instance`;
}
