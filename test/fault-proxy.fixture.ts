import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { TLSSocket } from 'node:tls';
import type { Connection } from '@evenkeel/client';
import type { Transport } from '@evenkeel/core';
import { freePorts } from './free-ports.fixture.ts';

export { CertificateAuthority, type IssuedCertificate } from '@evenkeel/apimachinery/certificate';

/** The fault of a request. */
export type Fault =
  /** The proxy sends the response. */
  | { readonly answer: { status: number; body: string; headers?: Record<string, string> } }
  /** Not forwarded; the socket is destroyed. */
  | { readonly isReset: true }
  /** Not forwarded; no response is sent, and the socket stays open. */
  | { readonly isHeld: true }
  /** Forwarded; the socket is destroyed after this many bytes of the response body. */
  | { readonly cutAfterBytes: number }
  /** Forwarded; a line is inserted into the response after this many lines. */
  | { readonly insert: string; readonly afterLines: number }
  /** Forwarded; each line of the response is sent twice. */
  | { readonly isRepeated: true };

/** The identity of a server, and the clients that it trusts. All PEM. */
export interface ServerIdentity {
  readonly cert: string;
  readonly key: string;
  /** The authority that signs client certificates. */
  readonly ca: string;
}

/**
 * A proxy between a client and an API server on loopback that simulates faults of networks and servers: over plain
 * HTTP, or over TLS with an identity. It forwards requests as the administrator.
 */
export class FaultProxy {
  /** The target of requests. It may be changed at any time, as by a restart with other data. */
  target: Transport;
  /** Called for each request; undefined forwards it. */
  faultFor: (request: { method: string; path: string; isWatch: boolean }) => Fault | undefined = () => undefined;
  /** If true, connections are destroyed when a request arrives. */
  isAway = false;
  /** If true, no responses are sent, and all sockets stay open. */
  isSilent = false;
  /** All received requests, including those with a fault. */
  readonly requests: string[] = [];
  /** The authorized clients; others get 401. Default: all. */
  admits: (who: { authorization: string | undefined; hasCertificate: boolean }) => boolean = () => true;
  readonly #server: Server | SecureServer;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<Socket>();

  private constructor(target: Transport, identity: ServerIdentity | undefined) {
    this.target = target;
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.#pass(request, response).catch(() => response.destroy());
    };
    this.#server =
      identity === undefined
        ? createServer(serve)
        : createSecureServer({ ...identity, requestCert: true, rejectUnauthorized: false }, serve);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(target: Transport, identity?: ServerIdentity): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, identity);
    for (;;) {
      [proxy.#port = 0] = await freePorts(1);
      try {
        await proxy.listenAgain();
        return proxy;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      }
    }
  }

  get connection(): Connection {
    return { server: `${'setSecureContext' in this.#server ? 'https' : 'http'}://127.0.0.1:${this.#port}` };
  }

  /** Changes the identity for new connections. */
  present(identity: ServerIdentity): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(identity);
  }

  /** Simulates a killed server: nothing listens on the port. */
  async stopListening(): Promise<void> {
    const stopped = new Promise((resolve) => this.#server.close(resolve));
    this.destroySockets();
    await stopped;
  }

  async listenAgain(): Promise<void> {
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Simulates a crashed server: all connections break at once. */
  destroySockets(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Other requests continue. */
  destroyWatches(): void {
    for (const socket of this.#watches) socket.destroy();
  }

  async close(): Promise<void> {
    await this.stopListening();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    this.requests.push(`${method} ${path}`);
    if (this.isAway) {
      request.socket.destroy();
      return;
    }
    const { authorized: hasCertificate = false } = request.socket as Partial<TLSSocket>;
    if (!this.admits({ authorization: request.headers.authorization, hasCertificate })) {
      const refused = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 401, reason: 'Unauthorized' };
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(refused));
      return;
    }
    const fault = this.faultFor({ method, path, isWatch: path.includes('watch=true') });
    if (fault !== undefined && 'answer' in fault) {
      const { status, body, headers } = fault.answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      return;
    }
    if (fault !== undefined && 'isHeld' in fault) return;
    if (fault !== undefined && 'isReset' in fault) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const ended = new AbortController();
    if (path.includes('watch=true')) this.#watches.add(request.socket);
    response.on('close', () => {
      this.#watches.delete(request.socket);
      ended.abort(new Error('the client has gone'));
    });
    const answer = await this.target.request({
      method: method as 'GET',
      path,
      headers: headersOf(request),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString('utf8') }),
      signal: ended.signal,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers['content-type'] ?? 'application/json' });
    response.flushHeaders();
    let passed = 0;
    let lines = 0;
    let rest = '';
    const decoder = new StringDecoder('utf8');
    for await (const chunk of answer.body) {
      if (this.isSilent) {
        await new Promise((resolve) => response.once('close', resolve));
        return;
      }
      const bytes = Buffer.from(chunk);
      if (fault !== undefined && 'cutAfterBytes' in fault && passed + bytes.length >= fault.cutAfterBytes) {
        response.write(bytes.subarray(0, fault.cutAfterBytes - passed), () => request.socket.destroy());
        return;
      }
      if (fault !== undefined && 'isRepeated' in fault) {
        rest += decoder.write(bytes);
        const whole = rest.slice(0, rest.lastIndexOf('\n') + 1);
        rest = rest.slice(whole.length);
        response.write(whole.replace(/[^\n]*\n/g, '$&$&'));
        continue;
      }
      passed += bytes.length;
      let written = 0;
      if (fault !== undefined && 'insert' in fault) {
        for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) {
          if (++lines !== fault.afterLines) continue;
          response.write(bytes.subarray(0, end + 1));
          response.write(`${fault.insert}\n`);
          written = end + 1;
        }
      }
      response.write(bytes.subarray(written));
    }
    response.end();
  }
}

/** Returns the headers for the API server, without those of the connection. */
function headersOf(request: IncomingMessage): Record<string, string> {
  const kept = ['accept', 'content-type', 'user-agent'];
  return Object.fromEntries(
    kept.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
  );
}
