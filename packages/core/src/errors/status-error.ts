import type { ApiStatus } from '@evenkeel/apimachinery/status';

/**
 * An API server's refusal. Ask it with {@link isNotFound} and its kin, which look at Kubernetes' `reason` and, where a
 * proxy answered without one, at the HTTP status.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: ApiStatus;

  constructor(status: ApiStatus, options?: { cause?: unknown; message?: string }) {
    super(options?.message ?? status.message ?? `the server answered ${status.code ?? 'with an error'}`, options);
    this.status = status;
  }

  /** The HTTP status code; 500 where the answer did not say. */
  get code(): number {
    return this.status.code ?? 500;
  }

  /** Kubernetes' machine-readable reason; the empty string where the server gave none. */
  get reason(): string {
    return this.status.reason ?? '';
  }
}

function matches(error: unknown, reason: string, code?: number): boolean {
  return error instanceof StatusError && (error.reason === reason || (error.reason === '' && error.code === code));
}

export const isNotFound = (error: unknown): boolean => matches(error, 'NotFound', 404);
export const isAlreadyExists = (error: unknown): boolean => matches(error, 'AlreadyExists');
export const isConflict = (error: unknown): boolean => matches(error, 'Conflict', 409);
export const isInvalid = (error: unknown): boolean => matches(error, 'Invalid', 422);
export const isForbidden = (error: unknown): boolean => matches(error, 'Forbidden', 403);
export const isUnauthorized = (error: unknown): boolean => matches(error, 'Unauthorized', 401);
export const isTooManyRequests = (error: unknown): boolean => matches(error, 'TooManyRequests', 429);
/** The resourceVersion asked for is too old: list again. */
export const isGone = (error: unknown): boolean => matches(error, 'Expired', 410) || matches(error, 'Gone', 410);

/** Awaits `promise`; undefined where the object is not there. Other errors pass. */
export async function ignoreNotFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
