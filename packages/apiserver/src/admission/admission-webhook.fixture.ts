import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';

// biome-ignore lint/suspicious/noExplicitAny: tests build valid and invalid reviews
export type Review = any;

/** Returns the response to a review, as an object or as text; undefined if it has responded itself or never does. */
export type Answer = (review: Review, response: ServerResponse) => unknown;

/** Admission webhooks on a socket of this process, one for each path. */
export class AdmissionWebhookServer {
  readonly caBundle: string;
  /** The reviews since the last reset. */
  readonly calls: { readonly path: string; readonly query: string; readonly review: Review }[] = [];
  /** By path; without an answer, a webhook allows everything. */
  readonly answers = new Map<string, Answer>();
  readonly #server: Server;

  /** `hosts` are the names and addresses of the certificate, which is valid for a year from `nowMs`. */
  static async open(hosts: readonly string[] = ['127.0.0.1'], nowMs = Date.now()): Promise<AdmissionWebhookServer> {
    const authority = new CertificateAuthority('admission', nowMs);
    const { certificatePem, privateKeyPem } = authority.issue({ commonName: 'admission', usage: 'server', hosts });
    const server = createServer({ cert: certificatePem, key: privateKeyPem });
    const webhooks = new AdmissionWebhookServer(server, Buffer.from(authority.certificatePem).toString('base64'));
    // On every address: a Service leads to one that is not loopback.
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return webhooks;
  }

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    this.caBundle = caBundle;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#respond(request, response));
  }

  /** The `clientConfig` of the webhook at a path. */
  config(path: string): object {
    return { url: `https://127.0.0.1:${this.port}/${path}`, caBundle: this.caBundle };
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  reset(): void {
    this.calls.length = 0;
    this.answers.clear();
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const [path = '', query = ''] = (request.url ?? '').slice(1).split('?');
      // A redirected call has no body.
      const review = JSON.parse(Buffer.concat(pieces).toString() || '{}') as Review;
      // A real server and its controllers write on their own, such as a Lease each few seconds.
      const isOwn = String(review.request?.userInfo?.username).startsWith('system:');
      if (path !== 'probe' && !isOwn) this.calls.push({ path, query, review });
      const toUsers = path === 'probe' ? deny('probed') : (this.answers.get(path) ?? allow);
      const answer = (isOwn ? allow : toUsers)(review, response);
      if (answer === undefined) return;
      response.setHeader('content-type', 'application/json');
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** An answer with these members of the response. */
export function respond(members: object): Answer {
  return (review) => ({
    kind: 'AdmissionReview',
    apiVersion: review.apiVersion,
    response: { uid: review.request?.uid, allowed: true, ...members },
  });
}

export const allow: Answer = respond({});

export function deny(message: string, status: object = {}): Answer {
  return respond({ allowed: false, status: { message, ...status } });
}

/** An answer with a JSON patch. */
export function patch(...operations: readonly object[]): Answer {
  return respond({ patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') });
}
