import type { ApiResource } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';

/** The kind of a CRD in a served version: the storage version, if it is served. Undefined if the API server serves none. */
export function servedResource({ spec }: Pick<CustomResourceDefinition, 'spec'>): ApiResource | undefined {
  const { group, names, scope, versions } = spec;
  const version = versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served);
  if (version === undefined) return undefined;
  return { group, version: version.name, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' };
}
