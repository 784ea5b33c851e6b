import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { EvenkeelError, readBounded } from '@evenkeel/core';
import { requestBytesMax } from '../apimachinery/index.ts';
import type { RequestHandler } from '../request/request-handler.ts';
import { incomingRequestOf } from './incoming-request.ts';
import { send } from './response-writer.ts';
import { UpgradedConnections } from './upgraded-connections.ts';

/** The timeout for headers and for idle connections, as in upstream's server. */
const headersTimeoutMs = 32_000;
const idleTimeoutMs = 90_000;
/** How long a client whose body is rejected may be silent before it has sent all of it. */
const lingerMs = 5000;

export interface ListenerOptions {
  /** Default `127.0.0.1`: reachable only from this machine. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
}

/** The server's socket: HTTP/1.1 over TLS. */
export class HttpsListener {
  readonly host: string;
  readonly port: number;
  readonly #server: Server;
  readonly #stopping: AbortController;
  readonly #upgraded: UpgradedConnections;

  private constructor(server: Server, upgraded: UpgradedConnections, stopping: AbortController, host: string) {
    this.#server = server;
    this.#upgraded = upgraded;
    this.#stopping = stopping;
    this.host = host;
    this.port = (server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
  }

  /**
   * Listens with a serving certificate of the authority. Client certificates of that authority are accepted as credentials.
   * Throws `port-in-use` if another program uses the port.
   */
  static async open(
    authority: CertificateAuthority,
    handler: RequestHandler,
    { host = '127.0.0.1', port = 0 }: ListenerOptions = {},
  ): Promise<HttpsListener> {
    const { certificatePem, privateKeyPem } = authority.issue({
      commonName: 'kube-apiserver',
      usage: 'server',
      hosts: [...new Set([host, '127.0.0.1', '::1', 'localhost', 'kubernetes', 'kubernetes.default.svc'])],
    });
    const stopping = new AbortController();
    // Not an import: that would also load undici (16 ms, 10 MB), even in servers that never listen.
    const { createServer } = process.getBuiltinModule('node:https');
    const server = createServer(
      {
        cert: certificatePem,
        key: privateKeyPem,
        ca: authority.certificatePem,
        requestCert: true,
        // A client without a certificate may send a token.
        rejectUnauthorized: false,
        minVersion: 'TLSv1.2',
        ALPNProtocols: ['http/1.1'],
        headersTimeout: headersTimeoutMs,
        keepAliveTimeout: idleTimeoutMs,
        requestTimeout: 0,
        maxHeaderSize: 64 * 1024,
      },
      (incoming, outgoing) => void serve(handler, incoming, outgoing, stopping.signal),
    );
    const upgraded = new UpgradedConnections(server, handler);
    server.on('upgrade', (incoming, socket, head) => upgraded.serve(incoming, socket as TLSSocket, head));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
      server.listen(port, host, resolve);
    });
    return new HttpsListener(server, upgraded, stopping, host);
  }

  /** Ends every connection, watches included, and frees the port. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error('the server is stopping'));
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    this.#upgraded.close();
    await closed;
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new EvenkeelError(
      'port-in-use',
      `cannot listen on ${host}:${port}: another program uses that port; stop it, choose another port, or omit the port to use a free one`,
      { cause: error },
    );
  }
  return error;
}

async function serve(
  handler: RequestHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stopping: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const abort = (): void => gone.abort(new Error('the client has gone'));
  outgoing.once('close', abort);
  stopping.addEventListener('abort', abort, { once: true });
  try {
    const body = await readBody(incoming);
    if (body === undefined) {
      await refuseLargeBody(incoming, outgoing);
      return;
    }
    const response = await handler(incomingRequestOf(incoming, body, gone.signal));
    await send(outgoing, response, incoming.method === 'HEAD');
  } catch {
    // The client disconnected, or its body was incomplete: a response is impossible.
    outgoing.destroy();
  } finally {
    stopping.removeEventListener('abort', abort);
  }
}

/** The whole body; undefined if it is larger than allowed. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > requestBytesMax) return undefined;
  // The error response is sent on the same socket.
  const pieces = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  return await readBounded(pieces, requestBytesMax);
}

/**
 * Sends the error at once, and closes the connection when the client has sent its body, is silent or has disconnected. If a
 * connection is closed with unread data, the client may lose the response too.
 */
async function refuseLargeBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Request entity too large: limit is ${requestBytesMax}`,
    reason: 'RequestEntityTooLarge',
    code: 413,
  };
  const text = `${JSON.stringify(status)}\n`;
  outgoing
    .writeHead(413, { 'content-type': 'application/json', 'content-length': text.length, connection: 'close' })
    .write(text);
  incoming.resume();
  const sent = finished(incoming, { writable: false }).catch(() => undefined);
  const silent = new Promise<void>((resolve) => incoming.setTimeout(lingerMs, resolve));
  await Promise.race([sent, silent]);
  outgoing.end();
}
