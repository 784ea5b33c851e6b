import type { ValidatorGroups } from '@evenkeel/schema';

/**
 * The contents of `evenkeel.config.ts`. Paths are relative to that file. They may name TypeScript, or compiled
 * JavaScript with source maps (so that comments and declared types are found). The modules of `apis`, `controllers` and
 * `services` are loaded, so they should only declare.
 *
 * An entry of these three options is a pattern unless a file has its name: `./src/api/*.ts`,
 * `./src/**\/*.controller.ts`. A pattern selects the matching files in the order of their names, except `.d.ts` files,
 * `.test.ts` files and node_modules. It must match at least one file.
 */
export interface EvenkeelConfig {
  /** Modules of the API. The exported classes with `@CustomResource` become CRDs. */
  readonly apis: readonly string[];
  /** Modules that export the controllers. Default: none. */
  readonly controllers?: readonly string[];
  /**
   * Modules that export the services that constructors of controllers inject, including the runnables of the main
   * module: classes, providers, modules of inversify, and lists of them. Default: none.
   */
  readonly services?: readonly string[];
  /** YAML files with objects that `evenkeel dev` applies, in this order. Default: none. */
  readonly samples?: readonly string[];
  /** The folder for generated files. Default: `config`. */
  readonly output?: string;
  /**
   * A TypeScript module, such as `./src/fields.ts`, to which the fields of all kinds are written. The main module
   * imports it for `Manager.run({ fields })`, so that an operator detects a cluster with older CRDs. Default: not
   * written.
   */
  readonly fields?: string;
  /** How the operator's roles are derived from the declarations of `controllers` and `services`; `false` generates no roles. */
  readonly rbac?: RbacConfig | false;
  /**
   * Which class-validator decorators apply, as class-validator's own options of these names. Use the options with which
   * the operator validates. Default: all decorators apply.
   */
  readonly validator?: ValidatorGroups;
  /** The maximum number of characters of one description in a CRD; 0 removes all descriptions. Default: no limit. */
  readonly maxDescriptionLength?: number;
  /**
   * The maximum number of bytes of a CRD as JSON. The deepest descriptions are removed first until it fits. Default: no
   * limit.
   */
  readonly maxDefinitionBytes?: number;
}

/**
 * The operator's identity in its cluster, and the namespaces in which it works. These values repeat options or settings
 * of the manager, because `generate` never loads the module that starts the manager.
 */
export interface RbacConfig {
  /** The name, or name prefix, of roles and bindings. Default: the package's name without its scope. */
  readonly name?: string;
  /** The namespace of the operator and its ServiceAccount. Default: `default`. */
  readonly namespace?: string;
  /** The name of the ServiceAccount. Default: `name`. */
  readonly serviceAccount?: string;
  /** The namespaces that the operator watches, as in its manager. Each gets a Role instead of one ClusterRole. Default: all. */
  readonly namespaces?: readonly string[];
  /** The Lease for leader election, as in its manager. `namespace` is the operator's by default. Default: none. */
  readonly leaderElection?: { readonly name: string; readonly namespace?: string };
  /** Whether the operator asks the API server who may read its metrics. Default: false. */
  readonly metricsAuthentication?: boolean;
}

/**
 * Adds types to an `evenkeel.config.ts`. Returns its argument unchanged.
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
