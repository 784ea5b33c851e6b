import type { ApiGroup, ApiGroupVersion } from '../kind/api-groups.ts';

/** The media type by which a client asks `/api` and `/apis` for everything at once (KEP-3352). */
export const aggregatedDiscoveryType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * `GET /api` (the core group alone) or `GET /apis` (all others), aggregated. Built-in resources leave group and version
 * of their own kind empty; custom ones write them, as upstream's two servers do.
 */
export function apiGroupDiscoveryList(groups: readonly ApiGroup[], isCustom: (group: string) => boolean): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group.name === '' ? {} : { name: group.name },
      versions: group.versions.map((version) => describeVersion(group.name, version, isCustom(group.name))),
    })),
  };
}

function describeVersion(group: string, { version, resources }: ApiGroupVersion, custom: boolean): object {
  const own = custom ? { group, version } : { group: '', version: '' };
  return {
    version,
    resources: resources.map((resource) => ({
      resource: resource.resource,
      responseKind: { ...own, kind: resource.kind },
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: resource.singular,
      verbs: resource.verbs,
      ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
      ...(resource.categories === undefined ? {} : { categories: resource.categories }),
      ...(resource.subresources === undefined
        ? {}
        : {
            subresources: resource.subresources.map((subresource) => ({
              subresource: subresource.subresource,
              responseKind: {
                group: subresource.group ?? own.group,
                version: subresource.version ?? own.version,
                kind: subresource.kind,
              },
              verbs: subresource.verbs,
            })),
          }),
    })),
    freshness: 'Current',
  };
}
