/**
 * Sets fields that are absent to null. Go writes those of its types that are not marked `omitempty`, times above all,
 * even where they are not set; the schema does not say which those are.
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
