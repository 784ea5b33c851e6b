import type { Agent, AgentOptions, ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import {
  BoundedBody,
  EvenkeelError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  untilAborted,
} from '@evenkeel/core';
import type { Connection, Credentials } from './connection.ts';
import { connectionError, httpsExpected } from './connection-error.ts';
import { http } from './node-http.ts';
import { ProxyAgent } from './proxy-agent.ts';
import { maxResponseBytes, responseTooLarge } from './response-body.ts';

export interface HttpsTransportOptions {
  /** How many requests may be under way at once, watches apart; more wait. Default 64. */
  maxConnections?: number;
  /**
   * After this time without a byte in either direction a request fails. Default 90 s, above the 60 s the API server gives a
   * request. Watches have no such limit; who reads them sets one.
   */
  inactivityTimeoutMs?: number;
  /** The largest body that is read as a whole; a larger one rejects. Default: what one string can hold, 512 MiB. */
  maxResponseBytes?: number;
}

/** Shorter than the 90 s for which an API server keeps an idle connection, so that this side is the one to close it. */
const idleConnectionMs = 30_000;
const connectTimeoutMs = 30_000;

/**
 * Carries requests over Node's own `https` (or `http`), HTTP/1.1, on connections that are kept and used again. Each watch
 * has a connection of its own. Credentials are asked for before each request; when the TLS material among them changes,
 * new connections use the new one.
 */
export function httpsTransport(connection: Connection, options: HttpsTransportOptions = {}): Transport {
  return new HttpsTransport(connection, options);
}

class HttpsTransport implements Transport {
  readonly #connection: Connection;
  readonly #server: URL;
  readonly #inactivityTimeoutMs: number;
  readonly #maxConnections: number;
  readonly #maxResponseBytes: number;
  #agents: Agents | undefined;
  #isClosed = false;
  #wereRefused = false;

  constructor(connection: Connection, options: HttpsTransportOptions) {
    this.#connection = connection;
    this.#server = parseServer(connection);
    this.#inactivityTimeoutMs = options.inactivityTimeoutMs ?? 90_000;
    this.#maxConnections = options.maxConnections ?? 64;
    this.#maxResponseBytes = options.maxResponseBytes ?? maxResponseBytes;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    if (this.#isClosed) throw new Error(`the connection to ${this.#connection.server} has been closed`);
    const credentials = await this.#credentials(request.signal);
    request.signal?.throwIfAborted();
    const isWatch = isLongRunning(request.path);
    const agents = this.#agentsFor(credentials);
    const agent = isWatch ? agents.watches : agents.requests;
    const message = await this.#exchange(request, credentials, agent, isWatch).catch((error: unknown) => {
      if (isAboutCertificates(error)) this.#wereRefused = true;
      throw error;
    });
    if (this.#server.protocol === 'http:' && isForHttps(message)) {
      message.resume();
      throw httpsExpected(this.#connection.server);
    }
    this.#wereRefused = message.statusCode === 401;
    return {
      status: message.statusCode ?? 0,
      headers: headersOf(message.rawHeaders),
      body: this.#bodyOf(message, request.signal),
      wholeBody: () => this.#wholeBodyOf(message, request.signal),
    };
  }

  /** An exec plugin may take as long as it likes: who has lost patience does not wait for it. */
  async #credentials(signal: AbortSignal | undefined): Promise<Credentials> {
    const coming = this.#connection.credentials?.({ renew: this.#wereRefused });
    if (coming === undefined) return {};
    return await untilAborted(coming, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#agents !== undefined) endIdle(this.#agents);
  }

  #exchange(
    request: TransportRequest,
    credentials: Credentials,
    agent: Agent,
    isWatch: boolean,
  ): Promise<IncomingMessage> {
    const { host, hostname, port, pathname, protocol } = this.#server;
    const { method, path, body, signal, beforeSend } = request;
    return new Promise((settle, fail) => {
      // Node tells a request that still waits for its turn, or for a proxy, of its abort only when it has a socket.
      const onAbort = (): void => fail(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const resolve = (message: IncomingMessage): void => {
        signal?.removeEventListener('abort', onAbort);
        settle(message);
      };
      const reject = (error: unknown): void => {
        signal?.removeEventListener('abort', onAbort);
        fail(error);
      };
      let outgoing: ClientRequest;
      try {
        outgoing = (protocol === 'http:' ? http : https).request({
          host: hostname.replace(/^\[|\]$/g, ''),
          port: port === '' ? undefined : port,
          method,
          path: pathname === '/' ? path : `${pathname.replace(/\/$/, '')}${path}`,
          headers: rawHeadersOf(host, request, credentials),
          agent,
          ...(signal === undefined ? {} : { signal }),
        });
      } catch (error) {
        // Certificates are looked at as soon as there is to be a socket.
        reject(connectionError(this.#connection.server, error));
        return;
      }
      outgoing.once('response', resolve);
      outgoing.on('error', (error) => {
        reject(signal?.aborted === true ? signal.reason : connectionError(this.#connection.server, error));
      });
      outgoing.once('socket', (socket) => {
        const limitMs = isWatch ? 0 : this.#inactivityTimeoutMs;
        const timedOut = (): void => {
          outgoing.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }));
        };
        if (socket.connecting) {
          outgoing.setTimeout(connectTimeoutMs, timedOut);
          socket.once('connect', () => outgoing.setTimeout(limitMs));
        } else outgoing.setTimeout(limitMs, timedOut);
        if (beforeSend === undefined) return;
        whenReady(socket, () => {
          try {
            beforeSend();
            outgoing.end(body);
          } catch (error) {
            reject(error);
            outgoing.destroy();
          }
        });
      });
      if (beforeSend === undefined) outgoing.end(body);
    });
  }

  async *#bodyOf(
    message: IncomingMessage,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of message) yield chunk as Buffer;
    } catch (error) {
      signal?.throwIfAborted();
      throw connectionError(this.#connection.server, error);
    }
  }

  /** By its events: a third of what two asynchronous iterators take, one within the other. */
  #wholeBodyOf(message: IncomingMessage, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const body = new BoundedBody(this.#maxResponseBytes);
      message.on('data', (chunk: Buffer) => {
        if (body.add(chunk)) return;
        reject(responseTooLarge(this.#maxResponseBytes));
        message.destroy();
      });
      message.once('end', () => resolve(body.bytes));
      message.once('error', (error) => {
        reject(signal?.aborted === true ? signal.reason : connectionError(this.#connection.server, error));
      });
    });
  }

  /** The agents for the TLS material there is now; those before finish what they are at. */
  #agentsFor({ ca, cert, key }: Credentials): Agents {
    const { serverName, insecureSkipTlsVerify, proxyUrl } = this.#connection;
    const trusted = ca ?? this.#connection.ca;
    const current = this.#agents;
    if (current !== undefined && current.ca === trusted && current.cert === cert && current.key === key) return current;
    if (current !== undefined) endIdle(current);
    const tlsOptions = {
      ...(trusted === undefined ? {} : { ca: trusted }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      rejectUnauthorized: insecureSkipTlsVerify !== true,
      ALPNProtocols: ['http/1.1'],
    };
    const agentOf = (agentOptions: AgentOptions): Agent => {
      const agent = newAgent(agentOptions);
      // An agent has one server and one set of TLS material, all of which Node would put into a name, PEM included, several
      // times for each request.
      agent.getName = () => this.#connection.server;
      return agent;
    };
    const newAgent = (agentOptions: AgentOptions): Agent => {
      if (this.#server.protocol === 'http:') return new http.Agent(agentOptions);
      const all = { ...agentOptions, ...tlsOptions };
      return proxyUrl === undefined ? new https.Agent(all) : new ProxyAgent(parseProxy(proxyUrl), all);
    };
    this.#agents = {
      ca: trusted,
      cert,
      key,
      requests: agentOf({
        keepAlive: true,
        maxSockets: this.#maxConnections,
        scheduling: 'lifo',
        timeout: idleConnectionMs,
      }),
      watches: agentOf({ keepAlive: false }),
    };
    return this.#agents;
  }
}

interface Agents {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly requests: Agent;
  readonly watches: Agent;
}

function endIdle({ requests }: Agents): void {
  for (const sockets of Object.values(requests.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** Calls back when the first byte written to a socket would go out at once. */
function whenReady(socket: Socket & { readonly secureConnecting?: boolean }, ready: () => void): void {
  // Node sets it on sockets of TLS until the handshake is done; its types do not have it.
  if (socket.secureConnecting === true) socket.once('secureConnect', ready);
  else if (socket.connecting) socket.once('connect', ready);
  else ready();
}

/** Whether a certificate was not believed, or is none: what is known of it may be out of date, or half of a pair. */
function isAboutCertificates(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && /CERT|SELF_SIGNED|UNABLE_TO_|ALERT|X509|PEM|ASN1|DECODER/.test(code);
}

/**
 * Whether an answer is that of a Go server which speaks HTTPS and was asked without: a status line, no header, one sentence.
 * https://github.com/golang/go/blob/master/src/net/http/server.go, `conn.serve`
 */
function isForHttps({ statusCode, httpVersion, rawHeaders }: IncomingMessage): boolean {
  return statusCode === 400 && httpVersion === '1.0' && rawHeaders.length === 0;
}

/** Watches and followed logs, which the server ends when it likes. */
function isLongRunning(path: string): boolean {
  return /[?&](?:watch|follow)=(?:true|1)(?:&|$)/.test(path);
}

/** As one list: set one by one, each would be kept under its name until the request is written. */
function rawHeadersOf(host: string, { headers, body }: TransportRequest, credentials: Credentials): string[] {
  const raw = ['host', host];
  const own = credentials.headers ?? {};
  for (const name in headers) if (!Object.hasOwn(own, name)) raw.push(name, headers[name] ?? '');
  for (const name in own) {
    const value = own[name] ?? '';
    if (typeof value === 'string') raw.push(name, value);
    else for (const one of value) raw.push(name, one);
  }
  if (body !== undefined) raw.push('content-length', String(Buffer.byteLength(body)));
  return raw;
}

/** From names and values in turn. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 1; at < raw.length; at += 2) {
    const name = (raw[at - 1] ?? '').toLowerCase();
    const text = textOf(raw[at] ?? '');
    texts[name] = name in texts ? `${texts[name]}, ${text}` : text;
  }
  return texts;
}

/** API servers write UTF-8 into headers, such as a warning of a field; Node reads them byte by byte. */
function textOf(header: string): string {
  return /[\x80-\xff]/.test(header) ? Buffer.from(header, 'latin1').toString('utf8') : header;
}

function parseServer({ server, origin }: Connection): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  const where = origin === undefined ? '' : `${origin}: `;
  throw new EvenkeelError(
    'invalid-kubeconfig',
    `${where}the server ${JSON.stringify(server)} is no URL; write https://host:port`,
  );
}

function parseProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:') return url;
  throw new EvenkeelError(
    'invalid-kubeconfig',
    `a proxy-url must be an http:// URL; ${url === undefined ? 'this is none' : `${url.protocol}// proxies are not supported`}`,
  );
}
