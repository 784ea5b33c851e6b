import { didYouMean } from '@evenkeel/core';
import type { ClassReport } from '../finding/finding.ts';
import type { OptionForm } from './option-form.ts';

/**
 * Reads the options of a decorator, which can have any type in a program without type checks. An invalid option is reported
 * and read as missing, so that the other options are checked too.
 */
export class OptionReader {
  readonly #decorator: string;
  readonly #options: Readonly<Record<string, unknown>>;
  readonly #report: ClassReport;
  readonly #isObject: boolean;

  /** Reports options that are not in `known`. */
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

  /** The value. Returns undefined if it is invalid or missing, after reporting that. */
  required<T>(name: string, form: OptionForm<T>): T | undefined {
    const value = this.#given(name);
    if (form.accepts(value)) return value;
    const problem = form.problemOf?.(value);
    if (problem !== undefined) this.refuse(problem);
    else if (this.#isObject)
      this.refuse(`${name} ${value === undefined ? '(missing)' : shown(value)} must be ${form.text}`);
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

/** Any value as messages show it: on one line, shortened if it is long. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : value.name;
  const text = jsonText(value) ?? String(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}...` : text;
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A bigint or a cyclic value.
    return typeof value === 'bigint' ? String(value) : 'an object';
  }
}
