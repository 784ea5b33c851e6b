import { StatusError } from '@evenkeel/core';

/** 400: the patch itself is not one. */
export function badPatch(message: string): StatusError {
  return refusal(400, 'BadRequest', message);
}

/** 413: the patch asks for more than a server does for one request. */
export function patchTooLarge(message: string): StatusError {
  return refusal(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/**
 * 422: the patch does not fit the object. The server hides what was wrong behind one general sentence; it is kept here
 * as the error's `cause`.
 */
export function patchDoesNotApply(detail: string): StatusError {
  return new StatusError(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
      code: 422,
    },
    { cause: new Error(detail) },
  );
}

/** 500 without a reason: what the server answers where it has no better name for a mistake in the request. */
export function patchFailed(message: string): StatusError {
  return refusal(500, undefined, message);
}

function refusal(code: number, reason: string | undefined, message: string): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    code,
  });
}
