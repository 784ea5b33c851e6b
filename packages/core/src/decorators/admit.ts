import type { AdmissionOperation } from '../contract/admission-review.ts';
import { byMethod, declare, recordField } from '../declarations/class-record.ts';

export interface AdmitDeclaration {
  readonly method: string;
  /** Empty for the default. */
  readonly operations: readonly AdmissionOperation[];
}

/** A method of a webhook. Its parameters belong to the kind, which the class decorator compares. */
type AdmitMethod = (object: never, review: never) => void | Promise<void>;

/**
 * Marks a method that reviews requests. It gets the object and the {@link AdmissionReview}, and may be asynchronous. It returns
 * nothing: it reports problems through the review, and a mutating webhook changes the object itself. For `delete` the object is
 * the one that is deleted.
 *
 * Several methods may have `@Admit`. For one request, those with its operation run one after another, in the order of the class,
 * and all get the same object and review.
 *
 * @param operations default: `create` and `update`. For a subresource: `connect` for `exec`, `attach`, `portforward` and `proxy`,
 *   `create` for `binding`, `eviction` and `token`, and `update` for the others.
 */
export function Admit(
  ...operations: readonly AdmissionOperation[]
): <M extends AdmitMethod>(target: object, method: string, descriptor: TypedPropertyDescriptor<M>) => void {
  return (target, method) => declare(admits, target, { method, operations });
}

/** The record of `@Admit`. */
export const admits = recordField('admits', byMethod<AdmitDeclaration>());
