/** One step of an RFC 6902 patch. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/**
 * A change to an object: an RFC 7386 merge patch, an RFC 6902 JSON patch, or a Kubernetes strategic merge patch, which
 * custom resources do not support.
 */
export type Patch =
  | { readonly merge: unknown }
  | { readonly json: readonly JsonPatchOperation[] }
  | { readonly strategic: unknown };

export function encodePatch(patch: Patch): { contentType: string; body: string } {
  if ('merge' in patch) return { contentType: 'application/merge-patch+json', body: JSON.stringify(patch.merge) };
  if ('json' in patch) return { contentType: 'application/json-patch+json', body: JSON.stringify(patch.json) };
  return { contentType: 'application/strategic-merge-patch+json', body: JSON.stringify(patch.strategic) };
}
