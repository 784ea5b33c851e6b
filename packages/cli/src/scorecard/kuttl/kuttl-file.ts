import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { messageOf } from '@evenkeel/core';
import { parseAllDocuments } from 'yaml';
import { KuttlError } from './kuttl-error.ts';

/** An object of a file, with the words that messages have for its place. */
export interface PlacedObject {
  readonly object: JsonObject;
  /** `kuttl/install/00-assert.yaml, document 2` */
  readonly place: string;
}

/** Reads the objects of a YAML file. Throws KuttlError. */
export function objectsIn(path: string, shownFrom: string): PlacedObject[] {
  const shown = relative(shownFrom, path);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new KuttlError(`${shown}: ${messageOf(cause)}; correct the path`, { cause });
  }
  const documents = parseAllDocuments(text, { logLevel: 'silent', prettyErrors: false });
  return [...documents].flatMap((document, index) => {
    const place = `${shown}, document ${index + 1}`;
    let value: unknown;
    try {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      value = document.toJS({ maxAliasCount: 100 });
    } catch (cause) {
      throw unreadable(place, cause);
    }
    if (value === null) return [];
    if (!isJsonObject(value) || ['apiVersion', 'kind'].some((key) => typeof value[key] !== 'string')) {
      throw new KuttlError(`${place}: it is not an object with apiVersion and kind; add them`);
    }
    return [{ object: value, place }];
  });
}

/** The parser reports text that is nested too deeply only by its stack. */
function unreadable(place: string, cause: unknown): KuttlError {
  const [line = ''] = messageOf(cause).split('\n', 1);
  const reason = line.startsWith('Maximum call stack') ? 'it is nested too deeply' : line;
  return new KuttlError(`${place}: ${reason}; write it as YAML`, { cause });
}

/** Whether an object is one of kuttl's own settings, such as a TestStep. */
export function isSetting({ object }: PlacedObject, kind: string): boolean {
  return /^(?:kuttl|kudo)\.dev\//.test(String(valueAt(object, 'apiVersion'))) && valueAt(object, 'kind') === kind;
}

/** Reads the settings of kuttl's own objects, and checks their types. */
export class Settings {
  readonly #object: JsonObject;
  readonly #place: string;

  constructor({ object, place }: PlacedObject, path = '') {
    this.#object = object;
    this.#place = path === '' ? place : `${place}: ${path}`;
  }

  text(key: string): string | undefined {
    return this.#value(key, 'a string', (value): value is string => typeof value === 'string');
  }

  number(key: string): number | undefined {
    return this.#value(
      key,
      'a number',
      (value): value is number => typeof value === 'number' && Number.isFinite(value),
    );
  }

  flag(key: string): boolean {
    return this.#value(key, 'true or false', (value): value is boolean => typeof value === 'boolean') ?? false;
  }

  texts(key: string): readonly string[] {
    const isTexts = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every((each) => typeof each === 'string');
    return this.#value(key, 'a list of strings', isTexts) ?? [];
  }

  labels(key: string): Readonly<Record<string, string>> | undefined {
    const isLabels = (value: unknown): value is Record<string, string> =>
      isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
    return this.#value(key, 'an object of strings', isLabels);
  }

  list(key: string): readonly Settings[] {
    const isList = (given: unknown): given is PlacedObject['object'][] =>
      Array.isArray(given) && given.every(isJsonObject);
    const items = this.#value(key, 'a list of objects', isList) ?? [];
    return items.map((object, index) => new Settings({ object, place: this.#place }, `${key}[${index}]`));
  }

  /** Throws if one of these keys is set. */
  reject(keys: readonly string[], fix: string): void {
    const found = keys.find((key) => (valueAt(this.#object, key) ?? undefined) !== undefined);
    if (found !== undefined) throw new KuttlError(`${this.#place}: ${found} is not supported; ${fix}`);
  }

  error(problem: string): KuttlError {
    return new KuttlError(`${this.#place}: ${problem}`);
  }

  #value<T>(key: string, form: string, is: (value: unknown) => value is T): T | undefined {
    const value = valueAt(this.#object, key) ?? undefined;
    if (value === undefined || is(value)) return value;
    throw new KuttlError(`${this.#place}: ${key} must be ${form}; correct it`);
  }
}
