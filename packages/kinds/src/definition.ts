import { definitionModules } from './generated/schemas/index.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * A stored definition of the API server's OpenAPI: without descriptions, and with `$ref` as the bare name of another
 * definition, next to the keywords that OpenAPI v3 writes around it in `allOf`.
 */
export interface Definition extends Omit<SchemaNode, 'properties' | 'items' | 'additionalProperties'> {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly items?: Definition;
  readonly additionalProperties?: Definition;
}

type DefinitionModule = (typeof definitionModules)[keyof typeof definitionModules];

// The cache needs no invalidation, because the files never change.
const loaded = new Map<string, Promise<ReadonlyMap<string, Definition>>>();

/** The definition packages, such as `io.k8s.api.apps.v1`. */
export const definitionPackages: readonly string[] = Object.keys(definitionModules);

/** `io.k8s.api.apps.v1` of `io.k8s.api.apps.v1.Deployment`. */
export function definitionPackageOf(definitionName: string): string {
  return definitionName.slice(0, Math.max(0, definitionName.lastIndexOf('.')));
}

/**
 * Returns the definitions of a package by full name, in alphabetical order. They are loaded on first use and shared; do
 * not change them.
 *
 * @throws RangeError if there is no such package
 */
export function loadDefinitions(definitionPackage: string): Promise<ReadonlyMap<string, Definition>> {
  const known = loaded.get(definitionPackage);
  if (known !== undefined) return known;
  const promise = moduleOf(definitionPackage)
    .load()
    .then(({ definitions }) => new Map(Object.entries(JSON.parse(definitions) as Record<string, Definition>)));
  loaded.set(definitionPackage, promise);
  // The next call tries again: jest, for example, rejects imports between two tests.
  promise.catch(() => loaded.delete(definitionPackage));
  return promise;
}

/** Returns the package and all packages that its definitions refer to, directly or indirectly. */
export function requiredPackages(definitionPackage: string): ReadonlySet<string> {
  const required = new Set([definitionPackage]);
  // The iterator of a set also visits items that are added during the iteration.
  for (const name of required) for (const next of moduleOf(name).requires) required.add(next);
  return required;
}

function moduleOf(definitionPackage: string): DefinitionModule {
  if (!Object.hasOwn(definitionModules, definitionPackage)) {
    throw new RangeError(
      `unknown definition package "${definitionPackage}"; pass a package of Kubernetes' built-in kinds`,
    );
  }
  return definitionModules[definitionPackage as keyof typeof definitionModules];
}
