import type { ApiResource } from '../kind/api-resource.ts';

/** A permission that an operator needs, and the reason. */
export interface Permission {
  /** `operator`: all namespaces that the operator watches. `cluster`: the whole cluster. Otherwise one namespace. */
  readonly place: 'operator' | 'cluster' | { readonly namespace: string };
  readonly target:
    | { readonly group: string; readonly resource: string; readonly names: readonly string[] }
    | { readonly path: string };
  readonly verbs: readonly string[];
  /** Becomes a comment above the rule: `SiteController reconciles Site`. */
  readonly reason: string;
}

/** Returns the permission for all objects of a resource, or for one of its subresources, in all namespaces of the operator. */
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
