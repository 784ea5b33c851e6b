import type { KindClass } from '../kind/api-resource.ts';
import { isMetadataClass, type MetadataClass } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { KindReference, WatchedReference } from './class-reference.ts';

/** The class a reference stands for. A thunk is an arrow function, which has no prototype; a class has one. */
export function resolveKind<T extends KubernetesObject>(reference: KindReference<T>): KindClass<T> {
  return isClass(reference) ? reference : (reference as () => KindClass<T>)();
}

/** The same for a reference that may ask for metadata alone. */
export function resolveWatched<T extends KubernetesObject>(
  reference: WatchedReference<T>,
): { kind: KindClass<T>; metadataOnly: boolean } {
  const value: KindClass<T> | MetadataClass<T> =
    typeof reference === 'function' && !isClass(reference)
      ? (reference as () => KindClass<T> | MetadataClass<T>)()
      : (reference as KindClass<T> | MetadataClass<T>);
  return isMetadataClass(value)
    ? { kind: value.metadataOf as KindClass<T>, metadataOnly: true }
    : { kind: value, metadataOnly: false };
}

/** A kind as it stands in messages. A thunk is not called: what it gives may not be there yet. */
export function nameOfReference(reference: WatchedReference): string {
  if (typeof reference === 'function') return reference.prototype === undefined ? '() => ...' : reference.name;
  return typeof reference === 'object' && reference !== null
    ? `Metadata(${reference.metadataOf?.name})`
    : String(reference);
}

function isClass<T extends KubernetesObject>(reference: unknown): reference is KindClass<T> {
  return typeof reference === 'function' && reference.prototype !== undefined;
}
