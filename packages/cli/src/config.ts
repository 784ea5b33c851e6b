/**
 * The configuration in `evenkeel.config.ts`.
 *
 * @module @evenkeel/cli/config
 */

import type { Duration } from '@evenkeel/core';
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
  /**
   * A YAML file, such as `./dist/install.yaml`, to which the objects of all manifests are written, in the order in which they
   * should be applied. Users install the operator with `kubectl apply -f`. Default: not written.
   */
  readonly installer?: string;
  /**
   * A folder, such as `./chart`, to which a Helm chart with the same objects is written. In it, the files below `custom/` and
   * `values.custom.yaml` are yours. Needs `deployment`. Default: not written.
   */
  readonly chart?: string;
  /** The settings of the operator's deployment; `false` generates only the CRDs. Default: `{}`. */
  readonly deployment?: DeploymentConfig | false;
  /** What `evenkeel build` makes an image from. Its name is `deployment.image`. Default: `{}`. */
  readonly image?: ImageConfig;
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
 * The settings of the operator that only its deployment in a cluster needs. Ports, probes, arguments, certificates and permissions are
 * derived from its declaration.
 */
export interface DeploymentConfig {
  /** The namespace of the operator and its ServiceAccount. Default: its name with the suffix `-system`, such as `sites-system`. */
  readonly namespace?: string;
  /** The name of the ServiceAccount. Default: the operator's name. */
  readonly serviceAccount?: string;
  /**
   * The container image. Without a tag or a digest, its tag is the version of the nearest package.json, so that each version has its own
   * image. Default: name and version in that file, such as `sites:1.2.0`.
   */
  readonly image?: string;
  /** The number of pods. More than 1 needs `leaderElection` in the declaration, if it has controllers. Default: 1. */
  readonly replicas?: number;
  /**
   * The resource requests and limits of the container. Default: `{ requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' }
   * }`.
   */
  readonly resources?: ContainerResources;
  /**
   * Environment variables of the container, such as `{ MEMCACHED_IMAGE: 'memcached:1.6' }`. `evenkeel dev` does not set them. Default:
   * none.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** How long current reconciles may continue after a stop: the setting `gracePeriod` of the run. Default: `30s`. */
  readonly gracePeriod?: Duration;
  /**
   * Whether users with the ClusterRoles `admin`, `edit` and `view` of Kubernetes also get the roles for your kinds. Through objects of
   * these kinds, such a user can make the operator act with permissions that the user does not have. Default: false.
   */
  readonly aggregateRoles?: boolean;
  /** Whether to write a ServiceMonitor of the Prometheus operator, whose CRD the cluster must have. Default: false. */
  readonly serviceMonitor?: boolean;
  /**
   * Whether to write a NetworkPolicy: everyone may connect to the ports of webhooks and health, and namespaces with the label
   * `metrics: enabled` to the port of metrics. Default: false.
   */
  readonly networkPolicy?: boolean;
  /**
   * The contexts of kubeconfigs to which the commands may deploy, such as `['kind-dev', 'staging']`; `in-cluster` is that of a pod.
   * The commands reject other contexts. Default: all.
   */
  readonly contexts?: readonly string[];
}

/** What `evenkeel build` makes an image from. */
export interface ImageConfig {
  /**
   * The base image, which has Node: its name in a registry, such as `node:24-slim`, or `oci:FOLDER[:TAG]` for an OCI image layout,
   * relative to the configuration. With a digest, every build has the same base. Default: none, then pass `--base`.
   */
  readonly base?: string;
  /** The platforms, such as `['linux/amd64', 'linux/arm64']`. Default: Linux on the processor of the machine that builds. */
  readonly platforms?: readonly string[];
}

/** Amounts by the name of a resource, such as `{ memory: '128Mi' }`. */
export interface ContainerResources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
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
