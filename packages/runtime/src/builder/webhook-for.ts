import {
  type AdmissionOperation,
  type AdmissionReview,
  type AdmissionRule,
  Admit,
  type AdmittedObject,
  type AnyClass,
  type ConcreteClass,
  type KindReference,
  type KubernetesObject,
  MutatingWebhook,
  type MutatingWebhookOptions,
  Mutation,
  type MutationOptions,
  type PlainFunction,
  Rbac,
  type RbacOptions,
  type RbacTarget,
  type RbacVerb,
  type ResourceVerb,
  Rule,
  recordCall,
  ValidatingWebhook,
  type ValidatingWebhookOptions,
} from '@evenkeel/core';
import { FunctionBuilder } from './function-builder.ts';
import type { Injected, InjectionRequests } from './injected.ts';

/** A function with the parameters of a method with `@Admit`. */
type Admits<O, S> = (object: O, review: AdmissionReview<O>, services: S) => void | Promise<void>;

/** The object that a function gets; `any` structure if only the API documentation says it. */
type ObjectOf<T, N extends string | undefined> =
  unknown extends AdmittedObject<T, N> ? KubernetesObject : AdmittedObject<T, N>;

/**
 * A builder that declares a webhook with a function instead of decorators. Each step returns a new builder. {@link admit} is the
 * last step. The function receives the services requested with {@link inject} (`S`) as its last parameter.
 */
export interface WebhookBuilder<O, S = unknown> {
  /** Injects classes, tokens and listers (`listerOf`), as constructor parameters do. Calls add up. */
  inject<R extends InjectionRequests>(requests: R): WebhookBuilder<O, S & Injected<R>>;
  /** Same as `@Rbac` on the class. */
  rbac<R extends RbacTarget>(target: R, verbs: readonly RbacVerb<R>[], options?: RbacOptions): WebhookBuilder<O, S>;
  /**
   * The equivalent of `@Admit` on a method. Returns the webhook class, which you list in `webhooks`.
   *
   * @param operations an empty list has the default of `@Admit`.
   */
  admit(operations: readonly AdmissionOperation[], admits: Admits<O, S>): ConcreteClass;
}

/** A builder of a validating webhook. */
export interface ValidatingWebhookBuilder<O, S = unknown> extends WebhookBuilder<O, S> {
  inject<R extends InjectionRequests>(requests: R): ValidatingWebhookBuilder<O, S & Injected<R>>;
  rbac<R extends RbacTarget>(
    target: R,
    verbs: readonly RbacVerb<R>[],
    options?: RbacOptions,
  ): ValidatingWebhookBuilder<O, S>;
  /** The last step of a webhook without functions: the equivalent of `@Rule` on the class, for each rule. */
  rules(...rules: readonly AdmissionRule[]): ConcreteClass;
}

/** A builder of a mutating webhook. */
export interface MutatingWebhookBuilder<O, S = unknown> extends WebhookBuilder<O, S> {
  inject<R extends InjectionRequests>(requests: R): MutatingWebhookBuilder<O, S & Injected<R>>;
  rbac<R extends RbacTarget>(
    target: R,
    verbs: readonly RbacVerb<R>[],
    options?: RbacOptions,
  ): MutatingWebhookBuilder<O, S>;
  /** The last step of a webhook without functions: the equivalent of `@Mutation` on the class, for each expression. */
  mutations(...mutations: readonly (MutationOptions & { readonly expression: string })[]): ConcreteClass;
}

/**
 * Starts a validating webhook of a plain function. It is the equivalent of `@ValidatingWebhook` above a class:
 *
 * ```ts
 * export const hostIsFree = validatingWebhookFor(Site)
 *   .inject({ sites: listerOf(Site) })
 *   .admit(['create'], function check(site, review, { sites }) {
 *     if (sites.list().some(({ spec }) => spec.host === site.spec.host)) review.duplicate('spec.host', site.spec.host);
 *   });
 * ```
 */
export function validatingWebhookFor<T extends KubernetesObject, const N extends string | undefined = undefined>(
  kind: KindReference<T>,
  options: ValidatingWebhookOptions<N> = {},
): ValidatingWebhookBuilder<ObjectOf<T, N>> {
  const decorate = ValidatingWebhook(kind as KindReference, options as ValidatingWebhookOptions);
  return begin(kind as KindReference, options.name, 'validatingWebhookFor', validatingWebhookFor, decorate);
}

/** Starts a mutating webhook of a plain function, which changes the object that it gets. See {@link validatingWebhookFor}. */
export function mutatingWebhookFor<T extends KubernetesObject, const N extends string | undefined = undefined>(
  kind: KindReference<T>,
  options: MutatingWebhookOptions<N> = {},
): MutatingWebhookBuilder<ObjectOf<T, N>> {
  const decorate = MutatingWebhook(kind as KindReference, options as MutatingWebhookOptions);
  return begin(kind as KindReference, options.name, 'mutatingWebhookFor', mutatingWebhookFor, decorate);
}

function begin<B>(
  kind: KindReference,
  name: string | undefined,
  starts: string,
  called: PlainFunction,
  decorate: (made: never) => void,
): B {
  const decorated = decorate as (made: ConcreteClass) => void;
  const beginning = { kind, name, starts, call: recordCall(called), decorate: decorated };
  return new AdmitBuilder(beginning) as unknown as B;
}

class AdmitBuilder extends FunctionBuilder {
  rbac(target: RbacTarget, verbs: readonly ResourceVerb[], options?: RbacOptions): this {
    return this.with({ on: 'class', decorate: Rbac(target, verbs as never, options as never) });
  }

  admit(operations: readonly AdmissionOperation[], admits: PlainFunction): ConcreteClass {
    const decorate = (prototype: object, method: string) => Admit(...operations)(prototype, method, {});
    return this.finish({ does: admits, unnamed: 'admit()', decorate });
  }
  rules(...rules: readonly AdmissionRule[]): ConcreteClass {
    return this.#finished(rules.map(({ rule, ...options }) => Rule(rule, options)));
  }

  mutations(...mutations: readonly (MutationOptions & { readonly expression: string })[]): ConcreteClass {
    return this.#finished(mutations.map(({ expression, ...options }) => Mutation(expression, options)));
  }

  #finished(decorators: readonly ((made: AnyClass) => void)[]): ConcreteClass {
    const made = decorators.reduce<AdmitBuilder>((builder, decorate) => builder.with({ on: 'class', decorate }), this);
    return made.finish();
  }
}
