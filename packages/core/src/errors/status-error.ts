import type { ApiStatus } from '@evenkeel/apimachinery/status';

/**
 * An API server's error response. Check it with {@link isNotFound} and the other predicates. They use Kubernetes' `reason`, or
 * the HTTP status if the response, for example of a proxy, has no reason.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: ApiStatus;

  constructor(status: ApiStatus, options?: { cause?: unknown; message?: string }) {
    super(options?.message ?? status.message ?? `the server responded with ${status.code ?? 'an error'}`, options);
    this.status = status;
  }

  /** The HTTP status code; 500 if the response did not have one. */
  get code(): number {
    return this.status.code ?? 500;
  }

  /** Kubernetes' machine-readable reason; the empty string if the response had none. */
  get reason(): string {
    return this.status.reason ?? '';
  }
}

function matches(error: unknown, reason: string, code?: number): boolean {
  return error instanceof StatusError && (error.reason === reason || (error.reason === '' && error.code === code));
}

/** Whether the API server has rejected a request because the object or the kind does not exist (404). */
export const isNotFound = (error: unknown): boolean => matches(error, 'NotFound', 404);
/** Whether the API server has rejected a create because an object with this name exists (409). */
export const isAlreadyExists = (error: unknown): boolean => matches(error, 'AlreadyExists');
/** Whether the API server has rejected a write because the object has changed, or another field manager owns a field (409). */
export const isConflict = (error: unknown): boolean => matches(error, 'Conflict', 409);
/** Whether the API server has rejected an object because of its values (422). */
export const isInvalid = (error: unknown): boolean => matches(error, 'Invalid', 422);
/** Whether the API server has rejected a request because of a missing permission or an admission rule (403). */
export const isForbidden = (error: unknown): boolean => matches(error, 'Forbidden', 403);
/** Whether the API server has rejected the credentials of a request (401). */
export const isUnauthorized = (error: unknown): boolean => matches(error, 'Unauthorized', 401);
/** Whether the API server has too many requests (429), or a disruption budget prevents an eviction. */
export const isTooManyRequests = (error: unknown): boolean => matches(error, 'TooManyRequests', 429);
/** The requested resourceVersion is too old; list again. */
export const isGone = (error: unknown): boolean => matches(error, 'Expired', 410) || matches(error, 'Gone', 410);

/** Awaits `promise`. Resolves with undefined if the object does not exist; rethrows other errors. */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
