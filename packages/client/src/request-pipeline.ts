import {
  type Clock,
  EvenkeelError,
  type Logger,
  StatusError,
  type Transport,
  type TransportResponse,
  takeCallers,
} from '@evenkeel/core';
import { type ApiRequest, isRead, methodOf, pathOf } from './api-request.ts';
import type { Interceptor } from './interceptor.ts';
import { type RejectionExplainer, rejectionOf, retryAfterSeconds } from './rejection.ts';
import type { RequestObservation, RequestObserver } from './request-observation.ts';
import type { ServerWarnings } from './server-warnings.ts';

/** client-go sends a request at most 11 times (rest.Request, maxRetries = 10). */
const maxRetries = 10;
/** For longer waits, the caller gets the error. */
const longestRetryAfterMs = 60_000;
/** The delay before a read is repeated after a broken connection. */
const brokenConnectionDelayMs = 100;
const brokenConnectionRetries = 3;

export interface RequestPipelineOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly warnings: ServerWarnings;
  readonly interceptors: readonly Interceptor[];
  readonly observers: readonly RequestObserver[];
  readonly userAgent: string;
  readonly explain: RejectionExplainer | undefined;
}

/** Sends requests with retries, and calls the observers once for each. */
export class RequestPipeline {
  readonly #options: RequestPipelineOptions;
  readonly #dispatch: (request: ApiRequest) => Promise<TransportResponse>;

  constructor(options: RequestPipelineOptions) {
    this.#options = options;
    let dispatch = (request: ApiRequest): Promise<TransportResponse> => this.#toTransport(request);
    for (const interceptor of options.interceptors.toReversed()) {
      const next = dispatch;
      dispatch = (request) => interceptor(request, next);
    }
    this.#dispatch = dispatch;
  }

  /** Resolves to the result of `consume` for a 2xx response, and then calls the observers. */
  async run<T>(
    request: ApiRequest,
    consume: (response: TransportResponse) => Promise<{ value: T } & Pick<RequestObservation, 'object' | 'deleted'>>,
  ): Promise<T> {
    const { clock } = this.#options;
    const startMs = clock.monotonic();
    const sent: Sent = { attempts: 0, status: undefined };
    try {
      const { value, ...observed } = await consume(await this.#sendWithRetries(request, sent));
      this.#observe({ request, ...sent, durationMs: clock.monotonic() - startMs, ...observed });
      return value;
    } catch (error) {
      // Only errors that belong to this request: the reason of an abort is the caller's.
      if (error instanceof StatusError || error instanceof EvenkeelError) takeCallers(error);
      this.#observe({ request, ...sent, durationMs: clock.monotonic() - startMs, error });
      throw error;
    }
  }

  async #sendWithRetries(request: ApiRequest, sent: Sent): Promise<TransportResponse> {
    const { clock, warnings } = this.#options;
    for (;;) {
      request.signal?.throwIfAborted();
      sent.attempts++;
      sent.status = undefined;
      const mayRetry = request.retry !== false && sent.attempts <= maxRetries;
      let response: TransportResponse;
      try {
        response = await this.#dispatch(request);
      } catch (error) {
        if (!mayRetry || sent.attempts > brokenConnectionRetries || !isRead(request.verb)) throw error;
        if (request.signal?.aborted === true || !isBrokenConnection(error)) throw error;
        await clock.sleep(brokenConnectionDelayMs * 2 ** (sent.attempts - 1), request.signal);
        continue;
      }
      sent.status = response.status;
      warnings.log(request, response);
      if (response.status >= 200 && response.status < 300) return response;
      const plain = await rejectionOf(request, response);
      const rejection = (await this.#options.explain?.(plain, request)) ?? plain;
      const waitMs = (retryAfterSeconds(response) ?? Number.NaN) * 1000;
      if (!mayRetry || !isRetriable(request, response) || !(waitMs <= longestRetryAfterMs)) throw rejection;
      await clock.sleep(waitMs, request.signal);
    }
  }

  #toTransport(request: ApiRequest): Promise<TransportResponse> {
    const headers: Record<string, string> = {
      accept: request.accept ?? 'application/json',
      'user-agent': this.#options.userAgent,
    };
    if (request.contentType !== undefined) headers['content-type'] = request.contentType;
    return this.#options.transport.request({
      method: methodOf(request.verb),
      path: pathOf(request),
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      ...(request.beforeSend === undefined ? {} : { beforeSend: request.beforeSend }),
    });
  }

  #observe(observation: RequestObservation): void {
    for (const observer of this.#options.observers) {
      try {
        observer(observation);
      } catch (error) {
        this.#options.logger.error('a request observer threw', { error });
      }
    }
  }
}

interface Sent {
  attempts: number;
  status: number | undefined;
}

/**
 * Whether a retry is safe. After 429 and 503, the server has not started the request. After any other 5xx, a write may
 * have been made; a retry could make it twice or conflict with it.
 */
function isRetriable({ verb }: ApiRequest, { status }: TransportResponse): boolean {
  return status === 429 || status === 503 || (status >= 500 && isRead(verb));
}

/** Whether an established connection broke, as when a server restarts or drops an idle connection. */
function isBrokenConnection(error: unknown): boolean {
  const cause = error instanceof EvenkeelError ? error.cause : error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return code === 'ECONNRESET' || code === 'EPIPE';
}
