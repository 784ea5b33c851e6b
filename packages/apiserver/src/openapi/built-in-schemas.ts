import { type Description, loadDescriptions } from '@evenkeel/kinds/descriptions';
import {
  type Definition,
  definitionPackages,
  loadDefinitions,
  openApiV2Schema,
  openApiV3Schema,
} from '@evenkeel/kinds/schemas';
import type { CommonDescriptions } from '../customresource/open-api-definitions.ts';
import type { SchemaSource } from '../customresource/reachable-schemas.ts';

/** The definitions of the built-in kinds, in the form of each version of OpenAPI. */
export interface BuiltInSchemas {
  v3(document: { readonly group: string; readonly version: string }): SchemaSource;
  v2(): SchemaSource;
  /** The descriptions of members that custom kinds have too. */
  readonly common: CommonDescriptions;
  /** The names of all definitions. */
  readonly names: readonly string[];
}

/** Loads all definitions and their descriptions. Takes some 20 ms once, on the first request for an OpenAPI document. */
export async function builtInSchemas(): Promise<BuiltInSchemas> {
  const definitions = new Map<string, Definition>();
  const descriptions = new Map<string, Description>();
  const load = async (name: string) => Promise.all([loadDefinitions(name), loadDescriptions(name)]);
  for (const [ofPackage, described] of await Promise.all(definitionPackages.map(load))) {
    for (const entry of ofPackage) definitions.set(...entry);
    for (const entry of described) descriptions.set(...entry);
  }
  const descriptionOf = (name: string): Description =>
    descriptions.get(`io.k8s.api.core.v1.${name}`) ?? { own: '', properties: new Map() };
  return {
    common: { object: descriptionOf('ConfigMap'), list: descriptionOf('PodList') },
    names: [...definitions.keys()],
    v3: (document) => (name) => {
      const definition = definitions.get(name);
      return definition === undefined ? undefined : openApiV3Schema(definition, descriptions.get(name), document);
    },
    v2: () => (name) => {
      const definition = definitions.get(name);
      return definition === undefined ? undefined : openApiV2Schema(definition, descriptions.get(name));
    },
  };
}
