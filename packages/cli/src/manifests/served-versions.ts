import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { StructuralSchema } from '@evenkeel/schema';

/** A version of a kind in which users may write objects. */
export interface ServedVersion {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly schema: StructuralSchema;
}

export function servedVersions(definitions: readonly CustomResourceDefinition[]): ServedVersion[] {
  return definitions.flatMap(({ spec: { group, names, versions } }) =>
    versions
      .filter(({ served }) => served)
      .map(({ name, schema }) => ({
        ...{ kind: names.kind, group, version: name },
        apiVersion: `${group}/${name}`,
        schema: (schema?.openAPIV3Schema ?? {}) as StructuralSchema,
      })),
  );
}

/** The start of the names of its files: `web.example.com_v1_nginx`. */
export function nameOfVersion({ group, version, kind }: ServedVersion): string {
  return `${group}_${version}_${kind.toLowerCase()}`;
}
