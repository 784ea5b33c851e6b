import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { EvenkeelError } from '@evenkeel/core';
import { authorizationFor, type RegistryAccess } from './authentication.ts';
import { digestOf } from './digest.ts';
import { fullName, type ImageReference } from './image-reference.ts';
import { type Descriptor, invalid, manifestBytesMax } from './manifest.ts';
import { acceptedManifests, mediaTypes } from './media-types.ts';
import { registryFailure } from './registry-failure.ts';
import { type HttpRequest, RegistryHttp, type RegistryHttpOptions } from './registry-http.ts';
import { readBounded } from './response-body.ts';

/** Bytes, or the path of a file with them. */
export type BlobContent = Buffer | string;

export interface RegistryClientOptions extends RegistryHttpOptions {
  /** Larger blobs are uploaded in parts of this size, because proxies limit bodies. Default: 32 MiB. */
  readonly chunkBytes?: number;
}

type Request = Omit<HttpRequest, 'url' | 'doing'> & { readonly path: string | URL };

/** A repository of a registry, by the OCI distribution specification 1.1. */
export class RegistryClient {
  readonly #image: ImageReference;
  readonly #access: RegistryAccess;
  readonly #http: RegistryHttp;
  readonly #options: RegistryClientOptions;
  readonly #doing: string;
  #authorization: Promise<string> | undefined;

  /** @param access the access for which a token is requested. */
  constructor(image: ImageReference, access: RegistryAccess, options: RegistryClientOptions) {
    this.#image = image;
    this.#access = access;
    this.#options = options;
    this.#http = new RegistryHttp(options);
    this.#doing = `${access === 'pull' ? 'pull' : 'push'} ${fullName(image)}`;
  }

  close(): void {
    this.#http.close();
  }

  /**
   * Returns the bytes of a manifest or index. A digest is verified. Throws `image-not-found` for an unknown tag.
   *
   * @param reference a tag or a digest.
   */
  async manifest(reference: string): Promise<Buffer> {
    const headers = { accept: acceptedManifests.join(', ') };
    const response = await this.#request({ method: 'GET', path: `manifests/${reference}`, headers });
    if (response.statusCode !== 200) throw await this.#failure(response);
    const bytes = await readBounded(response, manifestBytesMax, this.#doing);
    if (reference.startsWith('sha256:') && digestOf(bytes) !== reference)
      throw invalid(fullName(this.#image), `the registry returned other content than ${reference}`);
    return bytes;
  }

  /** Returns the response with the content of a blob, which is not verified yet. */
  async blob({ digest }: Descriptor): Promise<IncomingMessage> {
    const response = await this.#request({ method: 'GET', path: `blobs/${digest}` });
    if (response.statusCode !== 200) throw await this.#failure(response);
    return response;
  }

  async hasBlob({ digest, size }: Descriptor): Promise<boolean> {
    const response = await this.#request({ method: 'HEAD', path: `blobs/${digest}` });
    response.resume();
    const { statusCode = 0 } = response;
    if (statusCode === 404) return false;
    // A redirect to a store of blobs, whose signed address may allow only GET.
    if (statusCode >= 300 && statusCode < 400) return true;
    if (statusCode !== 200) throw await this.#failure(response);
    return response.headers['content-length'] === String(size);
  }

  /** Uploads a blob: whole, or in parts if it is large. If the registry fails, starts again up to two times. */
  async putBlob(descriptor: Descriptor, content: BlobContent): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#uploaded(descriptor, content);
      if (response.statusCode === 201) {
        response.resume();
        return;
      }
      if (attempt === 3 || (response.statusCode ?? 0) < 500) throw await this.#failure(response);
      response.resume();
    }
  }

  async #uploaded({ digest, size }: Descriptor, content: BlobContent): Promise<IncomingMessage> {
    const started = await this.#request({ method: 'POST', path: 'blobs/uploads/' });
    if (started.statusCode !== 202) return started;
    started.resume();
    const headers = { 'content-type': 'application/octet-stream' };
    const least = Number(started.headers['oci-chunk-min-length'] ?? 0);
    const chunkBytes = Math.max(this.#options.chunkBytes ?? 32 * 1024 * 1024, Number.isSafeInteger(least) ? least : 0);
    let session = await this.#locationOf(started);
    let sent = 0;
    while (size > chunkBytes && sent < size) {
      const length = Math.min(chunkBytes, size - sent);
      const range = { ...headers, 'content-range': `${sent}-${sent + length - 1}` };
      const body = bodyOf(content, sent, length);
      const response = await this.#request({ method: 'PATCH', path: session, headers: range, body, attempts: 1 });
      if (response.statusCode !== 202) return response;
      response.resume();
      session = await this.#locationOf(response);
      sent += length;
    }
    session.searchParams.set('digest', digest);
    const body = bodyOf(content, sent, size - sent);
    return this.#request({ method: 'PUT', path: session, headers, body, attempts: 1 });
  }

  /** Stores a manifest. Resolves to whether the registry lists it as a referrer of its subject, if it has one. */
  async putManifest(reference: string, bytes: Buffer, mediaType: string): Promise<boolean> {
    const headers = { 'content-type': mediaType };
    const body = bodyOf(bytes, 0, bytes.length);
    const response = await this.#request({ method: 'PUT', path: `manifests/${reference}`, headers, body });
    if (response.statusCode !== 201) throw await this.#failure(response);
    response.resume();
    return response.headers['oci-subject'] !== undefined;
  }

  /** Returns the index with a tag; undefined if there is none. */
  async indexIfExists(tag: string): Promise<Buffer | undefined> {
    const headers = { accept: mediaTypes.index };
    const response = await this.#request({ method: 'GET', path: `manifests/${tag}`, headers });
    if (response.statusCode === 200) return readBounded(response, manifestBytesMax, this.#doing);
    if (response.statusCode !== 404) throw await this.#failure(response);
    response.resume();
    return undefined;
  }

  /** Sends a request, and authenticates if the registry asks for it. */
  async #request({ path, headers = {}, ...request }: Request): Promise<IncomingMessage> {
    const base = await this.#http.baseOf(this.#image.registry);
    const url = path instanceof URL ? path : new URL(`${this.#image.repository}/${path}`, base);
    const send = async (authorization: string | undefined): Promise<IncomingMessage> => {
      // Some registries let clients upload to another host.
      const isOwn = url.origin === base.origin;
      const authorized: Record<string, string> = authorization === undefined || !isOwn ? {} : { authorization };
      return this.#http.send({ ...request, url, headers: { ...headers, ...authorized }, doing: this.#doing });
    };
    const used = this.#authorization;
    const response = await send(await used);
    if (response.statusCode !== 401) return response;
    // Tokens expire. Parallel requests share the new one.
    if (used === this.#authorization) this.#authorization = this.#authenticate(response, base);
    else response.resume();
    return send(await this.#authorization);
  }

  #authenticate(rejection: IncomingMessage, base: URL): Promise<string> {
    const request = { image: this.#image, access: this.#access, base, doing: this.#doing };
    return authorizationFor(rejection, request, this.#http, this.#options.env);
  }

  async #locationOf(response: IncomingMessage): Promise<URL> {
    const base = await this.#http.baseOf(this.#image.registry);
    const url = URL.parse(response.headers.location ?? '', base.href);
    if (url !== null && (url.protocol === 'https:' || url.protocol === base.protocol)) return url;
    const text = `${this.#doing}: ${base.host} returned an invalid address for the upload; ask the owner of the registry`;
    throw new EvenkeelError('registry-failed', text);
  }

  #failure(response: IncomingMessage): Promise<EvenkeelError> {
    return registryFailure(response, { doing: this.#doing, registry: this.#image.registry });
  }
}

function bodyOf(content: BlobContent, start: number, size: number): NonNullable<HttpRequest['body']> {
  const end = start + size;
  return {
    size,
    open: () => {
      if (size === 0) return Readable.from([]);
      return typeof content === 'string'
        ? createReadStream(content, { start, end: end - 1 })
        : Readable.from([content.subarray(start, end)]);
    },
  };
}
