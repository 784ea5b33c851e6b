import {
  type Definition,
  definitionPackages,
  loadDefinitions,
  openApiV2Schema,
  openApiV3Schema,
} from '@evenkeel/kinds/schemas';
import type { SchemaSource } from '../customresource/reachable-schemas.ts';

/** The definitions of the built-in kinds, as each version of OpenAPI writes them. */
export interface BuiltInSchemas {
  v3(document: { readonly group: string; readonly version: string }): SchemaSource;
  v2(): SchemaSource;
  /** Names of all definitions. */
  readonly names: readonly string[];
}

/** Loads all definitions: some 10 ms once, paid by the first request for an OpenAPI document. */
export async function builtInSchemas(): Promise<BuiltInSchemas> {
  const packages = await Promise.all(definitionPackages.map(loadDefinitions));
  const definitions = new Map<string, Definition>(packages.flatMap((loaded) => [...loaded]));
  return {
    names: [...definitions.keys()],
    v3: (document) => (name) => {
      const definition = definitions.get(name);
      return definition === undefined ? undefined : openApiV3Schema(name, definition, document);
    },
    v2: () => (name) => {
      const definition = definitions.get(name);
      return definition === undefined ? undefined : openApiV2Schema(definition);
    },
  };
}
