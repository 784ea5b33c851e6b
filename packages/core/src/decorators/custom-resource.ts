import { type AnyClass, recordOf } from './class-declarations.ts';

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
}

export interface CustomResourceDeclaration extends CustomResourceOptions {
  readonly kind: string;
}

/**
 * Declares a class as a custom resource: `evenkeel generate` makes its CRD, controllers and the client know its kind by
 * it. Records only; names and versions are checked when the declaration is read.
 */
export function CustomResource(options: CustomResourceOptions): (target: AnyClass) => void {
  return (target) => {
    recordOf(target).customResource = { ...options, kind: options.kind ?? target.name };
  };
}
