import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';

// biome-ignore lint/suspicious/noExplicitAny: tests build valid and invalid reviews
export type Review = any;

/** Returns the response to a review, as an object or as text; undefined if it has responded itself or never does. */
export type Answer = (review: Review, response: ServerResponse) => unknown;

const yearMs = 365 * 24 * 3_600_000;

/** Responds to the reviews of webhooks over HTTPS, on a socket of this process. */
export abstract class ReviewServer {
  readonly caBundle: string;
  readonly #server: Server;

  /**
   * `hosts` are the names and addresses of its certificate, which is valid for a year from `nowMs`. Its authority is valid for a
   * year from `authorityMs`.
   */
  protected constructor(hosts: readonly string[], nowMs = Date.now(), authorityMs = nowMs) {
    const trusted = new CertificateAuthority('webhook', authorityMs);
    // The same authority with other times, because an authority does not sign certificates that expire after it.
    const signing = new CertificateAuthority('webhook', nowMs, yearMs, {
      certificatePem: trusted.certificatePem,
      privateKeyPem: trusted.privateKeyPem,
    });
    const { certificatePem, privateKeyPem } = signing.issue({ commonName: 'webhook', usage: 'server', hosts });
    this.caBundle = Buffer.from(trusted.certificatePem).toString('base64');
    this.#server = createServer({ cert: certificatePem, key: privateKeyPem });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#respond(request, response),
    );
  }

  /** Returns the answer to a review that was sent to `url`, the path and the query. */
  protected abstract answerTo(review: Review, url: string, response: ServerResponse): Answer;

  /** Default: on all addresses of this machine. */
  protected async listen(host?: string): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      // A redirected call has no body.
      const review = JSON.parse(Buffer.concat(pieces).toString() || '{}') as Review;
      const answer = this.answerTo(review, request.url ?? '', response)(review, response);
      if (answer === undefined) return;
      response.setHeader('content-type', 'application/json');
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  }
}
