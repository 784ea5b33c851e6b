import type { Clock, Logger } from '@evenkeel/core';
import { HttpServer } from '../http/http-server.ts';
import type { ListenAddress } from '../http/listen-address.ts';
import type { ServingCertificate } from '../http/serving-certificate.ts';
import type { Runnable } from '../runnable/runnable.ts';
import type { WebhookRouter } from './webhook-router.ts';

/** An API server opens a connection for each concurrent call, and there may be several API servers. */
const mostConnections = 1024;

export interface WebhookServerParts {
  readonly address: ListenAddress;
  readonly certificate: ServingCertificate;
  /** PEM; undefined if clients need no certificate. */
  readonly clientCa: string | undefined;
  readonly maxBytesInFlight: number;
  /** How long the server still accepts calls after the stop of the manager has begun. */
  readonly stopDelayMs: number;
  /** Whether the start does not wait for the first certificate, which may take as long as the API server cannot be reached. */
  readonly certificateIsLate?: boolean;
  readonly router: WebhookRouter;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Serves webhooks over HTTPS. When the manager stops, it goes on accepting calls for a while: the API server calls a pod until it
 * knows that the pod stops. Then it finishes the calls in progress.
 */
export class WebhookServer implements Runnable {
  readonly name = 'webhook server';
  readonly #parts: WebhookServerParts;
  readonly #server: HttpServer;
  readonly #ready = Promise.withResolvers<void>();
  #stoppingSinceMs: number | undefined;
  #isListening = false;

  constructor(parts: WebhookServerParts) {
    this.#parts = parts;
    const { address, certificate, clientCa, maxBytesInFlight, router, clock, logger } = parts;
    this.#server = new HttpServer({
      ...{ name: this.name, flag: '--webhook-address', address, certificate, clientCa, clock, logger },
      ...{ maxConnections: mostConnections, maxConcurrent: mostConnections, maxBytesInFlight },
      // Other paths get 404 from the router, also with a body.
      maxBodyBytes: (path) => router.maxBodyBytes(path) ?? 65_536,
      handler: async ({ method, path, query, body, signal, header }) => {
        if (method !== 'POST') return { status: 405, body: 'Method Not Allowed\n', headers: { allow: 'POST' } };
        return await router.handle({ path, query, body, signal, contentType: header('content-type') });
      },
    });
  }

  /** The address on which it listens; undefined before the start and after the stop. */
  get address(): string | undefined {
    return this.#server.address;
  }

  /** Why it cannot be called yet; undefined if it can. It listens only with a valid certificate. */
  get problem(): string | undefined {
    return this.#isListening ? undefined : 'the webhook server does not listen yet';
  }

  /** Resolves when it listens. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  async start(failed: (error: unknown) => void): Promise<void> {
    const listening = this.#listen(failed);
    // A stop ends the wait for the certificate.
    const unlessStopping = (error: unknown) => (this.#stoppingSinceMs === undefined ? failed(error) : undefined);
    if (this.#parts.certificateIsLate === true) void listening.catch(unlessStopping);
    else await listening;
  }

  async #listen(failed: (error: unknown) => void): Promise<void> {
    await this.#server.start(failed);
    this.#isListening = true;
    this.#ready.resolve();
  }

  stopping(): void {
    this.#stoppingSinceMs ??= this.#parts.clock.monotonic();
  }

  async stop(abort: AbortSignal): Promise<void> {
    const { clock, stopDelayMs } = this.#parts;
    this.stopping();
    const since = this.#stoppingSinceMs ?? clock.monotonic();
    const leftMs = since + stopDelayMs - clock.monotonic();
    if (this.#isListening && leftMs > 0) await clock.sleep(leftMs, abort).catch(() => undefined);
    await this.#server.stop(abort);
  }
}
