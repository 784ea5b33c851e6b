import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import type { ErrorCode } from '@evenkeel/core';
import { type WebhookPlan, webhookConfigurations } from '@evenkeel/core/webhook';
import { type WebhookOperator, webhookTraps } from './webhook-traps.ts';

/** What is wrong with the configuration of a webhook, or surprising about it. */
export interface WebhookFinding {
  readonly level: 'error' | 'notice';
  readonly code: ErrorCode;
  readonly message: string;
}

/** The server's rules only read the webhooks. Their type is a generated class, whose properties are not readonly. */
type CheckedWebhooks = Parameters<typeof import('@evenkeel/schema/evaluate').webhookErrors>[0];

/** Returns what the API server would reject in the configuration of a webhook, by its own rules; otherwise the traps. */
export async function webhookFindings(plan: WebhookPlan, operator: WebhookOperator): Promise<WebhookFinding[]> {
  const { webhookErrors } = await import('@evenkeel/schema/evaluate');
  const service = { name: 'webhook', namespace: 'default', path: plan.path, port: 443 };
  const rejected = webhookConfigurations('webhook', [plan], () => ({ service }))
    .flatMap(({ webhooks }) => webhookErrors(webhooks as unknown as CheckedWebhooks))
    .map(
      (error): WebhookFinding => ({
        level: 'error',
        code: 'webhook-rejected',
        message: `the API server would reject the webhook: ${fieldErrorText({ ...error, field: error.field.replace(/^webhooks\[0\]\./, '') })}`,
      }),
    );
  if (rejected.length > 0) return rejected;
  return webhookTraps(plan, operator).map(({ code, message }) => ({ level: 'notice', code, message }));
}
