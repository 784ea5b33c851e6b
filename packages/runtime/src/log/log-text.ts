import { type LogKeys } from '@evenkeel/core';
import { loggable } from './loggable.ts';

/** The maximum length of a value. */
const longest = 1000;

/**
 * Returns the keys of a line for people: `runnable=sweeper afterMs=5`. Errors are their messages, and the place in the user's
 * code if `placeOf` returns one. Values are in the form
 * of {@link loggable}, so without the contents of Secrets, and each is cut to 1000 characters.
 */
export function logText(keys: LogKeys, placeOf: (error: Error) => string | undefined = () => undefined): string {
  const shown = loggable(keys);
  return Object.entries(keys)
    .map(([key, value]) => {
      const place = value instanceof Error ? placeOf(value) : undefined;
      return `${key}=${textOf(value, shown[key])}${place === undefined ? '' : ` (${place})`}`;
    })
    .join(' ');
}

function textOf(value: unknown, shown: unknown): string {
  const text = value instanceof Error ? messageIn(shown) : typeof shown === 'string' ? shown : JSON.stringify(shown);
  return cut(text ?? String(value));
}

function messageIn(shown: unknown): string {
  return String((shown as { readonly message: unknown }).message);
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
