import { type AnyClass, recordOf, type WatchedReference } from './class-declarations.ts';

export interface WatchesOptions {
  /** Only objects that carry all of these labels are watched. */
  labels?: Readonly<Record<string, string>>;
  /** Only objects for which these fields have these values, by the server's field selectors. */
  fields?: Readonly<Record<string, string>>;
}

export interface WatchesDeclaration extends WatchesOptions {
  readonly kind: WatchedReference;
  readonly method: string;
}

/**
 * Marks a method that maps an object of another kind to the keys it wakes. It is called with the old and with the new
 * object of an update, and the union is woken. It must be quick and may not wait.
 */
export function Watches(
  kind: WatchedReference,
  options: WatchesOptions = {},
): (target: object, method: string) => void {
  return (target, method) => {
    recordOf(target.constructor as AnyClass).watches.push({ ...options, kind, method });
  };
}
