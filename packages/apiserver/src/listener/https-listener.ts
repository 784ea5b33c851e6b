import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { TLSSocket } from 'node:tls';
import type { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { BoundedBody, EvenkeelError } from '@evenkeel/core';
import { requestBytesMax } from '../apimachinery/index.ts';
import type { OutgoingResponse, RequestHandler } from '../request/request-handler.ts';
import { incomingRequestOf } from './incoming-request.ts';
import { checkHead, type InvalidHead, invalidHead, invalidHeadResponse } from './request-head.ts';
import { send } from './response-writer.ts';
import { readUnparsed } from './unparsed-request.ts';
import { UpgradedConnections } from './upgraded-connections.ts';

/** The timeout for headers and for idle connections, as in upstream's server. */
const headersTimeoutMs = 32_000;
const idleTimeoutMs = 90_000;
/** How long a client may continue to send a body after the response. */
const lingerMs = 5000;
/** Like Go's `http.DefaultMaxHeaderBytes`, with the 4 KB that its server adds. */
const headBytesMax = 2 ** 20 + 4096;
/** The longest body that the server reads and discards to keep the connection, as in Go's server. */
const droppedBytesMax = 2 ** 18;

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
  readonly #served: Set<AbortController>;
  readonly #upgraded: UpgradedConnections;

  private constructor(server: Server, upgraded: UpgradedConnections, served: Set<AbortController>, host: string) {
    this.#server = server;
    this.#upgraded = upgraded;
    this.#served = served;
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
    const served = new Set<AbortController>();
    const server = createServer({
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
      // The pipeline limits the time for a body, with the clock of the server.
      requestTimeout: 0,
      handshakeTimeout: headersTimeoutMs,
      maxHeaderSize: headBytesMax,
      // Checked later, with the rest of the head, because Go's response has a body.
      requireHostHeader: false,
    });
    // Go only limits the length of the head.
    server.maxHeadersCount = headBytesMax;
    const serveNext = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
      void serve(handler, incoming, outgoing, served);
    // The server sends "100 Continue" when the handler requests the body.
    server.on('request', serveNext).on('checkContinue', serveNext);
    server.on('checkExpectation', (incoming, outgoing) => {
      if (incoming.headers.expect === '') serveNext(incoming, outgoing);
      else outgoing.writeHead(417, { connection: 'close' }).end();
    });
    const upgraded = new UpgradedConnections(server, handler);
    server.on('upgrade', (incoming, socket, head) => upgraded.serve(incoming, socket as TLSSocket, head));
    server.on('connect', (incoming, socket) => serveLast(handler, incoming, socket as TLSSocket, served));
    server.on('clientError', (error: ParseError, socket) => {
      // Node reports the error of a head again with each further chunk of it.
      if (ending.has(socket)) return;
      if (!socket.writable) {
        socket.destroy();
        return;
      }
      const current = busy.get(socket);
      if (current?.incoming.complete === true) {
        // The next request, which follows at once, is invalid.
        ending.add(socket);
        current.outgoing.once('close', () => endUnread(socket, invalidHeadResponse(invalidHead(400))));
        return;
      }
      const request = unparsedRequest(error, socket as TLSSocket);
      if ('text' in request) endUnread(socket, invalidHeadResponse(request));
      else serveLast(handler, request, socket as TLSSocket, served);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
      server.listen(port, host, resolve);
    });
    return new HttpsListener(server, upgraded, served, host);
  }

  /** Ends every connection, watches included, and frees the port. */
  async close(): Promise<void> {
    for (const gone of this.#served) gone.abort(new Error('the server is stopping'));
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

/** The sockets that the server still reads, so that the client can receive the response before the connection closes. */
const ending = new WeakSet<Duplex>();

/** How long a connection with unread data is read after the response: net/http's `rstAvoidanceDelay`. */
const unreadMs = 500;

/**
 * Sends a last response, and reads what the client still sends. The kernel would otherwise reset the connection, and the client would
 * often lose the response.
 */
function endUnread(socket: Duplex, response?: string): void {
  ending.add(socket);
  socket.end(response);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), unreadMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** An error of Node's parser, with what the client has sent at once. */
interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** The requests that are being served, by their sockets. */
const busy = new WeakMap<Duplex, { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }>();

/** A request that Node cannot parse, or why it is invalid. */
function unparsedRequest({ code, rawPacket }: ParseError, socket: TLSSocket): IncomingMessage | InvalidHead {
  if (code === 'HPE_HEADER_OVERFLOW') return invalidHead(431);
  // The error may be that of a body.
  return rawPacket === undefined || busy.has(socket) ? invalidHead(400) : readUnparsed(rawPacket, socket);
}

/** Serves the last request of a connection that Node does not read any more. */
function serveLast(
  handler: RequestHandler,
  incoming: IncomingMessage,
  socket: TLSSocket,
  served: Set<AbortController>,
): void {
  ending.add(socket);
  const http = process.getBuiltinModule('node:http');
  const outgoing = new http.ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => {
    outgoing.detachSocket(socket);
    endUnread(socket);
  });
  void serve(handler, incoming, outgoing, served);
}

async function serve(
  handler: RequestHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  served: Set<AbortController>,
): Promise<void> {
  // Node gives a request without a version 0.9.
  const invalid = incoming.httpVersion === '0.9' ? invalidHead(400) : checkHead(incoming);
  if (invalid !== undefined) {
    endUnread(incoming.socket, invalidHeadResponse(invalid));
    return;
  }
  const gone = new AbortController();
  served.add(gone);
  busy.set(incoming.socket, { incoming, outgoing });
  outgoing.once('close', () => {
    served.delete(gone);
    busy.delete(incoming.socket);
    if (!outgoing.writableFinished) gone.abort(new Error('the client has gone'));
  });
  try {
    const receive = (): Promise<Uint8Array | undefined> => receiveBody(incoming, outgoing);
    const response = await handler(incomingRequestOf(incoming, receive, gone.signal));
    response.dropped?.addEventListener('abort', () => outgoing.destroy(), { once: true });
    if (incoming.complete) await send(outgoing, response, incoming.method === 'HEAD');
    else await sendEarly(incoming, outgoing, response);
  } catch {
    // The client disconnected, or its body was incomplete: a response is impossible.
    outgoing.destroy();
  }
}

/** The whole body; undefined if it is larger than allowed. */
async function receiveBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > requestBytesMax) return undefined;
  // Go does not read chunks of HTTP 1.0.
  if (incoming.httpVersion === '1.0' && incoming.headers['transfer-encoding'] !== undefined) return new Uint8Array();
  if (awaitsContinue(incoming)) outgoing.writeContinue();
  const body = new BoundedBody(requestBytesMax);
  // Not the iterator of the stream, which takes as long as the rest of a small request.
  return await new Promise((resolve, reject) => {
    incoming
      .on('data', (piece: Uint8Array) => {
        if (body.add(piece)) return;
        // The error response is sent on the same socket.
        incoming.removeAllListeners('data').pause();
        resolve(undefined);
      })
      .once('end', () => resolve(body.bytes))
      .once('error', reject)
      .once('close', () => {
        // A whole body needs no error, whose stack trace costs as much as the authentication.
        if (!incoming.complete) reject(new Error('the body is not complete'));
      });
  });
}

function awaitsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/**
 * Sends a response before the whole body has arrived. The rest of a short body is dropped, and the connection stays open.
 * Otherwise, the connection is closed when the client has sent its body or has disconnected, or after {@link lingerMs}. If it
 * were closed at once, with unread data, the client may lose the response too.
 */
async function sendEarly(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: OutgoingResponse,
): Promise<void> {
  const { 'content-length': length = Number.POSITIVE_INFINITY } = incoming.headers;
  const closes = Number(length) > droppedBytesMax || awaitsContinue(incoming);
  if (closes) outgoing.setHeader('connection', 'close');
  const timer = setTimeout(() => incoming.socket.destroy(), lingerMs).unref();
  const received = finished(incoming, { writable: false }).catch(() => undefined);
  void received.then(() => clearTimeout(timer));
  incoming.resume();
  await send(outgoing, response, incoming.method === 'HEAD', closes ? received : undefined);
}
