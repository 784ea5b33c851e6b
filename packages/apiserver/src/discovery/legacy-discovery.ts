import { type ApiGroup, type ApiGroupVersion, groupVersionText } from '../kind/api-groups.ts';

/** `GET /api`: `serverAddress` is the host and port the client came by. */
export function apiVersions(serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `GET /apis`. */
export function apiGroupList(groups: readonly ApiGroup[]): object {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter(({ name }) => name !== '').map(describeGroup),
  };
}

/** `GET /apis/GROUP`. */
export function apiGroup(group: ApiGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group) };
}

function describeGroup(group: ApiGroup): object {
  const versions = group.versions.map(({ version }) => ({
    groupVersion: groupVersionText(group.name, version),
    version,
  }));
  return { name: group.name, versions, preferredVersion: versions[0] };
}

/** `GET /api/v1`, `GET /apis/GROUP/VERSION`: each resource, followed by its subresources. */
export function apiResourceList(group: string, { version, resources }: ApiGroupVersion): object {
  const entries = resources.flatMap((resource) => [
    {
      name: resource.resource,
      singularName: resource.singular,
      namespaced: resource.namespaced,
      kind: resource.kind,
      verbs: resource.verbs,
      ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
      ...(resource.categories === undefined ? {} : { categories: resource.categories }),
      ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
    },
    ...(resource.subresources ?? []).map((subresource) => ({
      name: `${resource.resource}/${subresource.subresource}`,
      singularName: '',
      namespaced: resource.namespaced,
      ...(subresource.group === undefined ? {} : { group: subresource.group }),
      ...(subresource.version === undefined ? {} : { version: subresource.version }),
      kind: subresource.kind,
      verbs: subresource.verbs,
    })),
  ]);
  return {
    kind: 'APIResourceList',
    // The core group's list alone has no apiVersion on the wire.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersionText(group, version),
    resources: entries,
  };
}
