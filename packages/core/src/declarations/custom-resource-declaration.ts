import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { ConversionOptions, FieldMoves } from './conversion-declaration.ts';

/** The options of `@CustomResource`. */
export interface CustomResourceOptions<
  Hub extends KubernetesObject = KubernetesObject,
  Moves extends FieldMoves = FieldMoves,
  Spoke = KubernetesObject,
> {
  /** The API group, which must contain a dot: `web.example.com`. */
  group: string;
  /** The API version: `v1alpha1`, `v1`, ... */
  version: string;
  /** Default: the class's name. */
  kind?: string;
  /** Default: the kind in lower case, in the English plural. */
  plural?: string;
  /** Default: the kind in lower case. */
  singular?: string;
  /** Default: the kind followed by `List`. */
  listKind?: string;
  shortNames?: readonly string[];
  categories?: readonly string[];
  /** Default: `Namespaced`. */
  scope?: 'Namespaced' | 'Cluster';
  /**
   * Whether objects are stored in this version. Exactly one version of a kind must be the storage version. Default: true if the
   * kind has only one version, otherwise false.
   */
  storage?: boolean;
  /** Whether the API server serves this version. Default: true. */
  served?: boolean;
  /**
   * Marks the version as deprecated. The API server adds a warning to each response, and kubectl prints it. A string of at most
   * 256 bytes is the warning; with `true` the API server uses its own. Default: false.
   */
  deprecated?: boolean | string;
  /** Losses of this version that are accepted. Without it, `evenkeel generate` fails if objects lose data. Default: none. */
  lossy?: LossyFields;
  /**
   * How objects of this version are converted to another version of the kind, the hub, and back. If one version of a kind declares
   * this, all except the hub must. The classes also belong to `conversions` of `defineOperator()`, whose webhook server converts
   * the objects. Default: the API server changes only `apiVersion`.
   */
  conversion?: ConversionOptions<Hub, Moves, Spoke>;
  /** Labels of the CRD itself. */
  labels?: Readonly<Record<string, string>>;
  /** Annotations of the CRD itself. */
  annotations?: Readonly<Record<string, string>>;
}

/** What `@CustomResource` records of a class. */
export interface CustomResourceDeclaration extends Omit<CustomResourceOptions, 'conversion'> {
  readonly kind: string;
  /** Unchecked {@link ConversionOptions}. */
  readonly conversion?: unknown;
}

/**
 * Fields in which objects may lose data or become invalid, each with the reason why that is acceptable. The keys are paths as
 * `evenkeel generate` prints them, such as `spec.ports[*].name`; a difference of the whole object has the kind as its key. An entry
 * accepts every difference of this field. It does not accept differences of other fields, not even of fields below it. CRDs do not contain
 * this.
 */
export interface LossyFields {
  /**
   * Fields that differ between this version and the storage version, or that the conversion of this version does not cover. With a
   * conversion, the paths are those in the hub. It has no effect on the storage version, or with a conversion on the hub.
   * `verifyConversion()` ignores these fields too.
   */
  versions?: Readonly<Record<string, string>>;
  /**
   * Fields of objects that are stored under the CRD in the folder `released` of the configuration. Remove them when the release
   * with this change is in that folder.
   */
  stored?: Readonly<Record<string, string>>;
}
