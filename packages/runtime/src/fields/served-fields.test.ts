import {
  type ApiResource,
  ManualClock,
  SilentLogger,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@evenkeel/core';
import { ServedFields } from './served-fields.ts';

const resourceOf = (kind: string, version = 'v1'): ApiResource => ({
  group: 'example.com',
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});
const sites = resourceOf('Site');
const pages = resourceOf('Page');

const fields = { 'sites.example.com/v1': ['spec.color', 'spec.text'], 'pages.example.com/v1': ['spec.text'] };

function documentOf(...kinds: string[]): string {
  const schemas = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      {
        'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind }],
        properties: { spec: { properties: { text: {} } } },
      },
    ]),
  );
  return JSON.stringify({ components: { schemas } });
}

/** A transport that returns scripted responses and keeps the requests. */
class ScriptedTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  answer: () => { status: number; text?: string; etag?: string } = () => ({ status: 404 });

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    const { status, text = '', etag } = this.answer();
    return {
      status,
      headers: etag === undefined ? {} : { etag },
      body: (async function* () {
        yield Buffer.from(text);
      })(),
    };
  }

  async close(): Promise<void> {}
}

function start() {
  const transport = new ScriptedTransport();
  const clock = new ManualClock();
  const served = new ServedFields({ fields, transport, userAgent: 'test', clock, logger: new SilentLogger() });
  expect([sites, pages, resourceOf('Other'), resourceOf('Site', 'v2')].map((kind) => served.knows(kind))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const missing = (resource: ApiResource) => served.missing(resource, new AbortController().signal);
  return { transport, clock, missing };
}

describe('ServedFields', () => {
  it('reads one document for all kinds of a group and version, with one request at a time and with its ETag', async () => {
    const { transport, clock, missing } = start();
    transport.answer = () => ({ status: 200, text: documentOf('Site', 'Page'), etag: '"1"' });
    expect(await Promise.all([missing(sites), missing(pages), missing(sites)])).toEqual([
      ['spec.color'],
      [],
      ['spec.color'],
    ]);
    expect(transport.requests.map(({ method, path, headers }) => ({ method, path, headers }))).toEqual([
      {
        method: 'GET',
        path: '/openapi/v3/apis/example.com/v1',
        headers: { accept: 'application/json', 'user-agent': 'test' },
      },
    ]);
    transport.answer = () => ({ status: 304 });
    expect(await missing(sites)).toEqual(['spec.color']);
    expect(transport.requests.at(-1)?.headers).toMatchObject({ 'if-none-match': '"1"' });
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['the server rejects the request', () => ({ status: 403, text: '{}' })],
    ['the server has no document', () => ({ status: 404 })],
    ['the response is not JSON', () => ({ status: 200, text: '<html>' })],
    ['the document does not contain the kind', () => ({ status: 200, text: documentOf('Page') })],
    ['the document is too large', () => ({ status: 200, text: ' '.repeat(33 * 1024 * 1024) })],
    [
      'there is no response',
      () => {
        throw new Error('connect ECONNREFUSED');
      },
    ],
  ])('returns undefined if %s, and recovers', async (_what, answer) => {
    const { transport, missing } = start();
    transport.answer = answer;
    expect(await missing(sites)).toBeUndefined();
    transport.answer = () => ({ status: 200, text: documentOf('Site', 'Page') });
    expect(await missing(sites)).toEqual(['spec.color']);
  });

  it('waits at most 10 s for a response', async () => {
    const { transport, clock, missing } = start();
    const asked = Promise.withResolvers<void>();
    transport.request = (request) =>
      new Promise((_resolve, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
        asked.resolve();
      });
    const answer = missing(sites);
    await asked.promise;
    await clock.advance(10_000);
    expect(await answer).toBeUndefined();
  });
});
