import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { EvenkeelError, readBounded } from '@evenkeel/core';
import { requestBytesMax } from '../apimachinery/index.ts';
import type { OutgoingResponse, RequestHandler } from '../request/request-handler.ts';

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

  private constructor(server: Server, stopping: AbortController, host: string) {
    this.#server = server;
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
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
      server.listen(port, host, resolve);
    });
    return new HttpsListener(server, stopping, host);
  }

  /** Ends every connection, watches included, and frees the port. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error('the server is stopping'));
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
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
    const clientCertificate = clientCertificateOf(incoming.socket as TLSSocket);
    const { localAddress, localPort } = incoming.socket;
    const response = await handler({
      method: incoming.method ?? 'GET',
      url: incoming.url ?? '/',
      headers: joinedHeaders(incoming),
      body,
      ...(clientCertificate === undefined ? {} : { clientCertificate }),
      localAddress: `${localAddress}:${localPort}`,
      signal: gone.signal,
    });
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

/** UTF-8, as the API server writes it, in the form in which Node expects the bytes of a header. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function clientCertificateOf(socket: TLSSocket) {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  const names = (value: string | readonly string[] | undefined): readonly string[] =>
    value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return { commonName: names(subject.CN)[0] ?? '', organizations: names(subject.O) };
}

function joinedHeaders(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}

async function send(
  outgoing: ServerResponse,
  { status, headers, body }: OutgoingResponse,
  headOnly: boolean,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) {
    outgoing.setHeader(name, typeof value === 'string' ? bytesOf(value) : value.map(bytesOf));
  }
  outgoing.statusCode = status;
  if (body instanceof Uint8Array) {
    outgoing.setHeader('content-length', body.length);
    outgoing.end(headOnly ? undefined : body);
    return;
  }
  outgoing.flushHeaders();
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing);
  }
  outgoing.end();
}

/** Waits until a slow client has read, so that unread data does not fill the memory. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
