import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Clock, EvenkeelError, type Logger, type Timer } from '@evenkeel/core';
import type { Runnable } from '../runnable/runnable.ts';
import { Budget } from './budget.ts';
import type { HttpAnswer, HttpHandler } from './http-handler.ts';
import { addressText, type ListenAddress } from './listen-address.ts';
import { discardRest, hasBody, receiveBody } from './receive-body.ts';
import type { ServingCertificate, TlsPair } from './serving-certificate.ts';

export interface HttpServerOptions {
  /** The name in messages and in the log: `metrics server`. */
  readonly name: string;
  /** The flag that sets its address. */
  readonly flag: string;
  readonly address: ListenAddress;
  readonly handler: HttpHandler;
  /** Undefined: plain HTTP. */
  readonly certificate?: ServingCertificate | undefined;
  /**
   * The certificates, as PEM, of the authorities that may sign the certificate of a client. Clients without one are refused.
   * Default: clients need no certificate.
   */
  readonly clientCa?: string | undefined;
  /**
   * The largest request body, in bytes, for all paths or for each. With 0 the server accepts only GET and HEAD without a body,
   * otherwise POST too. Default 0.
   */
  readonly maxBodyBytes?: number | ((path: string) => number);
  /**
   * The most bytes of bodies that are in memory at the same time. Other requests wait, at most for {@link bodyTimeoutMs}, and are
   * rejected with 503 then. Default: only {@link maxBodyBytes} and {@link maxConcurrent} limit them.
   */
  readonly maxBytesInFlight?: number;
  /** How many connections may be open. The server closes more at once. Default 256. */
  readonly maxConnections?: number;
  /** How many requests may be in progress, which lasts until their handlers return. The server rejects more with 503. Default 256. */
  readonly maxConcurrent?: number;
  /** The time limit for a request body, after the head of the request. Then the server responds with 408. Default 32 s. */
  readonly bodyTimeoutMs?: number;
  /**
   * The time limit for a handler. Then the server aborts the handler's signal and responds with 504. The client has the same time
   * to read the response. Default 30 s, the longest timeout of a webhook.
   */
  readonly responseTimeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The limits of controller-runtime (pkg/internal/httpserver) for the head of a request and for an idle connection. */
const headMs = 32_000;
const idleMs = 90_000;
/** Node's own limit. A bearer token has about 1.5 KiB. */
const mostHeadBytes = 16_384;
const defaultBodyMs = 32_000;
const defaultResponseMs = 30_000;
/** Scrapers and probes need one connection each. The limit keeps other clients from using up the process's file descriptors. */
const mostConnections = 256;
const handshakeMs = 10_000;
/** TLS 1.2 only with suites that authenticate what they encrypt (AEAD) and that have forward secrecy. TLS 1.3 has no others. */
const ciphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':');
/** The interval of controller-runtime's certwatcher. */
export const certificateCheckMs = 10_000;

/**
 * A server for HTTP/1.1, or for HTTPS with a certificate that it reads again every 10 s and when its source reports a change. Each part of a request has a time limit:
 * head, body, handler, sending of the response. The size of bodies and the number of requests in progress are limited too. When it
 * stops, it still sends the responses to requests in progress.
 */
export class HttpServer implements Runnable {
  readonly name: string;
  readonly #options: HttpServerOptions;
  readonly #maxBodyBytes: (path: string) => number;
  readonly #bytes: Budget;
  readonly #maxConcurrent: number;
  readonly #bodyTimeoutMs: number;
  readonly #responseTimeoutMs: number;
  #server: Server | SecureServer | undefined;
  #pair: TlsPair | undefined;
  #timer: Timer | undefined;
  #stopListening: (() => void) | undefined;
  #renewal: Promise<void> | undefined;
  #certificateProblem: string | undefined;
  /** The open connections, by remote address, which a TLS socket shares with its TCP socket. */
  readonly #connections = new Map<string, Connection>();
  #isStopping = false;
  #inProgress = 0;

  constructor(options: HttpServerOptions) {
    this.name = options.name;
    this.#options = options;
    const { maxBodyBytes = 0, maxBytesInFlight = Number.MAX_SAFE_INTEGER } = options;
    this.#maxBodyBytes = typeof maxBodyBytes === 'number' ? () => maxBodyBytes : maxBodyBytes;
    this.#bytes = new Budget(maxBytesInFlight);
    this.#maxConcurrent = options.maxConcurrent ?? mostConnections;
    this.#bodyTimeoutMs = options.bodyTimeoutMs ?? defaultBodyMs;
    this.#responseTimeoutMs = options.responseTimeoutMs ?? defaultResponseMs;
  }

  /** The address on which it listens; undefined before the start and after the stop. */
  get address(): string | undefined {
    const address = this.#server?.address();
    if (typeof address !== 'object' || address === null) return undefined;
    return addressText({ host: this.#options.address.host, port: address.port });
  }

  /** Rejects with `address-unavailable` if it cannot listen, or with `certificate-unusable`. */
  async start(failed: (error: unknown) => void): Promise<void> {
    const { address, certificate, clock, logger, name } = this.#options;
    const server = await this.#create(certificate);
    this.#server = server;
    server.headersTimeout = headMs;
    // Node's own limit from the first byte to the last, for cases that the other limits do not cover.
    server.requestTimeout = headMs + this.#bodyTimeoutMs;
    server.keepAliveTimeout = idleMs;
    server.maxConnections = this.#options.maxConnections ?? mostConnections;
    server.on('connection', (socket: Socket) => this.#follow(socket));
    server.on('secureConnection', (socket: Socket) => this.#follow(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(this.#explain(error)));
      server.listen({ port: address.port, ...(address.host === undefined ? {} : { host: address.host }) }, resolve);
    });
    server.on('error', failed);
    if (certificate !== undefined) {
      const check = (): void => {
        this.#timer = clock.schedule(
          certificateCheckMs,
          () => void this.#renew(certificate, true).finally(() => (this.#isStopping ? undefined : check())),
          { unref: true },
        );
      };
      check();
      this.#stopListening = certificate.onChange?.(() => void this.#renew(certificate, false));
    }
    logger.info(`${name} listens`, { address: this.address, secure: certificate !== undefined });
  }

  async stop(abort: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#timer?.cancel();
    this.#stopListening?.();
    const server = this.#server;
    if (server === undefined || !server.listening) return;
    const end = (): void => {
      for (const { socket } of this.#connections.values()) socket.destroy();
    };
    abort.addEventListener('abort', end, { once: true });
    const closed = new Promise((resolve) => server.close(resolve));
    // Node treats a connection that has sent nothing yet as busy, and would wait for it.
    for (const { socket, answers } of this.#connections.values()) if (answers === 0) socket.destroy();
    if (abort.aborted) end();
    await closed;
    abort.removeEventListener('abort', end);
  }

  async #create(certificate: ServingCertificate | undefined): Promise<Server | SecureServer> {
    const listener = (request: IncomingMessage, response: ServerResponse): void => void this.#answer(request, response);
    // Loaded by name, because an import statement would also load undici.
    if (certificate === undefined) {
      return process.getBuiltinModule('node:http').createServer({ maxHeaderSize: mostHeadBytes }, listener);
    }
    this.#pair = await certificate.current();
    return process.getBuiltinModule('node:https').createServer(
      {
        ...this.#pair,
        ...this.#clientAuthentication,
        ...{ minVersion: 'TLSv1.2', ciphers, ALPNProtocols: ['http/1.1'] },
        ...{ maxHeaderSize: mostHeadBytes, handshakeTimeout: handshakeMs },
      },
      listener,
    );
  }

  get #clientAuthentication(): { ca?: string; requestCert?: boolean; rejectUnauthorized?: boolean } {
    const { clientCa } = this.#options;
    return clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  }

  #follow(socket: Socket): void {
    const end = otherEnd(socket);
    const connection = { socket, answers: 0 };
    this.#connections.set(end, connection);
    socket.once('close', () => {
      if (this.#connections.get(end) === connection) this.#connections.delete(end);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = this.#connections.get(otherEnd(request.socket)) ?? { socket: request.socket, answers: 0 };
    const gone = new AbortController();
    connection.answers++;
    response.once('close', () => {
      connection.answers--;
      gone.abort(new Error('the client has gone'));
      if (this.#isStopping && connection.answers === 0) connection.socket.end();
    });
    const answer = await this.#answerTo(request, gone);
    if (answer === undefined) {
      response.destroy();
      return;
    }
    const { status, body, contentType, headers } = answer;
    const isUnread = hasBody(request) && !request.readableEnded;
    this.#limitSending(response);
    response.writeHead(status, {
      'content-type': contentType ?? 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...headers,
      // Close a connection with unread data, and every connection during a stop.
      ...(isUnread || this.#isStopping ? { connection: 'close' } : {}),
    });
    const sent = request.method === 'HEAD' ? '' : body;
    if (isUnread && this.#maxBodyBytes(targetOf(request).path) > 0) {
      response.write(sent);
      await discardRest(request, this.#bodyTimeoutMs, this.#options.clock);
      response.end();
    } else response.end(sent);
  }

  /** Ends the connection of a client that does not take its response. */
  #limitSending(response: ServerResponse): void {
    const timer = this.#options.clock.schedule(this.#responseTimeoutMs, () => response.destroy(), { unref: true });
    response.once('close', () => timer.cancel());
  }

  /** The response; undefined if the client has gone before the end of its request. */
  async #answerTo(request: IncomingMessage, gone: AbortController): Promise<HttpAnswer | undefined> {
    const maxBytes = this.#maxBodyBytes(targetOf(request).path);
    const methods = maxBytes > 0 ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
    const { method = 'GET' } = request;
    if (!methods.includes(method)) {
      return {
        status: 405,
        body: 'Method Not Allowed\n',
        headers: { allow: methods.join(', '), connection: 'close' },
      };
    }
    if (this.#inProgress >= this.#maxConcurrent) {
      return { status: 503, body: 'too many requests are in progress\n', headers: { 'retry-after': '1' } };
    }
    const bytes = bodyBytesOf(request, maxBytes);
    if (!(await this.#takeBytes(bytes, gone.signal))) {
      return { status: 503, body: 'too many bytes are in progress\n', headers: { 'retry-after': '1' } };
    }
    this.#inProgress++;
    let handling: Promise<HttpAnswer> | undefined;
    try {
      const limits = { maxBytes, timeoutMs: this.#bodyTimeoutMs };
      const received = await receiveBody(request, limits, this.#options.clock).catch(() => undefined);
      if (received === undefined) return undefined;
      if ('rejection' in received) return received.rejection;
      handling = this.#handle(request, method, received.bytes, gone.signal);
      return await this.#limitHandling(handling, gone);
    } finally {
      // A handler that goes on after its time still takes memory.
      void (handling ?? Promise.resolve()).finally(() => {
        this.#inProgress--;
        this.#bytes.free(bytes);
      });
    }
  }

  /** Whether there was room for the body in time. A request without a body does not wait. */
  async #takeBytes(bytes: number, gone: AbortSignal): Promise<boolean> {
    const waiting = bytes === 0 ? undefined : this.#bytes.take(bytes);
    if (waiting === undefined) return true;
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#options.clock.schedule(this.#bodyTimeoutMs, () => resolve(false), { unref: true });
    gone.addEventListener('abort', () => resolve(false), { once: true });
    const isTaken = await Promise.race([waiting.then(() => true), late]);
    timer.cancel();
    if (!isTaken) this.#bytes.leave(waiting, bytes);
    return isTaken;
  }

  /** The response of the handler; 500 if it throws. */
  async #handle(request: IncomingMessage, method: string, body: Uint8Array, signal: AbortSignal): Promise<HttpAnswer> {
    const { handler, logger } = this.#options;
    const { path, query } = targetOf(request);
    try {
      return await handler({
        method,
        path,
        query: new URLSearchParams(query),
        body,
        signal,
        header: (name) => request.headers[name]?.toString(),
      });
    } catch (error) {
      logger.error(`${this.name} failed to handle a request`, { error });
      return { status: 500, body: 'internal server error\n' };
    }
  }

  /** 504 if it takes too long. */
  async #limitHandling(handling: Promise<HttpAnswer>, gone: AbortController): Promise<HttpAnswer> {
    const late = Promise.withResolvers<HttpAnswer>();
    const timer = this.#options.clock.schedule(
      this.#responseTimeoutMs,
      () => {
        const problem = `there was no response within ${this.#responseTimeoutMs} ms`;
        gone.abort(new Error(problem));
        late.resolve({ status: 504, body: `${problem}\n` });
      },
      { unref: true },
    );
    try {
      return await Promise.race([handling, late.promise]);
    } finally {
      timer.cancel();
    }
  }

  /** One renewal after another, so that the latest certificate is used. */
  #renew(certificate: ServingCertificate, isRegular: boolean): Promise<void> {
    const renewal = (this.#renewal ?? Promise.resolve()).then(() => this.#renewOnce(certificate, isRegular));
    this.#renewal = renewal;
    return renewal;
  }

  async #renewOnce(certificate: ServingCertificate, isRegular: boolean): Promise<void> {
    if (this.#isStopping) return;
    const { logger } = this.#options;
    try {
      const pair = await certificate.current();
      this.#certificateProblem = undefined;
      if (this.#pair?.cert === pair.cert && this.#pair.key === pair.key) return;
      const { ca } = this.#clientAuthentication;
      const context = { ...pair, ...(ca === undefined ? {} : { ca }), minVersion: 'TLSv1.2', ciphers } as const;
      (this.#server as SecureServer).setSecureContext(context);
      this.#pair = pair;
      logger.info(`${this.name} uses a new certificate`);
    } catch (error) {
      // The files may be incomplete while they are written. Until the pair is valid, the server uses the previous one.
      const problem = error instanceof Error ? error.message : String(error);
      if (!isRegular || problem === this.#certificateProblem) return;
      logger.warn(`${this.name} cannot load a new certificate and keeps the current one`, { error });
      this.#certificateProblem = problem;
    }
  }

  #explain(error: Error & { readonly code?: string }): EvenkeelError {
    const { flag, name, address } = this.#options;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: 'another process uses the port, maybe a second operator',
      EACCES: 'this user may not use the port (ports below 1024 may need root permissions)',
      EADDRNOTAVAIL: 'the machine does not have this address',
    };
    const reason = Object.hasOwn(reasons, error.code ?? '') ? reasons[error.code ?? ''] : error.message;
    return new EvenkeelError(
      'address-unavailable',
      `the ${name} cannot listen on ${addressText(address)}: ${reason}; pass another address with ${flag}, or 0 to disable it`,
      { cause: error },
    );
  }
}

interface Connection {
  readonly socket: Socket;
  /** The number of responses that it waits for. */
  answers: number;
}

/** The bytes that a body may need. A body without a length may need all that it is allowed. */
function bodyBytesOf(request: IncomingMessage, maxBytes: number): number {
  if (!hasBody(request)) return 0;
  const length = Number(request.headers['content-length'] ?? maxBytes);
  return Number.isFinite(length) ? Math.min(length, maxBytes) : maxBytes;
}

function targetOf({ url = '/' }: IncomingMessage): { readonly path: string; readonly query: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark) };
}

function otherEnd({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
