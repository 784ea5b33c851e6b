import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Clock, EvenkeelError, type Logger, type Timer } from '@evenkeel/core';
import type { Runnable } from '../runnable/runnable.ts';
import { addressText, type ListenAddress } from './listen-address.ts';
import type { ServingCertificate, TlsPair } from './serving-certificate.ts';

/** A request without a body, of which a handler sees no more than this. */
export interface HttpRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  header(name: string): string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** Default `text/plain; charset=utf-8`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type HttpHandler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

export interface HttpServerOptions {
  /** `metrics server`: stands in messages and in the log. */
  readonly name: string;
  /** The flag that sets its address. */
  readonly flag: string;
  readonly address: ListenAddress;
  readonly handler: HttpHandler;
  /** Undefined: plain HTTP. */
  readonly certificate?: ServingCertificate | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** controller-runtime, pkg/internal/httpserver: so long for the head of a request, and for an idle connection. */
const headMs = 32_000;
const idleMs = 90_000;
/** A bearer token has some 1.5 KiB; Node's own limit. */
const mostHeadBytes = 16_384;
/** Scrapers and probes have one each; more is somebody who wants to use up the process's descriptors. */
const mostConnections = 256;
const handshakeMs = 10_000;
/** controller-runtime's certwatcher looks as often. */
const certificateCheckMs = 10_000;

/**
 * Answers GET and HEAD over HTTP/1.1, or HTTPS with a certificate that is looked at every 10 s. What sends a body, or takes
 * too long for the head of its request, is refused. When it stops it lets answers that are being made go out.
 */
export class HttpServer implements Runnable {
  readonly name: string;
  readonly #options: HttpServerOptions;
  #server: Server | SecureServer | undefined;
  #pair: TlsPair | undefined;
  #timer: Timer | undefined;
  #certificateProblem: string | undefined;
  /** Those that are open, by the address of their other end, which TLS and what is below it share. */
  readonly #connections = new Map<string, Connection>();
  #isStopping = false;

  constructor(options: HttpServerOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Where it listens; undefined before and after. */
  get address(): string | undefined {
    const address = this.#server?.address();
    if (typeof address !== 'object' || address === null) return undefined;
    return addressText({ host: this.#options.address.host, port: address.port });
  }

  /** Rejects with `address-unavailable` where it cannot listen, and `certificate-unusable`. */
  async start(failed: (error: unknown) => void): Promise<void> {
    const { address, certificate, clock, logger, name } = this.#options;
    const server = await this.#create(certificate);
    this.#server = server;
    server.headersTimeout = headMs;
    server.requestTimeout = headMs;
    server.keepAliveTimeout = idleMs;
    server.maxConnections = mostConnections;
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
          () => void this.#renew(certificate).finally(() => (this.#isStopping ? undefined : check())),
          { unref: true },
        );
      };
      check();
    }
    logger.info(`${name} listens`, { address: this.address, secure: certificate !== undefined });
  }

  async stop(abort: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#timer?.cancel();
    const server = this.#server;
    if (server === undefined || !server.listening) return;
    const end = (): void => {
      for (const { socket } of this.#connections.values()) socket.destroy();
    };
    abort.addEventListener('abort', end, { once: true });
    const closed = new Promise((resolve) => server.close(resolve));
    // Node takes one that has sent nothing yet for busy, and waits for it.
    for (const { socket, answers } of this.#connections.values()) if (answers === 0) socket.destroy();
    if (abort.aborted) end();
    await closed;
    abort.removeEventListener('abort', end);
  }

  async #create(certificate: ServingCertificate | undefined): Promise<Server | SecureServer> {
    const listener = (request: IncomingMessage, response: ServerResponse): void => void this.#answer(request, response);
    // By their names, because an import statement would load undici with them.
    if (certificate === undefined) {
      return process.getBuiltinModule('node:http').createServer({ maxHeaderSize: mostHeadBytes }, listener);
    }
    this.#pair = await certificate.current();
    return process
      .getBuiltinModule('node:https')
      .createServer(
        { ...this.#pair, maxHeaderSize: mostHeadBytes, handshakeTimeout: handshakeMs, ALPNProtocols: ['http/1.1'] },
        listener,
      );
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
    connection.answers++;
    response.once('close', () => {
      connection.answers--;
      if (this.#isStopping && connection.answers === 0) connection.socket.end();
    });
    const { status, body, contentType, headers } = await this.#answerTo(request);
    response.writeHead(status, {
      'content-type': contentType ?? 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...headers,
      // What has a body, or comes while stopping, is not kept.
      ...(hasBody(request) || this.#isStopping ? { connection: 'close' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #answerTo(request: IncomingMessage): Promise<HttpAnswer> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 405, body: 'Method Not Allowed\n', headers: { allow: 'GET, HEAD', connection: 'close' } };
    }
    if (hasBody(request)) return { status: 413, body: 'a request here has no body\n' };
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    try {
      return await this.#options.handler({
        path: mark < 0 ? url : url.slice(0, mark),
        query: new URLSearchParams(mark < 0 ? '' : url.slice(mark)),
        header: (name) => request.headers[name]?.toString(),
      });
    } catch (error) {
      this.#options.logger.error(`${this.name} could not answer`, { error });
      return { status: 500, body: 'internal server error\n' };
    }
  }

  async #renew(certificate: ServingCertificate): Promise<void> {
    const { logger } = this.#options;
    try {
      const pair = await certificate.current();
      this.#certificateProblem = undefined;
      if (this.#pair?.cert === pair.cert && this.#pair.key === pair.key) return;
      (this.#server as SecureServer).setSecureContext({ ...pair });
      this.#pair = pair;
      logger.info(`${this.name} has a new certificate`);
    } catch (error) {
      // Half of a pair may be written while it is looked at; the one before serves until there is another.
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== this.#certificateProblem) logger.warn(`${this.name} keeps its certificate`, { error });
      this.#certificateProblem = problem;
    }
  }

  #explain(error: Error & { readonly code?: string }): EvenkeelError {
    const { flag, name, address } = this.#options;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: 'another process listens there, maybe a second operator',
      EACCES: 'this user may not take that port; ports from 1024 on are free to all',
      EADDRNOTAVAIL: 'this machine does not have that address',
    };
    const reason = Object.hasOwn(reasons, error.code ?? '') ? reasons[error.code ?? ''] : error.message;
    return new EvenkeelError(
      'address-unavailable',
      `the ${name} cannot listen on ${addressText(address)}: ${reason}; give another by ${flag}, or 0 for none`,
      { cause: error },
    );
  }
}

interface Connection {
  readonly socket: Socket;
  /** How many it waits for. */
  answers: number;
}

function otherEnd({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
