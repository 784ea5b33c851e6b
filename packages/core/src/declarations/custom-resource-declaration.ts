export interface CustomResourceOptions {
  /** API group with a dot in it: `web.example.com`. */
  group: string;
  /** `v1alpha1`, `v1`, ... */
  version: string;
  /** Default: the class's name. */
  kind?: string;
  /** Default: the kind in lower case with an English plural ending. */
  plural?: string;
  /** Default: the kind in lower case. */
  singular?: string;
  /** Default: the kind and `List`. */
  listKind?: string;
  shortNames?: readonly string[];
  categories?: readonly string[];
  /** Default: `Namespaced`. */
  scope?: 'Namespaced' | 'Cluster';
  /**
   * Whether objects are stored in this version. One version of a kind must be; where there is only one, it is. Default:
   * false where a kind has several versions.
   */
  storage?: boolean;
  /** Whether the API server answers requests for this version. Default: true. */
  served?: boolean;
  /**
   * Marks the version as deprecated: the API server adds a warning to every answer about it, which kubectl prints. A text
   * is the warning, of at most 256 bytes; `true` has the API server's own. Default: false.
   */
  deprecated?: boolean | string;
  /** Labels of the CRD itself. */
  labels?: Readonly<Record<string, string>>;
  /** Annotations of the CRD itself. */
  annotations?: Readonly<Record<string, string>>;
}

export interface CustomResourceDeclaration extends CustomResourceOptions {
  readonly kind: string;
}
