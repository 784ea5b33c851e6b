import { EvenkeelError } from '@evenkeel/core';
import { type AppliedFields, appliedFieldsOf } from './applied-fields.ts';
import type { CachedObject } from './cached-object.ts';

/** A whole key, or a prefix with `/*`. */
const pattern = /^[^\s*]+$/;
const everyKeyBelow = '/*';

/** Removes the listed annotations from objects before they are stored, but none that a manager of this operator applies. */
export class DroppedAnnotations {
  readonly #keys = new Set<string>();
  readonly #prefixes: string[] = [];

  /** @param patterns keys, or `example.com/*` for all keys with that prefix. Throws `invalid-option`. */
  constructor(patterns: readonly string[], where: string) {
    for (const text of patterns as readonly unknown[]) {
      const isPrefix = typeof text === 'string' && text.endsWith(everyKeyBelow);
      const key = isPrefix ? text.slice(0, -everyKeyBelow.length) : text;
      if (typeof text !== 'string' || typeof key !== 'string' || !pattern.test(key)) {
        throw new EvenkeelError(
          'invalid-option',
          `${where}: dropAnnotations: invalid key ${JSON.stringify(text)}; write the key of an annotation, or a prefix with "/*", such as "example.com/*"`,
        );
      }
      if (isPrefix) this.#prefixes.push(`${key}/`);
      else this.#keys.add(key);
    }
  }

  /** @param managers the field managers whose applied fields the object has */
  removeFrom(object: CachedObject, managers: ReadonlySet<string>): void {
    const { annotations } = object.metadata;
    if (annotations === undefined || annotations === null) return;
    for (const key of Object.keys(annotations)) {
      if (!this.#has(key)) continue;
      if ([...managers].some((manager) => owns(appliedFieldsOf(object, manager), key))) continue;
      delete annotations[key];
    }
    if (Object.keys(annotations).length === 0) delete object.metadata.annotations;
  }

  #has(key: string): boolean {
    return this.#keys.has(key) || this.#prefixes.some((prefix) => key.startsWith(prefix));
  }
}

function owns(applied: AppliedFields | undefined, key: string): boolean {
  const owned = applied?.fields['f:metadata']?.['f:annotations'];
  return owned !== undefined && Object.hasOwn(owned, `f:${key}`);
}
