import { isError, type LogKeys, messageWithCause, withoutTokens } from '@evenkeel/core';
import { loggable } from './loggable.ts';

/** The maximum length of a value. */
const longest = 1000;

/**
 * Returns the keys of a line for people: `runnable=sweeper afterMs=5`. Errors are their messages with those of their
 * causes, and the place in the user's code if `placeOf` returns one. Values are in the form of `loggable`, so without the
 * contents of Secrets, and each is cut to 1000 characters.
 */
export function logText(keys: LogKeys, placeOf: (error: Error) => string | undefined = () => undefined): string {
  const shown = loggable(keys);
  return Object.entries(keys)
    .map(([key, value]) => {
      const place = isError(value) ? placeOf(value) : undefined;
      return `${key}=${textOf(value, shown[key])}${place === undefined ? '' : ` (${place})`}`;
    })
    .join(' ');
}

function textOf(value: unknown, shown: unknown): string {
  if (typeof shown === 'string') return cut(shown);
  const text = isError(value) ? withoutTokens(messageWithCause(value)) : JSON.stringify(shown);
  return cut(text ?? String(value));
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
