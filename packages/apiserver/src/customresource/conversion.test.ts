import { ManualClock } from '@evenkeel/core';
import { ApiServer } from '../api-server.ts';
import type { WebhookHandler } from '../webhook/webhook-handler.ts';
import { bookDefinition, converted, failing, type Review, webhookConversion } from './conversion-webhook.fixture.ts';

const url = 'https://convert.shop.svc:443/convert';
const service = { namespace: 'shop', name: 'convert', path: '/convert' };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const books = (version: string, rest = ''): string => `/apis/shop.io/${version}/namespaces/default/books${rest}`;

const responding =
  (answer: (review: Review) => Review): WebhookHandler =>
  async ({ body }) => ({
    status: 200,
    body: Buffer.from(JSON.stringify(answer(JSON.parse(Buffer.from(body).toString())))),
  });

describe('conversion by a function of this process', () => {
  let server: ApiServer;
  let clock: ManualClock;
  beforeEach(async () => {
    clock = new ManualClock();
    server = await ApiServer.create({ controllers: false, clock });
    const body = bookDefinition('shop.io', webhookConversion({ service }));
    expect((await send('POST', definitions, body)).status).toBe(201);
  });
  afterEach(() => server.close());

  async function send(method: string, path: string, body?: object, contentType = 'application/json') {
    const { body: stream, status } = await server.transport().request({
      method: method as 'GET',
      path,
      headers: { 'content-type': contentType },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const pieces: Uint8Array[] = [];
    for await (const piece of stream) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    return { status, text, body: text.includes('\n{') ? undefined : (JSON.parse(text) as Review) };
  }

  const create = (version: string, name: string, spec: object) =>
    send('POST', books(version), { apiVersion: `shop.io/${version}`, kind: 'Book', metadata: { name }, spec });

  it('applies to writes, reads, lists and the owners of fields', async () => {
    const sizes: number[] = [];
    server.registerWebhook(
      url,
      responding((review) => {
        sizes.push(review.request.objects.length);
        return converted(review);
      }),
    );
    expect((await create('v2', 'a', { title: 'A' })).body.spec).toEqual({ title: 'A', pages: 7 });
    await create('v1', 'b', { name: 'B' });
    await create('v1', 'c', { name: 'C' });
    expect((await send('GET', books('v1', '/a'))).body.spec).toEqual({ name: 'A', pages: 7, one: 'of v1' });
    sizes.length = 0;
    expect((await send('GET', books('v2'))).body.items.map(({ spec }: Review) => spec.title)).toEqual(['A', 'B', 'C']);
    expect(sizes).toEqual([2]);
    await send('PATCH', books('v2', '/b?fieldManager=m2'), { spec: { title: 'B2' } }, 'application/merge-patch+json');
    const applied = { apiVersion: 'shop.io/v1', kind: 'Book', metadata: { name: 'b' }, spec: { name: 'B3' } };
    const conflict = await send('PATCH', books('v1', '/b?fieldManager=m1'), applied, 'application/apply-patch+yaml');
    expect(conflict.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "m2" using shop.io/v2: .spec.title',
    );
  });

  it('sends a watch in order, and ends it at an object that cannot be converted', async () => {
    let answer = (review: Review): Review => converted(review);
    server.registerWebhook(
      url,
      responding((review) => answer(review)),
    );
    await create('v1', 'a', { name: 'A' });
    const watch = await server.transport().request({ method: 'GET', path: books('v2', '?watch=1'), headers: {} });
    const events = watch.body[Symbol.asyncIterator]();
    const next = async (): Promise<string[] | undefined> => {
      const { value, done } = await events.next();
      if (done === true) return undefined;
      const lines = Buffer.from(value).toString().trim().split('\n');
      return lines.map((line) => {
        const { type, object } = JSON.parse(line);
        return `${type} ${object.spec.title}`;
      });
    };
    expect(await next()).toEqual(['ADDED A']);
    await create('v1', 'b', { name: 'B' });
    expect(await next()).toEqual(['ADDED B']);
    answer = (review) => failing(review, undefined as never);
    await create('v1', 'c', { name: 'C' });
    expect(await next()).toBeUndefined();
    const again = await send('GET', books('v2', '?watch=1'));
    expect(again.body).toEqual({
      type: 'ERROR',
      object: expect.objectContaining({
        code: 500,
        message: 'conversion webhook for shop.io/v1, Kind=Book failed: cannot convert this',
      }),
    });
  });

  it('fails after 30 seconds, and the objects can still be deleted with their definition', async () => {
    const called = Promise.withResolvers<void>();
    server.registerWebhook(url, () => {
      called.resolve();
      return new Promise(() => undefined);
    });
    await create('v1', 'a', { name: 'A' });
    const reading = send('GET', books('v2', '/a'));
    await called.promise;
    clock.advance(30_000);
    expect((await reading).body.message).toBe(
      `conversion webhook for shop.io/v1, Kind=Book failed: Post "${url}?timeout=30s": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    );
    expect((await send('DELETE', `${definitions}/books.shop.io`)).status).toBe(200);
    expect((await send('GET', `${definitions}/books.shop.io`)).status).toBe(404);
  });

  it('computes an update again if the object changed while the webhook was called', async () => {
    server.registerWebhook(
      url,
      responding((review) => converted(review)),
    );
    await create('v1', 'a', { name: 'A' });
    let interferes = true;
    const end = server.registerWebhook(url, async (request) => {
      if (interferes) {
        interferes = false;
        const body = { metadata: { labels: { other: 'yes' } } };
        await send('PATCH', books('v1', '/a'), body, 'application/merge-patch+json');
      }
      return responding((review) => converted(review))(request);
    });
    const patch = { spec: { title: 'A2' } };
    const { body } = await send('PATCH', books('v2', '/a'), patch, 'application/merge-patch+json');
    end();
    expect([body.metadata.labels, body.spec.title]).toEqual([{ other: 'yes' }, 'A2']);
  });
});
