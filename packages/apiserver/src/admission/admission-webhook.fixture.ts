import { type Answer, type Review, ReviewServer } from '../review-server.fixture.ts';

export type { Answer, Review } from '../review-server.fixture.ts';

/** Admission webhooks on a socket of this process, one for each path. */
export class AdmissionWebhookServer extends ReviewServer {
  /** The reviews since the last reset. */
  readonly calls: { readonly path: string; readonly query: string; readonly review: Review }[] = [];
  /** By path; without an answer, a webhook allows everything. */
  readonly answers = new Map<string, Answer>();

  /**
   * `hosts` are the names and addresses of the certificate, which is valid for a year from `nowMs`, and its authority for a year
   * from `authorityMs`. Listens on all addresses, because a Service leads to one that is not loopback.
   */
  static open(
    hosts: readonly string[] = ['127.0.0.1'],
    nowMs?: number,
    authorityMs?: number,
  ): Promise<AdmissionWebhookServer> {
    return new AdmissionWebhookServer(hosts, nowMs, authorityMs).listen();
  }

  /** The `clientConfig` of the webhook at a path. */
  config(path: string): object {
    return { url: `https://127.0.0.1:${this.port}/${path}`, caBundle: this.caBundle };
  }

  reset(): void {
    this.calls.length = 0;
    this.answers.clear();
  }

  protected override answerTo(review: Review, url: string): Answer {
    const [path = '', query = ''] = url.slice(1).split('?');
    // A real server and its controllers write on their own, such as a Lease each few seconds.
    const isOwn = String(review.request?.userInfo?.username).startsWith('system:');
    if (path !== 'probe' && !isOwn) this.calls.push({ path, query, review });
    if (isOwn) return allow;
    return path === 'probe' ? deny('probed') : (this.answers.get(path) ?? allow);
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
