import { declare, type Recording, recordField } from '../declarations/class-record.ts';
import type { WatchedReference } from '../declarations/class-reference.ts';

export interface ListerDeclaration {
  readonly kind: WatchedReference;
  /** Position among the constructor's parameters. */
  readonly parameter: number;
}

/** Injects, at a constructor's parameter, a lister over the cache of a kind that the controller reconciles, owns or watches. */
export function ListerOf(
  kind: WatchedReference,
): (target: object, method: string | symbol | undefined, parameter: number) => void {
  return (target, _method, parameter) => declare(listers, target, { kind, parameter });
}

/** Constructor parameters belong to the class whose constructor runs: the nearest of which the compiler has recorded one. */
const byConstructor: Recording<ListerDeclaration, readonly ListerDeclaration[]> = {
  empty: () => [],
  add: (own, declaration) => [...own, declaration],
  inherit: (inherited, own, target) =>
    own.length > 0 || Reflect.hasOwnMetadata('design:paramtypes', target) ? own : inherited,
};

/** What `@ListerOf` records. What injects reads it, of controllers and of services. */
export const listers = recordField('listers', byConstructor);
