import { Logger, type LogKeys } from '@evenkeel/core';
import { logText } from '@evenkeel/runtime';
import type { Narrator } from './narrator.ts';

/** Log messages about runs. The narrator prints its own line for each run. */
const reportedElsewhere: ReadonlySet<string> = new Set(['reconcile failed', 'reconcile failed and is not retried']);

/** Prints warnings and errors for a user; with `verbose`, everything including debug and info. */
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
    if (this.#verbose) this.#print('debug', message, keys);
  }

  info(message: string, keys?: LogKeys): void {
    if (this.#verbose) this.#print('info', message, keys);
  }

  warn(message: string, keys?: LogKeys): void {
    this.#print('warning', message, keys);
  }

  error(message: string, keys?: LogKeys): void {
    if (this.#verbose || !reportedElsewhere.has(message)) this.#print('error', message, keys);
  }

  child(keys: LogKeys): Logger {
    return new NarratorLogger(this.#narrator, this.#verbose, { ...this.#keys, ...keys });
  }

  #print(topic: string, message: string, keys: LogKeys = {}): void {
    const all = { ...this.#keys, ...keys };
    const text = logText(all);
    this.#narrator.report(topic, message, {
      tone: topic === 'error' ? 'bad' : 'plain',
      ...(text === '' ? {} : { aside: text }),
    });
    for (const value of Object.values(keys)) {
      if (this.#verbose && value instanceof Error) this.#narrator.print(value.stack ?? value.message, 'quiet');
    }
  }
}
