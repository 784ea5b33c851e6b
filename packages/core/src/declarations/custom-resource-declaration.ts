export interface CustomResourceOptions {
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
  /**
   * The reason why objects may lose data or become invalid between this version and the storage version. Without it,
   * `evenkeel generate` fails if they do, and the error lists the differences. It accepts all differences between the two
   * versions, including later ones, and the CRD does not contain it. On a version that is in the CRDs of the configuration's
   * `released`, it also accepts that objects stored under the released CRD lose data or become invalid. Otherwise it has no
   * effect on the storage version.
   */
  lossy?: string;
  /** Labels of the CRD itself. */
  labels?: Readonly<Record<string, string>>;
  /** Annotations of the CRD itself. */
  annotations?: Readonly<Record<string, string>>;
}

export interface CustomResourceDeclaration extends CustomResourceOptions {
  readonly kind: string;
}
