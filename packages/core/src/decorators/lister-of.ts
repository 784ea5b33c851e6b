import { type AnyClass, recordOf, type WatchedReference } from '../declarations/class-declarations.ts';

export interface ListerDeclaration {
  readonly kind: WatchedReference;
  /** Position among the constructor's parameters. */
  readonly parameter: number;
}

/** Injects, at a constructor's parameter, a lister over the cache of a kind that the controller reconciles, owns or watches. */
export function ListerOf(
  kind: WatchedReference,
): (target: object, method: string | symbol | undefined, parameter: number) => void {
  return (target, _method, parameter) => {
    recordOf(target as AnyClass).listers.push({ kind, parameter });
  };
}
