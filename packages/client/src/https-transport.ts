import type { Agent, AgentOptions, ClientRequest, IncomingMessage } from 'node:http';
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
import { node } from './node-http.ts';
import { proxyAgent } from './proxy-agent.ts';
import { maxResponseBytes, responseTooLarge } from './response-body.ts';

/** The options of {@link httpsTransport}. All have defaults. */
export interface HttpsTransportOptions {
  /** The maximum number of concurrent requests, without watches; others wait. Default: 64. */
  maxConnections?: number;
  /**
   * A request fails after this time without a byte in either direction. Default: 90 s, more than the 60 s that the API
   * server allows for a request. Watches have no such limit; their readers set one.
   */
  inactivityTimeoutMs?: number;
  /**
   * The maximum size of a body that is read as a whole; a larger one rejects. Default: the longest possible string, 512
   * MiB.
   */
  maxResponseBytes?: number;
}

/** Shorter than the 90 s for which an API server keeps an idle connection, so that this side closes it first. */
const idleConnectionMs = 30_000;
const connectTimeoutMs = 30_000;

/**
 * Sends requests by Node's `https` (or `http`), HTTP/1.1, on connections that are kept and reused. Each watch has a
 * separate connection. Credentials are requested before each request. When its TLS certificates change, new connections
 * use the new ones.
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
  #wereRejected = false;

  constructor(connection: Connection, options: HttpsTransportOptions) {
    this.#connection = connection;
    this.#server = parseServer(connection);
    this.#inactivityTimeoutMs = options.inactivityTimeoutMs ?? 90_000;
    this.#maxConnections = options.maxConnections ?? 64;
    this.#maxResponseBytes = options.maxResponseBytes ?? maxResponseBytes;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    if (this.#isClosed)
      throw new Error(`the connection to ${this.#connection.server} is closed; create a new transport`);
    const credentials = await this.#credentials(request.signal);
    request.signal?.throwIfAborted();
    const isWatch = isLongRunning(request.path);
    const agents = this.#agentsFor(credentials);
    const agent = isWatch ? agents.watches : agents.requests;
    const message = await this.#exchange(request, credentials, agent, isWatch).catch((error: unknown) => {
      if (isAboutCertificates(error)) this.#wereRejected = true;
      throw error;
    });
    if (this.#server.protocol === 'http:' && isForHttps(message)) {
      message.resume();
      throw httpsExpected(this.#connection.server);
    }
    this.#wereRejected = message.statusCode === 401;
    return {
      status: message.statusCode ?? 0,
      headers: headersOf(message.rawHeaders),
      body: this.#bodyOf(message, request.signal),
      wholeBody: () => this.#wholeBodyOf(message, request.signal),
    };
  }

  /** An exec plugin may take any time, so an aborted request does not wait for it. */
  async #credentials(signal: AbortSignal | undefined): Promise<Credentials> {
    const coming = this.#connection.credentials?.({ renew: this.#wereRejected });
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
      // Node aborts a request that waits in the queue, or for a proxy, only when it gets a socket.
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
        outgoing = (protocol === 'http:' ? node.http : node.https).request({
          host: hostname.replace(/^\[|\]$/g, ''),
          port: port === '' ? undefined : port,
          method,
          path: pathname === '/' ? path : `${pathname.replace(/\/$/, '')}${path}`,
          headers: rawHeadersOf(host, request, credentials),
          agent,
          ...(signal === undefined ? {} : { signal }),
        });
      } catch (error) {
        // Node parses the certificates when it creates the socket.
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

  /** Uses events, which take a third of the time of two nested asynchronous iterators. */
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

  /** Returns the agents for the current TLS certificates. Earlier agents finish their requests. */
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
      // An agent has one server and one set of TLS certificates. By default, Node would put all of them, including the
      // PEM, into a name several times for each request.
      agent.getName = () => this.#connection.server;
      return agent;
    };
    const newAgent = (agentOptions: AgentOptions): Agent => {
      if (this.#server.protocol === 'http:') return new node.http.Agent(agentOptions);
      const all = { ...agentOptions, ...tlsOptions };
      return proxyUrl === undefined ? new node.https.Agent(all) : proxyAgent(parseProxy(proxyUrl), all);
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

/** Closes the connections without a request now, and the others when their requests end. */
function endIdle({ requests }: Agents): void {
  requests.maxFreeSockets = 0;
  for (const sockets of Object.values(requests.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** Calls back when a written byte would be sent at once. */
function whenReady(socket: Socket & { readonly secureConnecting?: boolean }, ready: () => void): void {
  // Node sets this property on TLS sockets until the handshake is done; its types do not declare it.
  if (socket.secureConnecting === true) socket.once('secureConnect', ready);
  else if (socket.connecting) socket.once('connect', ready);
  // Deno never sends some of the requests that are ended while the event 'socket' of a reused connection is emitted.
  else process.nextTick(ready);
}

/** Whether a certificate was invalid or not trusted. The cached one may be outdated, or only half of a pair replaced. */
function isAboutCertificates(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && /CERT|SELF_SIGNED|UNABLE_TO_|ALERT|X509|PEM|ASN1|DECODER/.test(code);
}

/**
 * Whether a response is from a Go server that uses HTTPS but got plain HTTP: a status line, no headers, one sentence.
 * https://github.com/golang/go/blob/master/src/net/http/server.go, `conn.serve`
 */
function isForHttps({ statusCode, httpVersion, rawHeaders }: IncomingMessage): boolean {
  return statusCode === 400 && httpVersion === '1.0' && rawHeaders.length === 0;
}

/** Whether a request is a watch or a followed log, which the server ends at any time. */
function isLongRunning(path: string): boolean {
  return /[?&](?:watch|follow)=(?:true|1)(?:&|$)/.test(path);
}

/** Returns the headers as one list. If they were set one by one, Node would store each until the request is written. */
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

/** Converts a list of alternating names and values. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 1; at < raw.length; at += 2) {
    const name = (raw[at - 1] ?? '').toLowerCase();
    const text = textOf(raw[at] ?? '');
    texts[name] = name in texts ? `${texts[name]}, ${text}` : text;
  }
  return texts;
}

/** Decodes UTF-8 in headers, such as a warning about a field; Node decodes them as Latin-1. */
function textOf(header: string): string {
  return /[\x80-\xff]/.test(header) ? Buffer.from(header, 'latin1').toString('utf8') : header;
}

function parseServer({ server, origin }: Connection): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  const where = origin === undefined ? '' : `${origin}: `;
  throw new EvenkeelError(
    'invalid-kubeconfig',
    `${where}the server ${JSON.stringify(server)} is not a URL; write https://host:port`,
  );
}

function parseProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:') return url;
  throw new EvenkeelError(
    'invalid-kubeconfig',
    `invalid proxy-url: ${url === undefined ? 'it is not a URL' : `${url.protocol}// proxies are not supported`}; use an http:// URL`,
  );
}
