import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Agent as HttpAgent, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getCACertificates } from 'node:tls';
import { EvenkeelError } from '@evenkeel/core';

/** Loaded by name, because an import statement would also load undici. */
const http = process.getBuiltinModule('node:http');

export interface RegistryHttpOptions {
  /** A PEM file with more certificate authorities that registries may use. */
  readonly caFile?: string | undefined;
  /** Whether registries may be used without TLS. Those on this machine always may. Default: false. */
  readonly allowsPlainHttp?: boolean;
  /** How long a connection may be silent. Default: 30 s. */
  readonly idleTimeoutMs?: number;
  /** Waits between attempts. Default: a timer. */
  readonly wait?: (delayMs: number) => Promise<void>;
  readonly env: NodeJS.ProcessEnv;
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with its length. It is opened once for each attempt. */
  readonly body?: { readonly size: number; open(): Readable };
  /** What fails, for messages. */
  readonly doing: string;
  /** Default: 4. */
  readonly attempts?: number;
}

const retried: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const redirected: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const redirectsMax = 5;
const delayMaxMs = 30_000;

/**
 * Sends requests to registries, with limits: an idle timeout, a few attempts if a server is overloaded or fails, and a few redirects. Sends
 * `Authorization` only to the host of the request. Rejects redirects from TLS to plain HTTP.
 */
export class RegistryHttp {
  readonly #options: RegistryHttpOptions;
  readonly #plainAgent: HttpAgent;
  readonly #agent: HttpsAgent;
  readonly #bases = new Map<string, Promise<URL>>();

  /** Throws `invalid-option` if the file of certificates cannot be read. */
  constructor(options: RegistryHttpOptions) {
    this.#options = options;
    const agentOptions = { keepAlive: true, maxSockets: 4 };
    this.#plainAgent = new http.Agent(agentOptions);
    const { caFile } = options;
    const ca = caFile === undefined ? undefined : [...getCACertificates('default'), certificatesIn(caFile)];
    this.#agent = new HttpsAgent({ ...agentOptions, ...(ca === undefined ? {} : { ca }) });
  }

  close(): void {
    this.#plainAgent.destroy();
    this.#agent.destroy();
  }

  /**
   * Returns the address of a registry. The address has no TLS only if the registry does not support TLS, and if it is on this machine or
   * allowed.
   */
  baseOf(registry: string): Promise<URL> {
    const known = this.#bases.get(registry) ?? this.#findBase(registry);
    this.#bases.set(registry, known);
    return known;
  }

  async #findBase(registry: string): Promise<URL> {
    const url = new URL(`https://${registry === 'docker.io' ? 'registry-1.docker.io' : registry}/v2/`);
    if (this.#options.allowsPlainHttp !== true && !isLoopback(url.hostname)) return url;
    try {
      const response = await this.#once({ method: 'GET', url, doing: 'connect' });
      response.resume();
    } catch (error) {
      const isUntrusted = error instanceof EvenkeelError && error.code === 'registry-untrusted';
      if (!isUntrusted) url.protocol = 'http:';
    }
    return url;
  }

  /** Sends a request, and returns the response, whatever its status, after retries and, for GET, redirects. */
  async send(given: HttpRequest): Promise<IncomingMessage> {
    let request = given;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#repeated(request);
      const { location } = response.headers;
      const isRedirect = redirected.has(response.statusCode ?? 0) && location !== undefined;
      if (!isRedirect || request.method !== 'GET') return response;
      response.resume();
      if (redirects === redirectsMax) throw failed(request, `more than ${redirectsMax} redirects`);
      request = redirectedTo(location, request);
    }
  }

  async #repeated(request: HttpRequest): Promise<IncomingMessage> {
    const { attempts = 4 } = request;
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#once(request);
        if (attempt >= attempts || !retried.has(response.statusCode ?? 0)) return response;
        response.resume();
        await this.#wait(delayOf(response.headers['retry-after'], attempt));
      } catch (error) {
        if (attempt >= attempts || !isTemporary(error)) throw error;
        await this.#wait(delayOf(undefined, attempt));
      }
    }
  }

  #wait(delayMs: number): Promise<void> {
    return this.#options.wait?.(delayMs) ?? new Promise((resolve) => setTimeout(resolve, delayMs));
  }

  #once(request: HttpRequest): Promise<IncomingMessage> {
    const { url, method, headers = {}, body } = request;
    const { idleTimeoutMs = 30_000 } = this.#options;
    const isPlain = url.protocol === 'http:';
    const length = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': String(body?.size ?? 0) };
    const options: RequestOptions = {
      method,
      headers: { 'user-agent': 'evenkeel', ...headers, ...length },
      agent: isPlain ? this.#plainAgent : this.#agent,
      timeout: idleTimeoutMs,
    };
    return new Promise((resolve, reject) => {
      const sent = (isPlain ? http.request : httpsRequest)(url, options);
      sent.once('timeout', () => sent.destroy(new Error(`no data for ${idleTimeoutMs / 1000} s`)));
      sent.on('error', (error) => reject(unreachable(request, error)));
      sent.once('response', (response) => resolve(response));
      if (body === undefined) sent.end();
      // A server may respond before it has read the body, as with 401.
      else pipeline(body.open(), sent).catch((error: Error) => sent.destroy(error));
    });
  }
}

function redirectedTo(location: string, request: HttpRequest): HttpRequest {
  const { url: from, headers = {} } = request;
  const url = URL.parse(location, from.href);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw failed(request, 'an invalid redirect');
  if (from.protocol === 'https:' && url.protocol !== 'https:')
    throw failed(request, 'a redirect to a host without TLS');
  if (url.origin === from.origin) return { ...request, url };
  const { authorization: _, ...others } = headers;
  return { ...request, url, headers: others };
}

function delayOf(retryAfter: string | undefined, attempt: number): number {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  return Math.min(seconds === undefined ? 500 * 2 ** (attempt - 1) : seconds * 1000, delayMaxMs);
}

/** Whether the host is this machine, so that no other machine can read the traffic. */
export function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return hostname === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

function certificatesIn(file: string): string {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'not readable' } = error as NodeJS.ErrnoException;
    throw new EvenkeelError('invalid-option', `--registry-ca ${file}: ${code}; pass a file with certificates as PEM`);
  }
  try {
    new X509Certificate(text);
    return text;
  } catch (cause) {
    const message = `--registry-ca ${file}: contains no certificate; pass a file with certificates as PEM`;
    throw new EvenkeelError('invalid-option', message, { cause });
  }
}

function failed({ doing, url }: HttpRequest, problem: string): EvenkeelError {
  return new EvenkeelError(
    'registry-failed',
    `${doing}: ${url.host} responds with ${problem}; check the name of the registry`,
  );
}

const untrustedCodes = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;
const temporaryCodes: readonly string[] = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'];

function unreachable({ doing, url }: HttpRequest, cause: Error): EvenkeelError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  // Some errors of connections to several addresses have no message.
  const reason = message === '' ? code : message;
  if (untrustedCodes.test(code)) {
    const text = `${doing}: cannot trust the certificate of ${url.host}: ${reason}; pass its certificate authority with --registry-ca FILE, or set NODE_EXTRA_CA_CERTS`;
    return new EvenkeelError('registry-untrusted', text, { cause });
  }
  const fix =
    code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER'
      ? 'if the registry has no TLS, pass --plain-http'
      : 'check the name of the registry and the network';
  return new EvenkeelError('registry-unreachable', `${doing}: cannot reach ${url.host}: ${reason}; ${fix}`, { cause });
}

function isTemporary(error: unknown): boolean {
  const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
  return error instanceof EvenkeelError && temporaryCodes.includes(cause?.code ?? '');
}
