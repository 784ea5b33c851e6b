import { Logger, type LogKeys } from '@evenkeel/core';
import { loggable } from '@evenkeel/runtime';
import type { Narrator } from './narrator.ts';

/** What the narrator tells of each run in a line of its own, and the log says again. */
const toldElsewhere: ReadonlySet<string> = new Set(['reconcile failed', 'reconcile failed and is not retried']);

/** Tells warnings and errors to a person; everything, keys included, where it is asked to. */
export class NarratorLogger extends Logger {
  readonly #narrator: Narrator;
  readonly #verbose: boolean;
  readonly #keys: LogKeys;

  constructor(narrator: Narrator, verbose: boolean, keys: LogKeys = {}) {
    super();
    this.#narrator = narrator;
    this.#verbose = verbose;
    this.#keys = keys;
  }

  debug(message: string, keys?: LogKeys): void {
    if (this.#verbose) this.#tell('debug', message, keys);
  }

  info(message: string, keys?: LogKeys): void {
    if (this.#verbose) this.#tell('info', message, keys);
  }

  warn(message: string, keys?: LogKeys): void {
    this.#tell('warning', message, keys);
  }

  error(message: string, keys?: LogKeys): void {
    if (this.#verbose || !toldElsewhere.has(message)) this.#tell('error', message, keys);
  }

  child(keys: LogKeys): Logger {
    return new NarratorLogger(this.#narrator, this.#verbose, { ...this.#keys, ...keys });
  }

  #tell(topic: string, message: string, keys: LogKeys = {}): void {
    const all = { ...this.#keys, ...keys };
    const shown = loggable(all);
    const pairs = Object.entries(all).map(([key, value]) => `${key}=${textOf(value, shown[key])}`);
    this.#narrator.tell(topic, message, {
      tone: topic === 'error' ? 'bad' : 'plain',
      ...(pairs.length === 0 ? {} : { aside: pairs.join(' ') }),
    });
    for (const value of Object.values(keys)) {
      if (this.#verbose && value instanceof Error) this.#narrator.say(value.stack ?? value.message, 'quiet');
    }
  }
}

/** So much of a value is told. */
const longest = 1000;

/** `shown` is the value as a log may have it: without the contents of Secrets, and without circles. */
function textOf(value: unknown, shown: unknown): string {
  const text = value instanceof Error ? value.message : typeof shown === 'string' ? shown : JSON.stringify(shown);
  return cut(text ?? String(value));
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
