import type { ValidatorGroups } from '@evenkeel/schema';

/**
 * The contents of `evenkeel.config.ts`: what only generation and `evenkeel dev` need. What the operator is, its declaration
 * says, which the program uses too. Paths are relative to the configuration. They may name TypeScript, or compiled JavaScript
 * with source maps (so that comments and declared types are found). The modules are loaded, so they should only declare.
 */
export interface EvenkeelConfig {
  /**
   * Modules of the API. The exported classes with `@CustomResource` become CRDs.
   *
   * An entry is a pattern unless a file has its name: `./src/api/*.ts`, `./src/**\/*.api.ts`. A pattern selects the matching
   * files in the order of their names, except `.d.ts` files, `.test.ts` files and node_modules. It must match at least one file.
   */
  readonly apis: readonly string[];
  /**
   * The module that exports the value of `defineOperator()`, such as `./src/operator.ts`. The main module imports it for
   * `Manager.run(operator)`. Default: none, the project has an API and no operator.
   */
  readonly operator?: string;
  /** YAML files with objects that `evenkeel dev` applies, in this order. Default: none. */
  readonly samples?: readonly string[];
  /** The folder for generated files. Default: `config`. */
  readonly output?: string;
  /**
   * A folder with a copy of the CRDs of the last release, such as `./config/released`. `evenkeel generate` fails if a change
   * makes objects that are stored under these CRDs lose data or become invalid, unless `lossy` in `@CustomResource` accepts
   * it. It also fails if the classes no longer have a version that these CRDs store or serve. Default: none. The CRDs in `output`
   * are then compared instead, and lost data is only a notice.
   */
  readonly released?: string;
  /**
   * A TypeScript module, such as `./src/fields.ts`, to which the fields of all kinds are written. The main module
   * imports it for `Manager.run(operator, { fields })`, so that an operator detects a cluster with older CRDs. Default: not
   * written.
   */
  readonly fields?: string;
  /**
   * A TypeScript module, such as `./src/conversion.test.ts`, to which tests of the conversions between versions are written, for
   * Vitest if package.json lists it, otherwise for Jest. The tests need `@evenkeel/schema` and `@evenkeel/testing`. Default: not
   * written.
   */
  readonly conversionTest?: string;
  /** Where the operator's roles belong, which are derived from `operator`; `false` generates no roles. */
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

/** The operator's place in its cluster. The names and namespaces of its roles follow from this and from its declaration. */
export interface RbacConfig {
  /** The namespace of the operator and its ServiceAccount. Default: `default`. */
  readonly namespace?: string;
  /** The name of the ServiceAccount. Default: the operator's name. */
  readonly serviceAccount?: string;
}

/**
 * Adds types to an `evenkeel.config.ts`. Returns its argument unchanged.
 *
 * ```ts
 * import { defineConfig } from '@evenkeel/cli/config';
 * import { operator } from './src/operator.ts';
 *
 * export default defineConfig({ operator, apis: ['./src/nginx.ts'] });
 * ```
 */
export function defineConfig(config: EvenkeelConfig): EvenkeelConfig {
  return config;
}
