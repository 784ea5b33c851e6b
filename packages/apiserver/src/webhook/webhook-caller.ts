import type { Clock } from '@evenkeel/core';
import type { JsonObject } from '../apimachinery/index.ts';
import type { HttpsSender } from './https-sender.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { postTo, responseLost, WebhookCallError } from './webhook-call-error.ts';
import type { WebhookHandler, WebhookRequest, WebhookResponse } from './webhook-handler.ts';
import { reviewIn } from './webhook-response.ts';
import { type ClientConfig, WebhookTarget } from './webhook-target.ts';

/** The timeout of a call, unless the caller sets another: that of kube-apiserver's webhook client. */
const defaultTimeoutSeconds = 30;

/** How often a call is repeated whose response asks for it by `Retry-After`: client-go's `maxRetries`. */
const retriesMax = 10;

/** The most bytes of a response. Upstream reads all of it. */
const responseBytesMax = 128 * 1024 * 1024;

export interface WebhookCall {
  /** The review as JSON. */
  readonly body: string;
  /** Default 30. */
  readonly timeoutSeconds?: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

export interface WebhookCallerOptions {
  /** Decides about timeouts and about the validity of certificates. */
  readonly clock: Clock;
  readonly services: ServiceResolver;
}

/**
 * Calls webhooks by URL or Service, over HTTPS with kept-alive connections or through functions of this process.
 *
 * Source: `ClientManager` of apiserver `pkg/util/webhook`, and client-go's `rest.Request`.
 */
export class WebhookCaller {
  readonly #options: WebhookCallerOptions;
  readonly #clock: Clock;
  #https: HttpsSender | undefined;
  readonly #handlers = new Map<string, WebhookHandler>();

  constructor(options: WebhookCallerOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /**
   * Makes calls of `url` call a function instead, without a socket and without TLS. A Service has the URL
   * `https://NAME.NAMESPACE.svc:PORT/PATH`. If the function throws, the call fails as if the connection had been lost.
   * Returns a function that ends the registration.
   */
  register(url: string, handler: WebhookHandler): () => void {
    const { address } = WebhookTarget.of({ url });
    this.#handlers.set(address, handler);
    return () => {
      if (this.#handlers.get(address) === handler) this.#handlers.delete(address);
    };
  }

  /**
   * Calls a webhook and returns its response, which is parsed but not checked.
   *
   * @throws WebhookCallError with upstream's message if there is no JSON object to return.
   */
  async call(config: ClientConfig, call: WebhookCall): Promise<JsonObject> {
    const target = WebhookTarget.of(config);
    const timeoutSeconds = call.timeoutSeconds ?? defaultTimeoutSeconds;
    const url = `${target.address}?timeout=${timeoutSeconds}s`;
    const ending = new AbortController();
    let isAnswering = false;
    const timedOut = (): void => {
      ending.abort(new WebhookCallError(timeoutMessage(url, isAnswering, call.timeoutSeconds === undefined), true));
    };
    const timer = this.#clock.schedule(timeoutSeconds * 1000, timedOut, { unref: true });
    const onAbort = (): void => ending.abort(new WebhookCallError(`${postTo(url)}: context canceled`));
    if (call.signal?.aborted) onAbort();
    call.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const registered = this.#handlers.get(target.address);
      const onHead = (): void => {
        isAnswering = true;
      };
      const send =
        registered === undefined
          ? (await this.#httpsSender()).to(target, responseBytesMax, onHead)
          : inProcess(registered);
      const request = { url, headers, body: Buffer.from(call.body), signal: ending.signal };
      return await reviewIn(await this.#respond(send, request));
    } finally {
      timer.cancel();
      call.signal?.removeEventListener('abort', onAbort);
    }
  }

  async #respond(send: WebhookHandler, request: WebhookRequest): Promise<WebhookResponse> {
    for (let retries = 0; ; retries++) {
      const response = await orAborted(request.signal, () => sent(send, request));
      const seconds = retries < retriesMax ? retryAfterSeconds(response) : undefined;
      if (seconds === undefined) return response;
      await this.#clock.sleep(seconds * 1000, request.signal);
    }
  }

  /** Loaded at the first call that needs a connection. */
  async #httpsSender(): Promise<HttpsSender> {
    const { HttpsSender } = await import('./https-sender.ts');
    this.#https ??= new HttpsSender(this.#options);
    return this.#https;
  }

  /** Closes the idle connections. */
  close(): void {
    this.#https?.close();
  }
}

const headers = {
  accept: 'application/json, */*',
  'content-type': 'application/json',
  'user-agent': 'kube-apiserver-admission',
};

async function sent(send: WebhookHandler, request: WebhookRequest): Promise<WebhookResponse> {
  try {
    return await send(request);
  } catch (error) {
    if (error instanceof WebhookCallError) throw error;
    throw new WebhookCallError(`${postTo(request.url)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function inProcess(handler: WebhookHandler): WebhookHandler {
  return async (request) => {
    try {
      return await handler(request);
    } catch {
      throw new Error('EOF');
    }
  };
}

/** Go's HTTP client reports its own timeout, which only the default is, differently. */
function timeoutMessage(url: string, isAnswering: boolean, isDefault: boolean): string {
  if (isAnswering) {
    const cause = isDefault ? ' (Client.Timeout or context cancellation while reading body)' : '';
    return responseLost(`context deadline exceeded${cause}`);
  }
  const cause = isDefault ? ' (Client.Timeout exceeded while awaiting headers)' : '';
  return `${postTo(url)}: context deadline exceeded${cause}`;
}

function orAborted<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    run()
      .then(resolve, (error: unknown) => reject(signal.aborted ? signal.reason : error))
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** client-go's `checkWait`. */
function retryAfterSeconds({ status, headers: received = {} }: WebhookResponse): number | undefined {
  if (status !== 429 && (status < 500 || status > 599)) return undefined;
  const text = received['retry-after'] ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
