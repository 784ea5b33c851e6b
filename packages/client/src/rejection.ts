import { type ApiStatus, apiVersionOf, describeValue, StatusError, type TransportResponse } from '@evenkeel/core';
import { type ApiRequest, describeRequest } from './api-request.ts';
import { readBody } from './response-body.ts';

/** Adds the fix to an error response if it knows one; otherwise returns undefined. Must not reject. */
export type RejectionExplainer = (rejection: StatusError, request: ApiRequest) => Promise<StatusError | undefined>;

/** Returns the error for a response whose status is not 2xx. Reads its body. */
export async function rejectionOf(request: ApiRequest, response: TransportResponse): Promise<StatusError> {
  const text = (await readBody(response)).toString('utf8');
  const status = parseStatus(text) ?? (isUnknownPath(response, text) ? unserved(request) : statusFor(response, text));
  return statusError(describeRequest(request), withRetryAfter(status, response));
}

/** Whether a Go server does not know the path. */
function isUnknownPath(response: TransportResponse, text: string): boolean {
  return response.status === 404 && text.trim() === '404 page not found';
}

function unserved({ resource }: ApiRequest): ApiStatus {
  return failure(
    404,
    `the server does not serve ${resource.plural} of ${apiVersionOf(resource)}; check that the CRD is installed`,
  );
}

/** Returns the error for a `Status` in a watch. */
export function rejectionInStream(request: ApiRequest, value: unknown): StatusError {
  const status = isStatus(value)
    ? value
    : failure(500, `the watch sent an error that is not a Status but ${describeValue(value)}`);
  return statusError(describeRequest(request), status);
}

/** Returns the error for a successful response that cannot be read. */
export function unreadable(request: ApiRequest, response: TransportResponse, text: string): StatusError {
  // Truncated JSON may be a part of a Secret.
  const message = /^\s*[{[]/.test(text.slice(0, 200))
    ? `the server responded with ${response.status} and ${text.length} characters of broken JSON`
    : `the server responded with ${response.status} and ${kindOfText(response, text)} instead of JSON: ${excerpt(text)}`;
  return statusError(describeRequest(request), { ...failure(500, message), reason: 'InternalError' });
}

function statusError(asked: string, status: ApiStatus): StatusError {
  return new StatusError(status, {
    message: `${asked}: ${status.message ?? `the server responded with ${status.code}`}`,
  });
}

function parseStatus(text: string): ApiStatus | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStatus(value: unknown): value is ApiStatus {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'Status';
}

/** The response came from a proxy or a load balancer, or from the server before its API was ready. */
function statusFor(response: TransportResponse, text: string): ApiStatus {
  const shown = excerpt(text);
  const what = `the server responded with ${response.status} and ${kindOfText(response, text)}`;
  return failure(response.status, shown === '' ? what : `${what}: ${shown}`);
}

function failure(code: number, message: string): ApiStatus {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message };
}

function withRetryAfter(status: ApiStatus, response: TransportResponse): ApiStatus {
  const seconds = retryAfterSeconds(response);
  const code = status.code ?? response.status;
  if (seconds === undefined || status.details?.retryAfterSeconds !== undefined) return { ...status, code };
  return { ...status, code, details: { ...status.details, retryAfterSeconds: seconds } };
}

/** Returns the seconds of the header. API servers do not use its other form, a date. */
export function retryAfterSeconds(response: TransportResponse): number | undefined {
  const header = response.headers['retry-after'];
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

function kindOfText(response: TransportResponse, text: string): string {
  if (text.trim() === '') return 'an empty body';
  if (/^\s*<(?:!doctype|html)/i.test(text.slice(0, 200))) return 'an HTML page';
  return response.headers['content-type'] ?? 'text';
}

function excerpt(text: string): string {
  const line = text
    .slice(0, 1000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}
