/** One step of an RFC 6902 patch. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/**
 * A change to an object of type `T`: an RFC 7386 merge patch, an RFC 6902 JSON patch, or a Kubernetes strategic merge patch,
 * which custom resources do not support. Default of `T`: fields of any name.
 */
export type Patch<T = unknown> =
  | { readonly merge: MergePatch<T> }
  | { readonly json: readonly JsonPatchOperation[] }
  | { readonly strategic: StrategicMergePatch<T> };

/** The fields to change. `null` removes a field. A list replaces the whole list. */
export type MergePatch<T> = T extends readonly (infer E)[]
  ? readonly E[]
  : T extends object
    ? { readonly [K in keyof T]?: MergePatch<T[K]> | null }
    : T;

/** The same, with lists that are merged by the kind's rules, and with directives such as `$patch`. */
export type StrategicMergePatch<T> = T extends readonly (infer E)[]
  ? readonly StrategicMergePatch<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: StrategicMergePatch<T[K]> | null } & { readonly [D in `$${string}`]?: unknown }
    : T;

export function encodePatch(patch: Patch): { contentType: string; body: string } {
  if ('merge' in patch) return { contentType: 'application/merge-patch+json', body: JSON.stringify(patch.merge) };
  if ('json' in patch) return { contentType: 'application/json-patch+json', body: JSON.stringify(patch.json) };
  return { contentType: 'application/strategic-merge-patch+json', body: JSON.stringify(patch.strategic) };
}
