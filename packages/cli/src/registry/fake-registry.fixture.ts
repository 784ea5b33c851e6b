import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { digestOf } from './digest.ts';

export interface FakeRegistryOptions {
  readonly tls?: { readonly certificatePem: string; readonly privateKeyPem: string };
  /** How clients authenticate, as `user` with `secret`. Default: they need not. */
  readonly authentication?: 'basic' | 'bearer';
  /** Responds to a request instead of the registry, if it returns true. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

interface StoredManifest {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

const basic = `Basic ${Buffer.from('user:secret').toString('base64')}`;

/** A registry in this process, by the OCI distribution specification 1.1. It keeps what clients sent, and their requests. */
export class FakeRegistry {
  readonly blobs = new Map<string, Buffer>();
  readonly manifests = new Map<string, StoredManifest>();
  /** `METHOD path`, and the header `Authorization` of each. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined }[] = [];
  /** Can be replaced between requests. */
  instead: FakeRegistryOptions['instead'];
  readonly #server: Server;
  readonly #options: FakeRegistryOptions;
  readonly #uploads = new Map<string, Buffer>();
  #tokens = 0;

  private constructor(options: FakeRegistryOptions) {
    this.#options = options;
    this.instead = options.instead;
    const respond: RequestListener = (request, response) => void this.#respond(request, response);
    const { tls } = options;
    this.#server =
      tls === undefined
        ? createHttpServer(respond)
        : createHttpsServer({ cert: tls.certificatePem, key: tls.privateKeyPem }, respond);
  }

  static async start(options: FakeRegistryOptions = {}): Promise<FakeRegistry> {
    const registry = new FakeRegistry(options);
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get lines(): readonly string[] {
    return this.requests.map(({ line }) => line);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Stores a manifest under its digest and a tag. */
  put(tag: string, bytes: Buffer, mediaType: string): void {
    for (const reference of [tag, digestOf(bytes)]) this.manifests.set(reference, { bytes, mediaType });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    this.requests.push({ line: `${method} ${url}`, authorization: headers.authorization });
    if (this.instead?.(request, response) === true) return;
    const { pathname, searchParams } = new URL(url, 'http://fake');
    if (pathname === '/token') return this.#token(request, response, searchParams);
    if (!this.#isAuthorized(headers.authorization)) return this.#challenge(response);
    const [, kind = '', reference = ''] = /^\/v2\/.+\/(manifests|blobs\/uploads|blobs)\/(.*)$/.exec(pathname) ?? [];
    const body = method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : await bodyOf(request);
    if (kind === 'manifests') return this.#manifest(method, reference, body, headers['content-type'] ?? '', response);
    if (kind === 'blobs/uploads') return this.#upload(request, reference, body, searchParams.get('digest'), response);
    if (kind === 'blobs') return send(response, this.blobs.get(reference));
    response.writeHead(pathname === '/v2/' ? 200 : 404).end();
  }

  #token(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    if (request.headers.authorization !== basic && request.method === 'GET') {
      response.writeHead(401).end();
      return;
    }
    this.#tokens++;
    response.end(JSON.stringify({ token: `token-${query.get('scope')}-${this.#tokens}` }));
  }

  #isAuthorized(authorization: string | undefined): boolean {
    const { authentication } = this.#options;
    if (authentication === undefined) return true;
    return authentication === 'basic' ? authorization === basic : authorization?.startsWith('Bearer token-') === true;
  }

  #challenge(response: ServerResponse): void {
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    const wanted =
      this.#options.authentication === 'basic'
        ? 'Basic realm="Registry"'
        : `Bearer realm="${scheme}://${this.host}/token",service="fake",scope="repository:other:*"`;
    const errors = [{ code: 'UNAUTHORIZED', message: 'authentication required' }];
    response.writeHead(401, { 'www-authenticate': wanted }).end(JSON.stringify({ errors }));
  }

  #manifest(method: string, reference: string, body: Buffer, mediaType: string, response: ServerResponse): void {
    if (method === 'PUT') {
      this.put(reference, body, mediaType);
      response.writeHead(201).end();
      return;
    }
    const found = this.manifests.get(reference);
    if (found !== undefined) response.setHeader('content-type', found.mediaType);
    send(response, found?.bytes, { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] });
  }

  #upload(
    { method, url = '' }: IncomingMessage,
    session: string,
    body: Buffer,
    digest: string | null,
    response: ServerResponse,
  ): void {
    if (method === 'POST') {
      const started = `${this.#uploads.size + 1}`;
      this.#uploads.set(started, Buffer.alloc(0));
      response.writeHead(202, { location: `${url}${started}?state=a` }).end();
      return;
    }
    const content = Buffer.concat([this.#uploads.get(session) ?? Buffer.alloc(0), body]);
    this.#uploads.set(session, content);
    if (method === 'PATCH') {
      response.writeHead(202, { location: url }).end();
      return;
    }
    if (digest !== digestOf(content)) {
      const errors = [{ code: 'DIGEST_INVALID', message: 'provided digest did not match uploaded content' }];
      response.writeHead(400).end(JSON.stringify({ errors }));
      return;
    }
    this.blobs.set(digest, content);
    response.writeHead(201).end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, bytes: Buffer | undefined, missing: object = {}): void {
  if (bytes === undefined) response.writeHead(404).end(JSON.stringify(missing));
  else response.writeHead(200, { 'content-length': String(bytes.length) }).end(bytes);
}
