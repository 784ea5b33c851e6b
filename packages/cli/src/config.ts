/**
 * The configuration in `evenkeel.config.ts`.
 *
 * @module @evenkeel/cli/config
 */

import type { Duration } from '@evenkeel/core';
import type { InstallModeType, KindDescription } from '@evenkeel/olm/csv';
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
   * What `evenkeel bundle` needs besides the classes. It reports all missing members together, with code to paste. Needs `operator` and
   * `deployment`. Default: none, the project has no bundle.
   */
  readonly bundle?: BundleConfig;
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
   * Whether to write a PrometheusRule of the Prometheus operator with alerts on the metrics of Evenkeel; an array adds your own alerts, for
   * instance on metrics of your controllers. Needs `metricsAuthentication` in the declaration. The alerts select the series of the
   * ServiceMonitor. Default: false.
   */
  readonly alerts?: boolean | readonly Alert[];
  /**
   * Whether to write a dashboard of Grafana, in a ConfigMap with the label `grafana_dashboard`, by which Grafana's sidecar finds it; an
   * array adds your own panels, which come first. Needs `metricsAuthentication` in the declaration. Default: false.
   */
  readonly dashboard?: boolean | readonly Panel[];
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

/** An alert of Prometheus. Declare it beside the controller that it is about, in a module that imports no controller. */
export interface Alert {
  /** A name that no other alert has, such as `NginxUnavailable`. */
  readonly name: string;
  /** The expression in PromQL. The alert is active while it has results, each with its labels. */
  readonly expr: string;
  /** How long the expression must have results before the alert fires. Default: it fires at once. */
  readonly for?: Duration;
  /** `critical` if users of the operand are affected and a person must act at once. */
  readonly severity: 'critical' | 'warning' | 'info';
  /** One line about what is wrong. Prometheus replaces templates such as `{{ $labels.name }}`. */
  readonly summary: string;
  /** What a person should look at and do, as Markdown. Prometheus replaces templates. */
  readonly runbook: string;
  /** More annotations, such as `runbook_url`. Default: none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A graph of a dashboard. */
export interface Panel {
  readonly title: string;
  /** The expression in PromQL. `$__rate_interval` of Grafana is a suitable range of rates. */
  readonly expr: string;
  /** The name of a line, from its labels: `{{controller}}`. Default: what Grafana derives. */
  readonly legend?: string;
  /** The unit by the name that Grafana uses, such as `s`, `bytes`, `ops` or `percentunit`. Default: `short`, a number. */
  readonly unit?: string;
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

/** What a bundle for the Operator Lifecycle Manager says that no class knows. Catalogs such as OperatorHub show most of it. */
export interface BundleConfig {
  /** The name of the operator for users: 3 to 50 characters. */
  readonly displayName: string;
  /** What the operator does, as Markdown: at least 20 characters. */
  readonly description: string;
  /** Who provides the operator. */
  readonly provider: { readonly name: string; readonly url?: string };
  /** Whom users can ask: at least one. */
  readonly maintainers: readonly { readonly name: string; readonly email: string }[];
  /** Documentation and sources: at least one. */
  readonly links: readonly { readonly name: string; readonly url: string }[];
  /** The path of an SVG, PNG, JPEG or GIF file of at most 200 KiB, such as `./icon.svg`. */
  readonly icon: string;
  /** One line of at most 135 characters for tiles. Default: the first sentence of the description, if it is short enough. */
  readonly summary?: string;
  /** Words by which users find the operator. Default: `keywords` in package.json. */
  readonly keywords?: readonly string[];
  /** Categories of OperatorHub, such as `['Database']`. Default: none. */
  readonly categories?: readonly string[];
  /** The capability level, from `Basic Install` to `Auto Pilot`. Default: `Basic Install`. */
  readonly capabilities?: string;
  /** Such as `alpha` or `stable`. Default: `alpha` for versions below 1.0.0, otherwise `stable`. */
  readonly maturity?: string;
  /** The address of the sources. Default: `repository` in package.json, if it is one. */
  readonly repository?: string;
  /** Who supports the operator. Default: the name of the provider. */
  readonly support?: string;
  /** Other annotations of the ClusterServiceVersion. Default: none. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The name of the package in catalogs. Default: the name of the operator. */
  readonly package?: string;
  /** The version, such as `1.2.0`. `--version` overrides it. Default: that of the nearest package.json. */
  readonly version?: string;
  /** The channels of the bundle; the first is the default channel. `--channels` overrides them. Default: `['stable']`. */
  readonly channels?: readonly string[];
  /**
   * The folder of your catalog, such as `./catalog`. The bundle then replaces the newest older bundle of the default channel in it.
   * `--replaces` overrides that. A folder that does not exist is an empty catalog. Default: the bundle replaces none.
   */
  readonly catalog?: string;
  /**
   * The image of the catalog from which users install the operator, such as `registry.example.com/sites-catalog:latest`. The command then
   * writes manifests for that too, for OLM v0 and v1. Default: none.
   */
  readonly catalogImage?: string;
  /** The folder to write. Default: `./bundle`. */
  readonly folder?: string;
  /**
   * Images of operands that no environment variable names, such as `{ nginx: 'nginx:1.29' }`. The bundle lists them, so that clusters
   * without internet access can mirror them. Those in variables such as `MEMCACHED_IMAGE` in `deployment.env` are always listed.
   * Default: none.
   */
  readonly images?: Readonly<Record<string, string>>;
  /**
   * The namespaces for which OLM may install the operator. Default: `['AllNamespaces']`, or those that follow from `namespaces` in
   * `defineOperator()`.
   */
  readonly installModes?: readonly InstallModeType[];
  /** What the bundle says about your kinds, and about those that other operators provide, by kind. Default: what follows from the classes. */
  readonly kinds?: Readonly<Record<string, KindDescription>>;
  /** What must be installed first. OLM v1 does not resolve dependencies. Default: none. */
  readonly dependencies?: readonly BundleDependency[];
  /** Other properties of the bundle, such as `[{ type: 'olm.maxOpenShiftVersion', value: '4.20' }]`. Default: none. */
  readonly properties?: readonly { readonly type: string; readonly value: unknown }[];
}

/** A package with a range of versions, a kind, or a constraint in OLM's own form. */
export type BundleDependency =
  | { readonly package: string; readonly version: string }
  | { readonly group: string; readonly version: string; readonly kind: string }
  | { readonly constraint: object };

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

export type { ScorecardContext, ScorecardTestFunction } from './scorecard/scorecard-test.ts';
