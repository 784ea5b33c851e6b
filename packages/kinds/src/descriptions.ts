import { definitionPackageOf } from './definition.ts';
import { descriptionModules } from './generated/descriptions/index.ts';

/** Kubernetes' own documentation of a definition, as in the API server's OpenAPI. */
export interface Description {
  /** The description of the type; empty if it has none. */
  readonly own: string;
  /** The descriptions of its properties, by name. */
  readonly properties: ReadonlyMap<string, string>;
}

const loaded = new Map<string, Promise<ReadonlyMap<string, Description>>>();

/**
 * Loads the descriptions of the definitions in a package, such as `io.k8s.api.apps.v1`, by the names of the definitions. Every
 * call for a package returns the same map; it is empty for an unknown package.
 *
 * Schemas do not contain these texts, which are larger than all schemas, so that only a program that shows them loads them. The
 * JSDoc of the classes has the same texts.
 */
export function loadDescriptions(definitionPackage: string): Promise<ReadonlyMap<string, Description>> {
  let result = loaded.get(definitionPackage);
  if (result === undefined) {
    result = readDescriptions(definitionPackage);
    loaded.set(definitionPackage, result);
    // The next call tries again: jest, for example, rejects imports between two tests.
    result.catch(() => loaded.delete(definitionPackage));
  }
  return result;
}

/** Returns the description of one definition, such as `io.k8s.api.apps.v1.Deployment`; undefined if it has none. */
export async function descriptionOf(definitionName: string): Promise<Description | undefined> {
  return (await loadDescriptions(definitionPackageOf(definitionName))).get(definitionName);
}

async function readDescriptions(definitionPackage: string): Promise<ReadonlyMap<string, Description>> {
  if (!Object.hasOwn(descriptionModules, definitionPackage)) return new Map();
  const { descriptions } = await descriptionModules[definitionPackage as keyof typeof descriptionModules]();
  const texts = JSON.parse(descriptions) as Record<string, readonly [own: string, Record<string, string>]>;
  return new Map(
    Object.entries(texts).map(([name, [own, properties]]) => [
      name,
      { own, properties: new Map(Object.entries(properties)) },
    ]),
  );
}
