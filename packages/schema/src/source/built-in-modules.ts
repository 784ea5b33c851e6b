import { schemaDefinitionOf } from '@evenkeel/kinds';
import {
  conditionDefinition,
  intOrStringDefinition,
  objectMetaDefinition,
  quantityDefinition,
} from '../builtin/special-types.ts';

/** Types that exist only in TypeScript, by the name that our packages export. */
const typeDefinitions: ReadonlyMap<string, string> = new Map([
  ['Condition', conditionDefinition],
  ['IntOrString', intOrStringDefinition],
  ['ObjectMeta', objectMetaDefinition],
  ['OwnerReference', 'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference'],
  ['Quantity', quantityDefinition],
]);

const frontDoors: ReadonlySet<string> = new Set(['evenkeel', '@evenkeel/kinds', '@evenkeel/core']);

/** The packages that export Kubernetes types. */
export class BuiltInModules {
  readonly #exports = new Map<string, Readonly<Record<string, unknown>>>();

  /** Loads a module if it is one of ours, and returns whether it is. Any copy works, because all name the same definitions. */
  async load(specifier: string): Promise<boolean> {
    const known = this.#exports.has(specifier);
    if (known) return true;
    if (frontDoors.has(specifier)) {
      this.#exports.set(specifier, (await import('@evenkeel/kinds')) as Readonly<Record<string, unknown>>);
      return true;
    }
    if (!/^@evenkeel\/kinds\/[a-z]+\/v\d$/.test(specifier)) return false;
    try {
      this.#exports.set(specifier, (await import(specifier)) as Readonly<Record<string, unknown>>);
      return true;
    } catch {
      return false; // No such group or version; the program's import fails too.
    }
  }

  /** The definition of an exported Kubernetes type; undefined for other exports. */
  definitionOf(specifier: string, name: string): string | undefined {
    const exports = this.#exports.get(specifier);
    if (exports === undefined) return undefined;
    const exported = Object.hasOwn(exports, name) ? exports[name] : undefined;
    const definition = typeof exported === 'function' ? schemaDefinitionOf(exported) : undefined;
    return definition ?? (frontDoors.has(specifier) ? typeDefinitions.get(name) : undefined);
  }
}
