import { type AnyClass, type KindReference, recordOf } from './class-declarations.ts';

export interface OwnsDeclaration {
  readonly kind: KindReference;
}

/**
 * Declares a kind of children: an event on one that has the reconciled kind as its controller wakes its owner, and the
 * controller may write that kind. Children are cached only where they carry the label that `context.apply` stamps.
 */
export function Owns(kind: KindReference): (target: AnyClass) => void {
  return (target) => {
    recordOf(target).owns.unshift({ kind });
  };
}
