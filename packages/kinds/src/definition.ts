import { definitionModules } from './generated/schemas/index.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * A definition of the API server's OpenAPI as it is kept: without descriptions, and with `$ref` holding the bare name of
 * another definition, beside the keywords that OpenAPI v3 writes around it in `allOf`.
 */
export interface Definition extends Omit<SchemaNode, 'properties' | 'items' | 'additionalProperties'> {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly items?: Definition;
  readonly additionalProperties?: Definition;
}

type DefinitionModule = (typeof definitionModules)[keyof typeof definitionModules];

// Only what never changes is remembered: the same file always holds the same text.
const loaded = new Map<string, Promise<ReadonlyMap<string, Definition>>>();

/** The packages that definitions are kept in, such as `io.k8s.api.apps.v1`. */
export const definitionPackages: readonly string[] = Object.keys(definitionModules);

/** `io.k8s.api.apps.v1` of `io.k8s.api.apps.v1.Deployment`. */
export function definitionPackageOf(definitionName: string): string {
  return definitionName.slice(0, Math.max(0, definitionName.lastIndexOf('.')));
}

/**
 * The definitions of one package by full name, in alphabetical order. They are read on first use and shared
 * afterwards; do not change them.
 *
 * @throws RangeError where there is no such package
 */
export function loadDefinitions(definitionPackage: string): Promise<ReadonlyMap<string, Definition>> {
  const known = loaded.get(definitionPackage);
  if (known !== undefined) return known;
  const promise = moduleOf(definitionPackage)
    .load()
    .then(({ definitions }) => new Map(Object.entries(JSON.parse(definitions) as Record<string, Definition>)));
  loaded.set(definitionPackage, promise);
  return promise;
}

/** The package and every package its definitions refer to, directly or not. */
export function requiredPackages(definitionPackage: string): ReadonlySet<string> {
  const required = new Set([definitionPackage]);
  // A set's iterator also visits what is added while it runs.
  for (const name of required) for (const next of moduleOf(name).requires) required.add(next);
  return required;
}

function moduleOf(definitionPackage: string): DefinitionModule {
  if (!Object.hasOwn(definitionModules, definitionPackage)) {
    throw new RangeError(`there is no definition package "${definitionPackage}" among Kubernetes' built-in kinds`);
  }
  return definitionModules[definitionPackage as keyof typeof definitionModules];
}
