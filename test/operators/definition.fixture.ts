import { type KindClass, resourceOf } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';

/** JSON schemas of the spec and the status of an object. */
export interface DefinedSchemas {
  readonly spec: object;
  readonly status: object;
}

/** A handwritten CRD of the kind of a test, because the runtime does not generate CRDs. */
export function definitionOf(kind: KindClass, { spec, status }: DefinedSchemas): CustomResourceDefinition {
  const { group, version, kind: name, plural, namespaced } = resourceOf(kind);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, singular: name.toLowerCase(), kind: name, listKind: `${name}List` },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
        },
      ],
    },
  };
}
