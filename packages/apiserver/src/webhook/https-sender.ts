import { Agent, type RequestOptions, request as requestOverHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock } from '@evenkeel/core';
import { readBounded } from '@evenkeel/core';
import { goNetworkMessage } from './go-network-message.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { trustedConnection } from './trusted-connection.ts';
import { postTo, responseLost, WebhookCallError } from './webhook-call-error.ts';
import type { WebhookHandler, WebhookRequest, WebhookResponse } from './webhook-handler.ts';
import { WebhookTarget } from './webhook-target.ts';

/** The number of webhooks whose connections are kept (`defaultCacheSize`). */
const agentsMax = 200;

/** The most requests of a call that is redirected, as in Go. */
const requestsMax = 10;

/** How long an idle connection is kept: Go's `IdleConnTimeout` of client-go. */
const idleTimeoutMs = 90_000;

/** Sends calls over HTTP/1.1 and TLS. Connections are kept for each address and `caBundle`. */
export class HttpsSender {
  readonly #clock: Clock;
  readonly #services: ServiceResolver;
  readonly #agents = new Map<string, Agent>();

  constructor({ clock, services }: { readonly clock: Clock; readonly services: ServiceResolver }) {
    this.#clock = clock;
    this.#services = services;
  }

  /**
   * Returns the function that sends calls to a webhook, and follows redirects. It rejects with a WebhookCallError that has Go's message. `onHead` is
   * called when a response begins.
   */
  to(target: WebhookTarget, responseBytesMax: number, onHead: () => void): WebhookHandler {
    return async (request) => {
      let [at, sent]: [WebhookTarget, SentRequest] = [target, { ...request, method: 'POST' }];
      for (let requests = 1; ; requests++) {
        const response = await this.#send(at, sent, responseBytesMax, onHead);
        const redirected = redirectedRequest(sent, response);
        if (redirected === undefined) return decompressed(response, responseBytesMax);
        if (requests === requestsMax) {
          const { location = '' } = response.headers ?? {};
          throw failed({ url: location }, `stopped after ${requestsMax} redirects`);
        }
        sent = redirected;
        if (new URL(sent.url).origin !== new URL(at.address).origin) {
          at = WebhookTarget.of({ url: sent.url, caBundle: target.caBundle });
        }
      }
    };
  }

  async #send(
    target: WebhookTarget,
    request: SentRequest,
    responseBytesMax: number,
    onHead: () => void,
  ): Promise<WebhookResponse> {
    if (!target.address.startsWith('https:')) {
      throw failed(request, `unsupported protocol scheme ${JSON.stringify(target.address.split(':')[0])}`);
    }
    for (;;) {
      const attempt = new Attempt(this.#agentOf(target), request, responseBytesMax, onHead);
      try {
        return await attempt.response();
      } catch (error) {
        if (error instanceof WebhookCallError) throw error;
        // As in Go, a call is repeated only if nothing of it was sent.
        if (!attempt.lostBeforeSending) throw failed(request, goNetworkMessage(error, target));
      }
    }
  }

  #agentOf(target: WebhookTarget): Agent {
    const key = `${target.address} ${target.caBundle}`;
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      agent = this.#newAgent(target);
      const [oldest] = this.#agents.keys();
      if (this.#agents.size >= agentsMax && oldest !== undefined) {
        this.#agents.get(oldest)?.destroy();
        this.#agents.delete(oldest);
      }
    } else this.#agents.delete(key);
    this.#agents.set(key, agent);
    return agent;
  }

  #newAgent(target: WebhookTarget): Agent {
    const agent = new Agent({ keepAlive: true, timeout: idleTimeoutMs });
    agent.createConnection = (_options, callback): Duplex | undefined => {
      const { service, hostname, port } = target;
      const connect = async (): Promise<Duplex> => {
        const address =
          service === undefined
            ? { host: hostname, port }
            : this.#services.resolve(service.namespace, service.name, port);
        return trustedConnection({ ...address, hostname, caBundle: target.caBundle, clock: this.#clock });
      };
      connect().then(
        (socket) => callback?.(null, socket),
        (error: Error) => callback?.(error, undefined as unknown as Duplex),
      );
      return undefined;
    };
    return agent;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}

/** One request on one connection. */
class Attempt {
  readonly #agent: Agent;
  readonly #request: SentRequest;
  readonly #bytesMax: number;
  readonly #onHead: () => void;
  #isSent = false;
  /** Whether the server closed a kept connection before anything was sent on it. */
  lostBeforeSending = false;

  constructor(agent: Agent, request: SentRequest, bytesMax: number, onHead: () => void) {
    this.#agent = agent;
    this.#request = request;
    this.#bytesMax = bytesMax;
    this.#onHead = onHead;
  }

  response(): Promise<WebhookResponse> {
    const { url, method, headers, body, signal } = this.#request;
    const length = method === 'POST' && { 'content-length': String(body.byteLength) };
    const options: RequestOptions = {
      method,
      agent: this.#agent,
      signal,
      headers: { ...headers, 'accept-encoding': 'gzip', ...length },
    };
    return new Promise((resolve, reject) => {
      const request = requestOverHttps(url, options);
      request.once('error', (error: NodeJS.ErrnoException) => {
        this.lostBeforeSending = request.reusedSocket && !this.#isSent && !signal.aborted;
        reject(error);
      });
      request.once('response', (response) => {
        this.#onHead();
        const received: Record<string, string> = {};
        for (const [name, value] of Object.entries(response.headers)) {
          if (value !== undefined) received[name] = Array.isArray(value) ? value.join(', ') : value;
        }
        readBounded(response, this.#bytesMax).then(
          (bytes) => {
            if (bytes !== undefined) resolve({ status: response.statusCode ?? 0, headers: received, body: bytes });
            else {
              request.destroy();
              reject(new WebhookCallError(`the response is larger than ${this.#bytesMax} bytes`));
            }
          },
          () => reject(new WebhookCallError(responseLost('unexpected EOF'))),
        );
      });
      const send = (): void => {
        if (request.destroyed) return;
        this.#isSent = true;
        request.end(body);
      };
      request.once('socket', () => {
        // The end of a kept connection may have arrived unread. Go reads all the time; here, that takes a turn.
        if (request.reusedSocket) setImmediate(() => setImmediate(send));
        else send();
      });
    });
  }
}

function failed({ url }: { readonly url: string }, why: string): WebhookCallError {
  return new WebhookCallError(`${postTo(url)}: ${why}`);
}

interface SentRequest extends WebhookRequest {
  readonly method: 'POST' | 'GET';
}

/** The next request of a redirect, as Go's `http.Client` sends it; undefined if the response is no redirect. */
function redirectedRequest(request: SentRequest, { status, headers = {} }: WebhookResponse): SentRequest | undefined {
  const keepsBody = status === 307 || status === 308;
  const location = headers['location'] ?? '';
  if (location === '' || !(keepsBody || (status >= 301 && status <= 303))) return undefined;
  const url = URL.parse(location, request.url);
  if (url === null) throw failed(request, `failed to parse Location header ${JSON.stringify(location)}`);
  return { ...request, url: url.href, ...(!keepsBody && { method: 'GET', body: new Uint8Array() }) };
}

async function decompressed(response: WebhookResponse, bytesMax: number): Promise<WebhookResponse> {
  const { 'content-encoding': encoding, ...headers } = response.headers ?? {};
  if (encoding?.toLowerCase() !== 'gzip') return response;
  const { gunzip } = process.getBuiltinModule('node:zlib');
  return new Promise((resolve, reject) => {
    gunzip(response.body, { maxOutputLength: bytesMax }, (error, body) => {
      if (error === null) resolve({ ...response, headers, body });
      else reject(new WebhookCallError(responseLost(gzipMessage(error, bytesMax))));
    });
  });
}

function gzipMessage({ code }: NodeJS.ErrnoException, bytesMax: number): string {
  if (code === 'ERR_BUFFER_TOO_LARGE') return `the response is larger than ${bytesMax} bytes`;
  return code === 'Z_BUF_ERROR' ? 'unexpected EOF' : 'gzip: invalid header';
}
