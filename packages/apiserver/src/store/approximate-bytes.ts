import type { ApiObject } from '../kind/api-object.ts';

/** An approximation of the length of an object's JSON, which is sufficient for limits. */
export function approximateBytes(object: ApiObject): number {
  let characters = 0;
  const open: unknown[] = [object];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') characters += value.length + 3;
    else if (typeof value !== 'object' || value === null) characters += 5;
    else {
      for (const key of Object.keys(value)) {
        characters += key.length + 3;
        open.push((value as Record<string, unknown>)[key] ?? null);
      }
    }
  }
  return characters;
}
