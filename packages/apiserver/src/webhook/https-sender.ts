import type { Agent, RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock } from '@evenkeel/core';
import { readBounded } from '@evenkeel/core';
import { goNetworkMessage } from './go-network-message.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { trustedConnection } from './trusted-connection.ts';
import { WebhookCallError } from './webhook-call-error.ts';
import type { WebhookHandler, WebhookRequest, WebhookResponse } from './webhook-handler.ts';
import type { WebhookTarget } from './webhook-target.ts';

/** The number of webhooks whose connections are kept (`defaultCacheSize`). */
const agentsMax = 200;

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

  /** Returns the function that sends calls to a webhook. It rejects with Go's message. */
  to(target: WebhookTarget, responseBytesMax: number): WebhookHandler {
    return async (request) => {
      if (!target.address.startsWith('https:')) {
        throw new Error(`unsupported protocol scheme ${JSON.stringify(target.address.split(':')[0])}`);
      }
      for (;;) {
        const attempt = new Attempt(this.#agentOf(target), request, responseBytesMax);
        try {
          return await attempt.response();
        } catch (error) {
          if (error instanceof WebhookCallError) throw error;
          // As in Go, a call is repeated only if nothing of it was sent.
          if (!attempt.lostBeforeSending) throw new Error(goNetworkMessage(error, target));
        }
      }
    };
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
    // Not an import: that would also load undici (16 ms, 10 MB), even in servers that call no webhook.
    const https = process.getBuiltinModule('node:https');
    const agent = new https.Agent({ keepAlive: true, timeout: idleTimeoutMs });
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
  readonly #request: WebhookRequest;
  readonly #bytesMax: number;
  #isSent = false;
  /** Whether the server closed a kept connection before anything was sent on it. */
  lostBeforeSending = false;

  constructor(agent: Agent, request: WebhookRequest, bytesMax: number) {
    this.#agent = agent;
    this.#request = request;
    this.#bytesMax = bytesMax;
  }

  response(): Promise<WebhookResponse> {
    const https = process.getBuiltinModule('node:https');
    const { url, headers, body, signal } = this.#request;
    const options: RequestOptions = {
      method: 'POST',
      agent: this.#agent,
      signal,
      headers: { ...headers, 'content-length': String(body.byteLength) },
    };
    return new Promise((resolve, reject) => {
      const request = https.request(url, options);
      request.once('error', (error: NodeJS.ErrnoException) => {
        this.lostBeforeSending = request.reusedSocket && !this.#isSent && !signal.aborted;
        reject(error);
      });
      request.once('response', (response) => {
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
          () => reject(new WebhookCallError(responseLost)),
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

/** The connection ended before the whole response was read: client-go's message. */
const responseLost = 'unexpected error when reading response body. Please retry. Original error: unexpected EOF';
