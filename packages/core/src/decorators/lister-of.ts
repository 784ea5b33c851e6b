import { declare, type Recording, recordField } from '../declarations/class-record.ts';
import type { WatchedReference } from '../declarations/class-reference.ts';

export interface ListerDeclaration {
  readonly kind: WatchedReference;
  /** The index of the constructor parameter. */
  readonly parameter: number;
}

/** Injects a lister for a kind that the controller reconciles, owns or watches. Put it on a constructor parameter. */
export function ListerOf(
  kind: WatchedReference,
): (target: object, method: string | symbol | undefined, parameter: number) => void {
  return (target, _method, parameter) => declare(listers, target, { kind, parameter });
}

/** Constructor parameters belong to the class whose constructor runs: the nearest class for which the compiler recorded one. */
const byConstructor: Recording<ListerDeclaration, readonly ListerDeclaration[]> = {
  empty: () => [],
  add: (own, declaration) => [...own, declaration],
  inherit: (inherited, own, target) =>
    own.length > 0 || Reflect.hasOwnMetadata('design:paramtypes', target) ? own : inherited,
};

/** The record of `@ListerOf`. The container reads it for controllers and services. */
export const listers = recordField('listers', byConstructor);
