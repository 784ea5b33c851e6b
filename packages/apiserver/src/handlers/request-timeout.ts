import { goQuote, requestBytesMax } from '../apimachinery/index.ts';
import { type ApiRequest, type ApiResponse, textResponse } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { badRequest, entityTooLarge } from '../status/refusal.ts';

/** How long a client may take to send a body, like upstream's `--request-timeout`. */
const requestTimeoutMs = 60_000;

const longRunningSubresources = ['attach', 'exec', 'log', 'portforward', 'proxy'];

/**
 * The time limit that a request asks for with the parameter `timeout`, at most {@link requestTimeoutMs}. Throws 400 if the
 * parameter is no duration. Requests that may last, such as watches, ignore it (`WithRequestDeadline` of apiserver).
 */
export function timeoutMsOf({ verb, subresource }: RequestInfo, query: URLSearchParams): number {
  const asked = query.get('timeout') ?? '';
  if (asked === '' || verb === 'watch' || longRunningSubresources.includes(subresource)) return requestTimeoutMs;
  const ms = goDurationMs(asked);
  if (typeof ms === 'string') throw badRequest(`invalid timeout specified in the request URL - ${ms}`);
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

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Parses a duration as Go's `time.ParseDuration` does. Returns the error as a string. */
export function goDurationMs(text: string): number | string {
  const invalid = `time: invalid duration ${goQuote(text)}`;
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  if (rest === '') return invalid;
  let ms = 0;
  for (let left = rest; left !== ''; ) {
    const [whole = '', number = '', unit = ''] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(left) ?? [];
    if (whole === '') return invalid;
    if (unit === '') return `time: missing unit in duration ${goQuote(text)}`;
    const factor = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined;
    if (factor === undefined) return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
    ms += Number(number) * factor;
    // Go counts nanoseconds in 64 bits.
    if (ms >= 2 ** 63 / 1e6) return invalid;
    left = left.slice(whole.length);
  }
  return sign === '-' ? -ms : ms;
}
