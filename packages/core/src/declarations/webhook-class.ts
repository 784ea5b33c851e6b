import type { AdmissionReview } from '../contract/admission-review.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { AnyClass, KindReference, KindWord } from './class-reference.ts';
import type { AdmittedObject, WebhookOptions } from './webhook-options.ts';

/** What the decorator of a webhook class records. */
export interface WebhookDeclaration extends WebhookOptions {
  readonly kind: KindReference;
  readonly schema?: boolean;
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** The names of the public methods whose second parameter is a review, and that take another object than `T`. */
type MethodsOfOthers<I, T> = {
  [M in keyof I]: I[M] extends (...values: infer P) => unknown
    ? P extends readonly [infer O, infer V, ...unknown[]]
      ? V extends AdmissionReview
        ? [T, AdmissionReview<T>] extends [O, V]
          ? never
          : M
        : never
      : never
    : never;
}[keyof I];

/** An additional constraint on the class. If one of its methods takes another kind, the compiler's error shows the text. */
export type AdmitsKind<C extends AnyClass, T extends KubernetesObject, S extends string | undefined, D extends string> =
  unknown extends AdmittedObject<T, S>
    ? unknown
    : [MethodsOfOthers<InstanceType<C>, AdmittedObject<T, S>>] extends [never]
      ? unknown
      : `${D} gives ${[S] extends ['scale'] ? 'Scale' : KindWord<T>} to ${MethodsOfOthers<InstanceType<C>, AdmittedObject<T, S>> & string}(); a parameter has another type`;

/** The decorator of a webhook class. */
export type WebhookDecorator<T extends KubernetesObject, S extends string | undefined, D extends string> = <
  C extends AnyClass,
>(
  target: C & AdmitsKind<C, T, S, D>,
) => void;
