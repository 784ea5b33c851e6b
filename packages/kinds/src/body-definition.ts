import { builtinGroups } from './generated/discovery.ts';

const deleteOptions = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/**
 * Returns the definition of a request body: a served kind, the kind of a subresource such as `policy/v1` Eviction, or
 * `DeleteOptions`, which every version of every group has. Undefined for anything else.
 */
export function bodyDefinitionOf(apiVersion: string, kind: string): string | undefined {
  if (kind === 'DeleteOptions') return deleteOptions;
  for (const { name, versions } of builtinGroups) {
    for (const { version, resources } of versions) {
      const isOwn = apiVersionOf(name, version) === apiVersion;
      for (const resource of resources) {
        if (isOwn && resource.kind === kind) return resource.definition;
        for (const subresource of resource.subresources ?? []) {
          if (subresource.kind !== kind) continue;
          const { group = name, version: itsVersion = version } = subresource;
          if (apiVersionOf(group, itsVersion) === apiVersion) return subresource.definition;
        }
      }
    }
  }
  return undefined;
}

function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
