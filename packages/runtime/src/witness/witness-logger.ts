import { Logger, type LogKeys, messageWithCause, type WitnessedLine } from '@evenkeel/core';
import { logText } from '../log/log-text.ts';
import { placeOfError } from '../log/place-of-error.ts';
import { withPlace } from '../reconcile/describe-run.ts';

/** Lines about runs, which the witness gets with more details. */
const reportedElsewhere: ReadonlySet<string> = new Set([
  'reconcile failed',
  'reconcile failed and is not retried',
  'reconciled',
]);

/** Writes each line to the user's logger, and reports it to `witness`. */
export class WitnessLogger extends Logger {
  readonly #inner: Logger;
  readonly #witness: (line: WitnessedLine) => void;
  readonly #keys: LogKeys;

  constructor(inner: Logger, witness: (line: WitnessedLine) => void, keys: LogKeys = {}) {
    super();
    this.#inner = inner;
    this.#witness = witness;
    this.#keys = keys;
  }

  debug(message: string, keys?: LogKeys): void {
    this.#write('debug', message, keys);
  }

  info(message: string, keys?: LogKeys): void {
    this.#write('info', message, keys);
  }

  warn(message: string, keys?: LogKeys): void {
    this.#write('warn', message, keys);
  }

  error(message: string, keys?: LogKeys): void {
    this.#write('error', message, keys);
  }

  child(keys: LogKeys): Logger {
    return new WitnessLogger(this.#inner.child(keys), this.#witness, { ...this.#keys, ...keys });
  }

  #write(level: WitnessedLine['level'], message: string, keys: LogKeys = {}): void {
    this.#inner[level](message, keys);
    if (reportedElsewhere.has(message)) return;
    this.#witness({ level, describe: () => describeLine(message, { ...this.#keys, ...keys }) });
  }
}

/** `a mapper failed: no site (src/site.ts:4)  controller=site Site=default/web` */
function describeLine(message: string, keys: LogKeys): string {
  const { error, ...others } = shortened(keys);
  const place = error === undefined ? undefined : placeOfError(error, process.cwd());
  const why = error === undefined ? '' : `: ${messageWithCause(error)}`;
  const text = logText(others);
  return `${withPlace(message + why, place)}${text === '' ? '' : `  ${text}`}`;
}

/** Returns the keys with the object of a run in one of them. */
function shortened(keys: LogKeys): LogKeys {
  const { controllerGroup: _group, controllerKind: kind, reconcileID: run, ...others } = keys;
  if (typeof kind !== 'string' || run === undefined) return others;
  const { namespace, name, ...rest } = others;
  return { ...rest, [kind]: namespace === '' ? name : `${String(namespace)}/${String(name)}` };
}
