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
  /**
   * Modules that export the services which controllers ask for in their constructors, runnables of the main module included.
   * Default: none.
   */
  readonly services?: readonly string[];
  /** YAML files with objects that `evenkeel dev` applies, in this order. Default: none. */
  readonly samples?: readonly string[];
  /** The folder that generated files go to. Default: `config`. */
  readonly output?: string;
  /**
   * A TypeScript module, such as `./src/fields.ts`, that the fields of all kinds are written to. The main module imports it
   * for `Manager.run({ fields })`, by which an operator notices a cluster with older CRDs. Default: none is written.
   */
  readonly fields?: string;
  /** How the operator's roles are made, of the declarations of `controllers` and `services`; `false` for none. */
  readonly rbac?: RbacConfig | false;
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
 * Who the operator is in its cluster, and where it works. What a manager is told elsewhere too, by its options or its
 * settings, stands here once more, for `generate` never loads the module that starts the manager.
 */
export interface RbacConfig {
  /** Roles and bindings are called so, or begin with it. Default: the package's name, without its scope. */
  readonly name?: string;
  /** Where the operator runs, and its ServiceAccount is. Default: `default`. */
  readonly namespace?: string;
  /** Default: the name. */
  readonly serviceAccount?: string;
  /** The namespaces that it watches, as its manager has them: a Role in each, and no ClusterRole for what is in them. Default: all. */
  readonly namespaces?: readonly string[];
  /** The Lease by which it elects its leader, as its manager has it. `namespace` is the operator's by default. Default: none. */
  readonly leaderElection?: { readonly name: string; readonly namespace?: string };
  /** Whether it asks the API server who may read its metrics. Default: false. */
  readonly metricsAuthentication?: boolean;
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
