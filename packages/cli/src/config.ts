import type { ValidatorGroups } from '@evenkeel/schema';

/**
 * What `evenkeel.config.ts` says of a project. Paths are relative to that file, and may name TypeScript or what it was
 * compiled to (with source maps, so that comments and declared types are found). The modules of `apis`, `controllers`
 * and `services` are loaded, so they should do nothing but declare.
 *
 * Where no file has the name, those three take patterns: `./src/api/*.ts`, `./src/**\/*.controller.ts`. A pattern stands
 * for the files it matches in the order of their names, without `.d.ts` and `.test.ts` files and without node_modules;
 * it has to match one.
 */
export interface EvenkeelConfig {
  /** Modules of the API: the classes with `@CustomResource` that they export become CRDs. */
  readonly apis: readonly string[];
  /** Modules that export the controllers. Default: none. */
  readonly controllers?: readonly string[];
  /** Modules that export the services which controllers ask for in their constructors. Default: none. */
  readonly services?: readonly string[];
  /** YAML files with objects that `evenkeel dev` applies, in this order. Default: none. */
  readonly samples?: readonly string[];
  /** The folder that generated files go to. Default: `config`. */
  readonly output?: string;
  /**
   * Which decorators of class-validator apply, by its own options of these names: those that the operator validates
   * with. Default: all of them.
   */
  readonly validator?: ValidatorGroups;
  /** The most characters of one description in a CRD; 0 leaves all of them out. Default: no limit. */
  readonly maxDescriptionLength?: number;
  /** The most bytes of a CRD as JSON: descriptions are left out until it fits, the deepest first. Default: no limit. */
  readonly maxDefinitionBytes?: number;
}

/**
 * Gives an `evenkeel.config.ts` its types; returns what it is given.
 *
 * ```ts
 * import { defineConfig } from '@evenkeel/cli/config';
 *
 * export default defineConfig({ apis: ['./src/nginx.ts'], controllers: ['./src/nginx.controller.ts'] });
 * ```
 */
export function defineConfig(config: EvenkeelConfig): EvenkeelConfig {
  return config;
}
