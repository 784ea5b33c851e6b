import { declare, recordField, single } from '../declarations/class-record.ts';
import type { KindReference } from '../declarations/class-reference.ts';
import type { WebhookDeclaration, WebhookDecorator } from '../declarations/webhook-class.ts';
import type { WebhookOptions } from '../declarations/webhook-options.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** The options of `@ValidatingWebhook`. */
export interface ValidatingWebhookOptions<S extends string | undefined = string | undefined> extends WebhookOptions<S> {
  /**
   * Whether the webhook also enforces the rules of the class that the CRD cannot express, through the operator's `validator`. A
   * class with `schema: true` needs no method with `@Admit`. The rules are checked in creations and updates. An update is not
   * rejected for a problem that the stored object has too, nor while the object is being deleted. Default: false.
   */
  schema?: boolean;
}

/**
 * Declares a class as a validating webhook of a kind: one of your own, a built-in kind, or a kind of another operator. Its methods
 * with {@link Admit} accept or reject requests. They get a frozen object. Validating webhooks run at the same time, after all
 * mutating webhooks.
 *
 * ```ts
 * @ValidatingWebhook(CronJob)
 * class CronJobValidator {
 *   @Admit('create', 'update')
 *   check(job: CronJob, review: AdmissionReview<CronJob>) {
 *     if (job.metadata.name.length > 52) review.invalid('metadata.name', job.metadata.name, 'must be no more than 52 characters');
 *   }
 * }
 * ```
 *
 * List it in `webhooks` of `defineOperator()`. The constructor gets services and listers, as that of a controller does; the manager
 * caches the kinds of its listers. The compiler rejects a public method that takes a review and another kind. The start reports
 * the mistakes that types do not show.
 */
export function ValidatingWebhook<T extends KubernetesObject, const S extends string | undefined = undefined>(
  kind: KindReference<T>,
  options: ValidatingWebhookOptions<S> = {},
): WebhookDecorator<T, S, '@ValidatingWebhook'> {
  return (target) => declare(validatingWebhook, target, { ...options, kind } as WebhookDeclaration);
}

/** The record of `@ValidatingWebhook`. */
export const validatingWebhook = recordField('validatingWebhook', single<WebhookDeclaration>());
