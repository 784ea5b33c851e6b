import { parseGoDuration, requestBytesMax } from '../apimachinery/index.ts';
import { type ApiRequest, type ApiResponse, textResponse } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type RequestInfo, runsLong } from '../request/request-info.ts';
import { badRequest, entityTooLarge } from '../status/refusal.ts';

/** How long a client may take to send a body, like upstream's `--request-timeout`. */
const requestTimeoutMs = 60_000;

/**
 * The time limit that a request asks for with the parameter `timeout`, at most {@link requestTimeoutMs}. Throws 400 if the
 * parameter is no duration. Requests that may last ignore it (`WithRequestDeadline` of apiserver).
 */
export function timeoutMsOf(info: RequestInfo, query: URLSearchParams): number {
  const asked = query.get('timeout') ?? '';
  if (asked === '' || runsLong(info)) return requestTimeoutMs;
  const duration = parseGoDuration(asked);
  if ('error' in duration) throw badRequest(`invalid timeout specified in the request URL - ${duration.error}`);
  const ms = Number(duration.nanoseconds) / 1e6;
  return ms > 0 ? Math.min(ms, requestTimeoutMs) : requestTimeoutMs;
}

/** The client did not send its body in time. */
export class BodyTimeout extends Error {
  override readonly name = 'BodyTimeout';
}

/**
 * Returns a request with its body, for which it waits until the time limit at most. Throws 413 if the body is too long, and
 * {@link BodyTimeout}.
 */
export async function receiveBody(
  request: ApiRequest,
  { clock }: Pick<RequestContext, 'clock'>,
  timeoutMs: number,
): Promise<ApiRequest> {
  if (request.receive === undefined) return request;
  const late = Promise.withResolvers<never>();
  const timer = clock.schedule(timeoutMs, () => late.reject(new BodyTimeout()), { unref: true });
  try {
    const body = await Promise.race([request.receive(), late.promise]);
    if (body === undefined) throw entityTooLarge(`limit is ${requestBytesMax}`);
    return { ...request, body };
  } finally {
    timer.cancel();
  }
}

/** The response to a request whose time is over, in the form in which upstream's filter writes it. */
export function timeoutResponse(): ApiResponse {
  const message = 'Timeout: request did not complete within the allotted timeout';
  const status = { metadata: {}, status: 'Failure', message, reason: 'Timeout', details: {}, code: 504 };
  return textResponse(504, 'text/plain; charset=utf-8', `${JSON.stringify(status)}\n`);
}
