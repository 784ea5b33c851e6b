import { EvenkeelError, type SeenObject } from '@evenkeel/core';

/** A method with `@Index` as the cache calls it. An object that it cannot stand is under no value. */
export function indexFunction(
  member: string,
  valuesOf: (object: SeenObject) => unknown,
  failed: (error: unknown, object: SeenObject) => void,
): (object: SeenObject) => readonly string[] {
  return (object) => {
    try {
      return indexValues(member, valuesOf(object));
    } catch (error) {
      failed(error, object);
      return [];
    }
  };
}

function indexValues(member: string, values: unknown): readonly string[] {
  if (values === undefined || values === null || values === '') return [];
  const list: readonly unknown[] = Array.isArray(values) ? values : [values];
  for (const value of list) {
    if (typeof value === 'string' || typeof value === 'number') continue;
    throw new EvenkeelError(
      'invalid-index-result',
      `${member} gave ${value instanceof Promise ? 'a promise' : `a value of type ${typeof value}`}; give a text, a list of texts, or nothing, and do not wait`,
    );
  }
  return list.map(String);
}
