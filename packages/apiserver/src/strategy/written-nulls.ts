/**
 * Sets missing fields to null. Go writes fields that are not marked `omitempty`, mainly times, even if they are not
 * set. The schema does not contain which fields these are.
 */
export function writeNulls<T extends object>(objects: readonly T[] | T | undefined, ...fields: (keyof T)[]): void {
  for (const object of Array.isArray(objects)
    ? (objects as readonly T[])
    : objects === undefined
      ? []
      : [objects as T]) {
    for (const field of fields) object[field] ??= null as T[keyof T];
  }
}
