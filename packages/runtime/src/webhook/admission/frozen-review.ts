import { EvenkeelError, frozenPropertyOf, type KindClass } from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import { placeOfError } from '../../log/place-of-error.ts';
import type { AdmissionRequest } from './admission-request.ts';

/**
 * Returns `frozen-object` with the fix if a method of a webhook failed because it changed a frozen object of its review, otherwise
 * the error.
 */
export function explainFrozenReview(
  error: unknown,
  { webhookClass, type, kind }: WebhookPlan,
  method: string,
  { operation }: Pick<AdmissionRequest, 'operation'>,
): unknown {
  const property = frozenPropertyOf(error);
  if (property === undefined) return error;
  const place = placeOfError(error, process.cwd());
  const where = `${webhookClass.name}.${method}${place === undefined ? '' : ` (${place})`}`;
  return new EvenkeelError(
    'frozen-object',
    `${where} cannot change "${property}": ${fixOf(type, kind as KindClass, operation)}`,
    { cause: error },
  );
}

function fixOf(type: WebhookPlan['type'], kind: KindClass, operation: AdmissionRequest['operation']): string {
  if (operation === 'delete') return 'an object that is deleted is frozen; change a copy';
  if (type === 'mutating') return 'the old object is frozen; change the object that the method gets first, or a copy';
  return `the objects of a validating webhook are frozen; use @MutatingWebhook(${kind.name}) to change them, or change a copy`;
}
