import { StatusError } from '@evenkeel/core';

/** 400: the patch is malformed. */
export function badPatch(message: string): StatusError {
  return refusal(400, 'BadRequest', message);
}

/** 413: the patch exceeds the limits of one request. */
export function patchTooLarge(message: string): StatusError {
  return refusal(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/**
 * 422: the patch does not fit the object. The server responds with a general sentence; the error's `cause` contains the
 * detail.
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

/** 500 without a reason: the server's response to mistakes that have no better status. */
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
