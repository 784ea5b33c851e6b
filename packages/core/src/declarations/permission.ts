import type { ApiResource } from '../kind/api-resource.ts';

/** What an operator must be allowed to do, and why. */
export interface Permission {
  /** Wherever the operator works, in the whole cluster, or in one namespace. */
  readonly place: 'operator' | 'cluster' | { readonly namespace: string };
  readonly target:
    | { readonly group: string; readonly resource: string; readonly names: readonly string[] }
    | { readonly path: string };
  readonly verbs: readonly string[];
  /** Goes above the rule as a comment: `SiteController reconciles Site`. */
  readonly reason: string;
}

/** The permission for all objects of a resource, or for one of its subresources: wherever the operator works. */
export function permissionFor(
  { group, plural, namespaced }: Pick<ApiResource, 'group' | 'plural' | 'namespaced'>,
  verbs: readonly string[],
  reason: string,
  subresource?: string,
): Permission {
  return {
    place: namespaced ? 'operator' : 'cluster',
    target: { group, resource: subresource === undefined ? plural : `${plural}/${subresource}`, names: [] },
    verbs,
    reason,
  };
}
