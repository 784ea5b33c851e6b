import { Logger, type LogKeys } from '@evenkeel/core';
import { logText, placeOfError } from '@evenkeel/runtime';
import type { Reports } from './reports.ts';

/** Log messages for which the session prints its own lines: each run, and the started manager. */
const reportedElsewhere: ReadonlySet<string> = new Set([
  'reconcile failed',
  'reconcile failed and is not retried',
  'controller started',
]);

export interface NarratorLoggerOptions {
  readonly narrator: Reports;
  /** Whether to print all lines of all levels, with all keys. */
  readonly verbose: boolean;
  /** Messages show file paths relative to this folder. */
  readonly folder: string;
}

/** Prints the log for a user: info, warnings and errors. With `verbose`, everything including debug. */
export class NarratorLogger extends Logger {
  readonly #options: NarratorLoggerOptions;
  readonly #keys: LogKeys;

  constructor(options: NarratorLoggerOptions, keys: LogKeys = {}) {
    super();
    this.#options = options;
    this.#keys = keys;
  }

  debug(message: string, keys?: LogKeys): void {
    if (this.#options.verbose) this.#print('debug', message, keys);
  }

  info(message: string, keys?: LogKeys): void {
    if (this.#options.verbose || !reportedElsewhere.has(message)) this.#print('info', message, keys);
  }

  warn(message: string, keys?: LogKeys): void {
    this.#print('warning', message, keys);
  }

  error(message: string, keys?: LogKeys): void {
    if (this.#options.verbose || !reportedElsewhere.has(message)) this.#print('error', message, keys);
  }

  child(keys: LogKeys): Logger {
    return new NarratorLogger(this.#options, { ...this.#keys, ...keys });
  }

  #print(topic: string, message: string, keys: LogKeys = {}): void {
    const { narrator, verbose, folder } = this.#options;
    const all = { ...this.#keys, ...keys };
    // The user's code may log other values under the names of a run's keys.
    const bound = runOf(this.#keys);
    const run = verbose ? undefined : (bound ?? runOf(all));
    const kept = bound === undefined ? withoutRunKeys(all) : { ...withoutRunKeys(this.#keys), ...keys };
    const text = logText(verbose ? all : kept, (error) => placeOfError(error, folder));
    narrator.report(topic, run === undefined ? message : `${run.key}: ${message}`, {
      tone: topic === 'error' ? 'bad' : 'plain',
      ...(text === '' ? {} : { details: text }),
      ...(run === undefined ? {} : { about: run.about }),
    });
    for (const value of Object.values(keys)) {
      if (verbose && value instanceof Error) narrator.quote(value.stack ?? value.message);
    }
  }
}

/** Returns the object of a line about a run; undefined for a line outside of runs. */
function runOf(keys: LogKeys): { readonly key: string; readonly about: string } | undefined {
  const { controllerKind, namespace, name, reconcileID } = keys;
  if (reconcileID === undefined) return undefined;
  const key = namespace === '' ? String(name) : `${String(namespace)}/${String(name)}`;
  return { key, about: `${String(controllerKind)} ${key}` };
}

/** The keys that the start of a line about a run replaces, or that repeat the controller. */
function withoutRunKeys(keys: LogKeys): LogKeys {
  const { controllerGroup: _group, controllerKind: kind, ...others } = keys;
  if (others['reconcileID'] === undefined) return others;
  const { controller: _controller, namespace: _namespace, name: _name, reconcileID: _id, ...own } = others;
  return Object.fromEntries(Object.entries(own).filter(([key]) => key !== kind));
}
