import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/** A CRD with the versions v1, v2, ..., whose objects have specs of the schemas; v1 is the storage version by default. */
export function versionsDefinition(kind: string, specs: readonly StructuralSchema[], storage = 'v1') {
  const group = 'versions.example.com';
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, kind },
      versions: specs.map((spec, i) => ({
        name: `v${i + 1}`,
        served: true,
        storage: `v${i + 1}` === storage,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      })),
    },
  };
}
