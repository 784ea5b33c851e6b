import { type KindReference, recordOfMember, type WatchedReference } from '../declarations/class-declarations.ts';
import type { Metadata, MetadataClass } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { SeenObject } from '../predicate/object-event.ts';
import type { TakesMetadata } from './watches.ts';

export interface IndexDeclaration {
  readonly name: string;
  readonly method: string;
  /** What is indexed; undefined for the controller's own kind. */
  readonly kind?: WatchedReference;
}

type IndexValues = string | readonly string[] | null | undefined;

/** Decorates a method that takes what is indexed. */
type IndexDecorator<T extends SeenObject> = <F extends (object: T) => IndexValues>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F>,
) => void;

type MetadataIndexDecorator<T extends KubernetesObject> = <F extends (object: Metadata<T>) => IndexValues>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F> & TakesMetadata<F>,
) => void;

/**
 * Marks a method that gives the values by which objects are indexed in the cache: those of the controller's own kind, or
 * of a kind that it owns or watches; look objects up with `lister.byIndex(name, value)`. It is called once for each
 * version of an object, must be pure and quick, and returns a text, several, or nothing.
 */
export function Index(name: string): (target: object, method: string) => void;
export function Index<T extends KubernetesObject>(name: string, kind: KindReference<T>): IndexDecorator<T>;
export function Index<T extends KubernetesObject>(
  name: string,
  kind: MetadataClass<T> | (() => MetadataClass<T>),
): MetadataIndexDecorator<T>;
export function Index(name: string, ...kind: readonly WatchedReference[]): (target: object, method: string) => void {
  return (target, method) => {
    const declaration: IndexDeclaration =
      kind.length === 0 ? { name, method } : { name, method, kind: kind[0] as WatchedReference };
    recordOfMember(target).indexes.push(declaration);
  };
}
