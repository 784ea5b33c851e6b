import type { KindClass } from '../kind/api-resource.ts';
import { isMetadataClass, type MetadataClass } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { KindReference, WatchedReference } from './class-reference.ts';

/** Returns the class of a reference. A class has a prototype; an arrow function that returns it does not. */
export function resolveKind<T extends KubernetesObject>(reference: KindReference<T>): KindClass<T> {
  return isClass(reference) ? reference : (reference as () => KindClass<T>)();
}

/** The same for a reference that may be to metadata only. */
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

/** Returns the name of a kind for messages. It does not call a function, because its class may not be defined yet. */
export function nameOfReference(reference: WatchedReference): string {
  if (typeof reference === 'function') return reference.prototype === undefined ? '() => ...' : reference.name;
  return typeof reference === 'object' && reference !== null
    ? `Metadata(${reference.metadataOf?.name})`
    : String(reference);
}

function isClass<T extends KubernetesObject>(reference: unknown): reference is KindClass<T> {
  return typeof reference === 'function' && reference.prototype !== undefined;
}
