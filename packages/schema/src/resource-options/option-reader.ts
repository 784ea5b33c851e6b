import { didYouMean } from '@evenkeel/core';
import type { ClassReport } from '../finding/finding.ts';
import type { OptionForm } from './option-form.ts';

/**
 * Reads the options that a decorator was given, which may be anything where types were not checked. What is wrong is
 * reported and read as if it were missing, so that the rest can be looked at as well.
 */
export class OptionReader {
  readonly #decorator: string;
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #report: ClassReport;
  readonly #isObject: boolean;

  /** Reports the options that are not among `known`. */
  constructor(decorator: string, options: unknown, known: readonly string[], report: ClassReport) {
    this.#decorator = decorator;
    this.#report = report;
    this.#isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
    this.#options = this.#isObject ? (options as Readonly<Record<string, unknown>>) : {};
    if (!this.#isObject) this.refuse(`takes an object of options, not ${shown(options)}`);
    for (const option of Object.keys(this.#options)) {
      if (known.includes(option)) continue;
      const hint = didYouMean(option, known) || `; it takes ${known.join(', ')}`;
      report.error('unknown-option', `${decorator}: unknown option "${option}"${hint}`);
    }
  }

  optional<T>(name: string, form: OptionForm<T>): T | undefined {
    return this.#given(name) === undefined ? undefined : this.required(name, form);
  }

  /** The value, or undefined where it is missing too, which has been reported. */
  required<T>(name: string, form: OptionForm<T>): T | undefined {
    const value = this.#given(name);
    if (form.accepts(value)) return value;
    if (this.#isObject) this.refuse(`${name} ${value === undefined ? '(missing)' : shown(value)} must be ${form.text}`);
    return undefined;
  }

  refuse(what: string): void {
    this.#report.error('invalid-option', `${this.#decorator}: ${what}`);
  }

  #given(name: string): unknown {
    return Object.hasOwn(this.#options, name) ? this.#options[name] : undefined;
  }
}

const shownMax = 80;

/** A value of any kind as it is named in a message: on one line, and not too long. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : value.name;
  const text = jsonText(value) ?? String(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}...` : text;
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A bigint, or a value that contains itself.
    return typeof value === 'bigint' ? String(value) : 'an object';
  }
}
