import type { ApiStatus, StatusError } from '@evenkeel/core';
import { goQuote, isJsonObject, type JsonObject, valueAt } from '../apimachinery/index.ts';
import { badRequest, internalError, refusal } from '../status/refusal.ts';

/** A webhook that could not be asked, so that its failure policy decides. Upstream's `ErrCallingWebhook`. */
export class WebhookCallFailure extends Error {
  override readonly name = 'WebhookCallFailure';

  constructor(webhook: string, reason: string) {
    super(`failed calling webhook ${goQuote(webhook)}: ${reason}`);
  }

  get refusal(): StatusError {
    return internalError(this.message);
  }
}

export function dryRunUnsupported(webhook: string): StatusError {
  return badRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}

/** The Status of a webhook that denies a request. Source: `ToStatusErr` of apiserver `pkg/admission/plugin/webhook/errors`. */
export function denial(webhook: string, status: JsonObject): StatusError {
  const { message, reason, code, details } = status as { [name: string]: unknown };
  const why =
    typeof message === 'string' && message !== ''
      ? `: ${message}`
      : typeof reason === 'string' && reason !== ''
        ? `: ${reason}`
        : ' without explanation';
  return refusal(
    typeof code === 'number' && code >= 400 ? code : 400,
    typeof reason === 'string' ? reason : '',
    `admission webhook ${goQuote(webhook)} denied the request${why}`,
    isJsonObject(details) ? detailsOf(details) : undefined,
  );
}

const detailFields = ['name', 'group', 'kind', 'uid', 'causes', 'retryAfterSeconds'] as const;

/** The details as Go writes them: known fields that are not empty. */
function detailsOf(details: JsonObject): ApiStatus['details'] {
  const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);
  const fields = detailFields.filter((name) => !isEmpty(valueAt(details, name)));
  return Object.fromEntries(fields.map((name) => [name, details[name]]));
}
