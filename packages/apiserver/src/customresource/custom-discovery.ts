import type { ServedResource } from '../kind/api-groups.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { StoredDefinition } from './custom-definition.ts';
import { type CustomKind, customDefinitionName } from './open-api-definitions.ts';
import type { OpenApiSchema } from './reachable-schemas.ts';

/** While its definition is being deleted, a kind is listed without the verbs that write objects, but still serves them. */
const verbsWhileTerminating = ['delete', 'deletecollection', 'get', 'list', 'watch'];

const scaleDefinition = 'io.k8s.api.autoscaling.v1.Scale';

/** A custom kind as discovery lists it. */
export function customServedResource({ names, subresources, terminating }: KindDescription): ServedResource {
  const { plural, singular, kind, listKind, namespaced, shortNames, categories, storageVersionHash } = names;
  return {
    resource: plural,
    singular,
    kind,
    listKind,
    namespaced,
    verbs: terminating === true ? verbsWhileTerminating : names.verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
    definition: customDefinitionName(names, kind),
    ...(subresources.size > 0 && {
      subresources: [...subresources].map(([subresource, rules]) => ({
        subresource,
        ...(rules.type === 'scale'
          ? { ...rules.kind, definition: scaleDefinition }
          : { kind, definition: customDefinitionName(names, kind) }),
        verbs: rules.verbs,
      })),
    }),
  };
}

/** A custom kind as OpenAPI publishes it, for `customDefinitions`. */
export function customOpenApiKind({ spec }: StoredDefinition, { names }: KindDescription): CustomKind {
  const { group, version, kind, listKind, plural } = names;
  const defined = spec.versions?.find(({ name }) => name === version);
  return {
    group,
    version,
    kind,
    listKind,
    plural,
    schema: defined?.schema?.openAPIV3Schema as OpenApiSchema | undefined,
    selectableFields: (defined?.selectableFields ?? []).map(({ jsonPath = '' }) => jsonPath),
  };
}
