import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { EvenkeelError, readBounded } from '@evenkeel/core';
import { requestBytesMax } from '../apimachinery/index.ts';
import type { OutgoingResponse, RequestHandler } from '../request/request-handler.ts';

/** Headers and an idle connection may take this long; as upstream's server is set. */
const headersTimeoutMs = 32_000;
const idleTimeoutMs = 90_000;
/** For so long a client whose body is refused may be silent before it has sent all of it. */
const lingerMs = 5000;

export interface ListenerOptions {
  /** Default `127.0.0.1`: nobody outside of this machine. */
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
   * Listens, with a serving certificate of the authority; client certificates of that authority are accepted as
   * credentials. Throws `port-in-use` where another program has the port.
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
    // Not an import: that would load undici as well, 16 ms and 10 MB, and for servers that never listen too.
    const { createServer } = process.getBuiltinModule('node:https');
    const server = createServer(
      {
        cert: certificatePem,
        key: privateKeyPem,
        ca: authority.certificatePem,
        requestCert: true,
        // A client without a certificate may bring a token.
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
      `cannot listen on ${host}:${port}: another program has that port; stop it, choose another port, or leave the port out to take a free one`,
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
    // A client that went away, or a body that broke off: there is nobody to answer.
    outgoing.destroy();
  } finally {
    stopping.removeEventListener('abort', abort);
  }
}

/** The whole body; undefined where it is larger than allowed. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > requestBytesMax) return undefined;
  // Who is refused is answered on the same socket.
  const pieces = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  return await readBounded(pieces, requestBytesMax);
}

/**
 * Says so at once, and closes the connection when the client has sent its body, is silent or has gone: where one is closed with
 * something unread in it, the answer is lost too.
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

/** UTF-8, as the API server writes it, in the form in which Node takes the bytes of a header. */
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

/** A client that reads slowly must not make us hold what it has not read. */
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
