import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { readBounded, type WebhookAnswer, type WebhookCall } from '@evenkeel/core';
import { callOf, type OpenDoor, type WebhookDoor } from './webhook-door.ts';

/** The largest review that an API server sends: that of a conversion. */
const mostBytes = 64 * 1024 * 1024;

/**
 * A listener with a certificate that exists only as long as it is open. An API server on this machine reaches it at the loopback
 * interface, another one at the address of this machine that it can see.
 */
export class HttpsDoor implements WebhookDoor {
  readonly #host: () => Promise<string>;
  readonly #nowMs: () => number;

  /** @param host the address to listen on, without brackets. */
  constructor(host: () => Promise<string>, nowMs: () => number) {
    this.#host = host;
    this.#nowMs = nowMs;
  }

  async open(paths: readonly string[], handle: (call: WebhookCall) => Promise<WebhookAnswer>): Promise<OpenDoor> {
    const host = await this.#host();
    const authority = new CertificateAuthority('evenkeel-session', this.#nowMs());
    const { certificatePem, privateKeyPem } = authority.issue({
      ...{ commonName: 'evenkeel-session', usage: 'server', hosts: [host] },
    });
    const known = new Set(paths);
    const server = createServer(
      { cert: certificatePem, key: privateKeyPem, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] },
      (request, response) => void respond(request, response, known, handle),
    );
    await listening(server, host);
    const { port } = server.address() as AddressInfo;
    const base = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const caBundle = Buffer.from(authority.certificatePem).toString('base64');
    return {
      clientConfigOf: (path) => ({ url: `${base}${path}`, caBundle }),
      close: async () => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
      },
    };
  }
}

function listening(server: Server, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => {
      // A test may end while it is open.
      server.unref();
      resolve();
    });
  });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  paths: ReadonlySet<string>,
  handle: (call: WebhookCall) => Promise<WebhookAnswer>,
): Promise<void> {
  const { url = '/' } = request;
  const path = url.split('?')[0] ?? '';
  if (request.method !== 'POST' || !paths.has(path)) {
    response.writeHead(404).end();
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the client has gone')));
  try {
    const body = await readBounded(request as AsyncIterable<Uint8Array>, mostBytes);
    if (body === undefined) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const contentType = request.headers['content-type'];
    const answer = await handle(callOf(path, url, { contentType, body, signal: gone.signal }));
    response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body);
  } catch {
    response.destroy();
  }
}
