import { type AnyClass, recordOf } from '../declarations/class-declarations.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';

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

/**
 * Declares a class as a version of a custom resource: `evenkeel generate` makes the kind's CRD of it, controllers and the
 * client know the version by it. Several classes of one group and kind with different versions make one CRD; what
 * belongs to the kind (names, scope, categories, labels, annotations) may be said in each of them or in one. Records
 * only; what was given is checked when the declaration is read.
 */
export function CustomResource(options: CustomResourceOptions): (target: AnyClass) => void {
  return (target: AnyClass | undefined) => {
    // Without parentheses this function stands in the place of the class, and is taken for a thunk of a kind.
    if (target === undefined) {
      const { name } = options as unknown as AnyClass;
      throw new EvenkeelError(
        'decorator-not-called',
        `${name}: @CustomResource is written without parentheses; write @CustomResource({ group, version })`,
      );
    }
    recordOf(target).customResource = { ...options, kind: options?.kind ?? target.name };
  };
}
