import { declare, recordField, single } from '../declarations/class-record.ts';
import type { KindReference } from '../declarations/class-reference.ts';
import type { WebhookDeclaration, WebhookDecorator } from '../declarations/webhook-class.ts';
import type { WebhookOptions } from '../declarations/webhook-options.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** The options of `@MutatingWebhook`. */
export interface MutatingWebhookOptions<S extends string | undefined = string | undefined> extends WebhookOptions<S> {
  /**
   * `IfNeeded` calls the webhook once more if a later webhook changed the object. Its methods must then be idempotent. Default
   * `Never`.
   */
  reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/**
 * Declares a class as a mutating webhook of a kind: it sets defaults, or adds something to objects. Its methods with {@link Admit}
 * change the object that they get. The webhook sends the difference as a minimal JSON patch, so it never touches fields that the
 * class does not know; without a difference it sends none. It may also reject, as a validating webhook does.
 *
 * ```ts
 * @MutatingWebhook(Pod)
 * class SidecarInjector {
 *   @Admit('create')
 *   inject(pod: Pod) {
 *     pod.spec?.containers.push({ name: 'proxy', image: 'example.com/proxy:1' });
 *   }
 * }
 * ```
 *
 * List it in `webhooks` of `defineOperator()`. The mutating webhooks of an operator are called in the order of that list. The
 * API server orders the operators by the names of their configurations.
 */
export function MutatingWebhook<T extends KubernetesObject, const S extends string | undefined = undefined>(
  kind: KindReference<T>,
  options: MutatingWebhookOptions<S> = {},
): WebhookDecorator<T, S, '@MutatingWebhook'> {
  return (target) => declare(mutatingWebhook, target, { ...options, kind } as WebhookDeclaration);
}

/** The record of `@MutatingWebhook`. */
export const mutatingWebhook = recordField('mutatingWebhook', single<WebhookDeclaration>());
