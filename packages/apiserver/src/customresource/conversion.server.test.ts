import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '@evenkeel/core';
import { ownAddress } from '../../../../test/own-address.fixture.ts';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import {
  type ComparedAnswer,
  type ComparedServer,
  embeddedServer,
  normalise,
  realServer,
} from '../comparison.fixture.ts';
import {
  type Answer,
  bookDefinition,
  ConversionWebhook,
  converted,
  failing,
  inVersion,
  type Review,
  webhookConversion,
} from './conversion-webhook.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const applyType = 'application/apply-patch+yaml';
const mergeType = 'application/merge-patch+json';

const failedStatus = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'the message of a Status' };

describeWithRealServer('conversion by webhook', () => {
  let servers: readonly ComparedServer[];
  let webhook: ConversionWebhook;
  let group = '';
  let groups = 0;

  beforeAll(async () => {
    webhook = await ConversionWebhook.open();
    servers = await Promise.all([realServer(['--enable-aggregator-routing=true']), embeddedServer()]);
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    webhook.close();
  });
  beforeEach(async () => {
    webhook.answer = (review) => converted(review);
    group = `g${++groups}.example.com`;
  });

  async function define(conversion: object = webhookConversion({ url: webhook.url, caBundle: webhook.caBundle })) {
    const body = bookDefinition(group, conversion);
    for (const server of servers) {
      expect((await server.send('POST', definitions, { body })).status).toBe(201);
      await until(server, 'GET', path('v1'));
      await until(server, 'GET', path('v2'));
    }
  }

  async function until(server: ComparedServer, method: string, at: string): Promise<void> {
    await eventually(async () => expect((await server.send(method, at)).status).toBe(200));
  }

  const path = (version: string, name = '', query = ''): string =>
    `/apis/${group}/${version}/namespaces/default/books${name === '' ? '' : `/${name}`}${query}`;

  const book = (version: string, name: string, spec: object, metadata: object = {}): object => ({
    apiVersion: `${group}/${version}`,
    kind: 'Book',
    metadata: { name, ...metadata },
    spec,
  });

  /** Sends the same to both servers and expects the same responses. Returns that of the real server. */
  async function same(...request: Parameters<ComparedServer['send']>): Promise<ComparedAnswer> {
    const [real, ours] = await Promise.all(servers.map((server) => server.send(...request)));
    if (real === undefined || ours === undefined) throw new Error('two servers are compared');
    expect({ request: request.slice(0, 2), ...normalised(ours) }).toEqual({
      request: request.slice(0, 2),
      ...normalised(real),
    });
    return real;
  }

  function normalised(answer: ComparedAnswer): object {
    const text = JSON.stringify(normalise(answer));
    // Go writes the quoted object with sorted keys. Entries of the same second are in the order of their names.
    return JSON.parse(text.replace(/(Object 'Kind' is missing in ').*?'"/g, '$1<object>"'), (key, value: unknown) =>
      key === 'managedFields' && Array.isArray(value) ? value.sort(byManager) : value,
    ) as object;
  }

  const create = (version: string, name: string, spec: object, metadata: object = {}): Promise<ComparedAnswer> =>
    same('POST', path(version, '', `?fieldManager=creator-${version}`), { body: book(version, name, spec, metadata) });
  const merge = (version: string, name: string, manager: string, body: object): Promise<ComparedAnswer> =>
    same('PATCH', path(version, name, `?fieldManager=${manager}`), { body, contentType: mergeType });
  const apply = (
    version: string,
    name: string,
    manager: string,
    spec: object,
    force = false,
  ): Promise<ComparedAnswer> =>
    same('PATCH', path(version, name, `?fieldManager=${manager}${force ? '&force=true' : ''}`), {
      body: book(version, name, spec),
      contentType: applyType,
    });

  it('applies to reads and writes through each version', async () => {
    await define();
    await create('v1', 'a', { name: 'A' });
    await create('v2', 'b', { title: 'B', tags: { x: 'y' } });
    for (const version of ['v1', 'v2']) {
      for (const name of ['a', 'b']) await same('GET', path(version, name));
      await same('GET', path(version));
      await same('GET', path(version, '', '?limit=1'));
      await same('GET', path(version, '', '?labelSelector=none'));
      await same('GET', path(version), { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' });
      await same('GET', path(version), { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' });
      await same('GET', path(version, 'a'), { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' });
    }
    await same('POST', path('v2', '', '?dryRun=All'), { body: book('v2', 'dry', { title: 'D' }) });
    await merge('v2', 'a', 'm2', { spec: { title: 'A2' } });
    await same('PATCH', path('v2', 'a', '?fieldManager=m3'), {
      body: { metadata: { labels: { x: 'y' } } },
      contentType: mergeType,
    });
    await same('PATCH', `${path('v2', 'a')}/status?fieldManager=m3`, {
      body: { status: { sold: 1 } },
      contentType: mergeType,
    });
    await same('GET', path('v1', 'a'));
    await same('DELETE', path('v2', 'b'));
    await same('GET', path('v1'));
    await same('DELETE', path('v2'));
    await same('GET', path('v1'));
  });

  it('keeps the owners of fields in their versions, and finds their conflicts', async () => {
    await define();
    await create('v1', 'a', { name: 'A' });
    await merge('v2', 'a', 'm2', { spec: { title: 'A2' } });
    await apply('v2', 'a', 'm3', { title: 'A3' });
    await apply('v1', 'a', 'm4', { name: 'A4', pages: 3 });
    await apply('v1', 'a', 'm4', { name: 'A4', pages: 3 }, true);
    await apply('v2', 'a', 'm4', { title: 'A5' });
    await merge('v2', 'a', 'm5', { spec: { pages: 12 } });
    await merge('v1', 'a', 'm5', { spec: { pages: 13 } });
    await apply('v1', 'a', 'm6', { tags: { x: '1', y: '2' } });
    await apply('v2', 'a', 'm6', { tags: { y: '2' } });
    await apply('v2', 'a', 'm7', { tags: { y: '3' } });
    await same('GET', path('v1', 'a'));
    await same('GET', path('v2', 'a'));
  });

  it('drops the owners of an update if the object cannot be converted to their versions, and rejects an apply', async () => {
    await define();
    await create('v1', 'a', { name: 'A' });
    await merge('v2', 'a', 'm2', { spec: { title: 'A2' } });
    webhook.answer = failing;
    await apply('v1', 'a', 'm4', { name: 'A4' }, true);
    await merge('v1', 'a', 'm3', { spec: { name: 'A3' } });
    webhook.answer = (review) => converted(review);
    await same('GET', path('v1', 'a'));
    await merge('v2', 'a', 'm2', { spec: { title: 'A4' } });
    await apply('v2', 'a', 'm2', { title: 'A5' }, true);
    // The other version does not have the field that remains.
    webhook.answer = (review) => converted(review, (object, to) => ({ ...object, apiVersion: to }));
    await merge('v1', 'a', 'm5', { spec: { name: 'A6' } });
    await same('GET', path('v2', 'a'));
  });

  const answers: Record<string, Answer> = {
    'a failure': failing,
    'a failure without a message': (review) => withResponse(review, { result: { status: 'Failure' } }),
    'no result': (review) => withResponse(review, { result: undefined }),
    'another uid': (review) => withResponse(review, { uid: 'other' }),
    'no uid': (review) => withResponse(review, { uid: undefined }),
    'no response': (review) => ({ ...converted(review), response: undefined }),
    'a Status': (review) => ({ ...converted(review), kind: 'Status' }),
    'a failed Status': () => ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'no' }),
    'an unknown kind': (review) => ({ ...converted(review), kind: 'Foo' }),
    'no kind': (review) => ({ ...converted(review), kind: undefined }),
    'no version': (review) => ({ ...converted(review), apiVersion: undefined }),
    'an older review': (review) => ({ ...converted(review), apiVersion: 'apiextensions.k8s.io/v1beta1' }),
    'an unknown review': (review) => ({ ...converted(review), apiVersion: 'apiextensions.k8s.io/v7' }),
    'no object': (review) => withResponse(review, { convertedObjects: [] }),
    'too many objects': (review) => withResponse(review, { convertedObjects: [1, 2].map(() => objectIn(review)) }),
    'an object that is not converted': (review) => withResponse(review, { convertedObjects: review.request.objects }),
    'an object of another kind': (review) => withObject(review, (object) => ({ ...object, kind: 'Foo' })),
    'an object without a kind': (review) => withObject(review, ({ kind: _, ...object }) => object),
    'an object without a version': (review) => withObject(review, ({ apiVersion: _, ...object }) => object),
    'null as an object': (review) => withObject(review, () => null),
    'a string as an object': (review) => withObject(review, () => 'x'),
    'a list as an object': (review) => withObject(review, () => []),
    'another name': (review) => withMetadata(review, { name: 'z' }),
    'another namespace': (review) => withMetadata(review, { namespace: 'z' }),
    'no metadata': (review) => withObject(review, ({ metadata: _, ...object }) => object),
    'metadata that is a string': (review) => withObject(review, (object) => ({ ...object, metadata: 'x' })),
    'an invalid label': (review) => withMetadata(review, { labels: { 'a b': 'c' } }),
    'a label that is a number': (review) => withMetadata(review, { labels: { a: 1 } }),
    'labels that are a string': (review) => withMetadata(review, { labels: 'x' }),
    'an invalid annotation': (review) => withMetadata(review, { annotations: { 'A b': 'c' } }),
    'changed labels': (review) => withMetadata(review, { labels: { ok: 'yes' } }),
    'changed annotations': (review) => withMetadata(review, { annotations: { ok: 'yes' } }),
    'labels that are null': (review) => withMetadata(review, { labels: null }),
    'other changed metadata': (review) =>
      withMetadata(review, { finalizers: ['x.io/y'], generation: 77, resourceVersion: '5', deletionTimestamp: 'x' }),
    'a spec of another type': (review) => withObject(review, (object) => ({ ...object, spec: 'x' })),
    'an unknown field': (review) => withObject(review, (object) => ({ ...object, more: 1, spec: { more: 2 } })),
    nulls: (review) => withObject(review, (object) => ({ ...object, status: null, spec: { pages: null, tags: null } })),
    text: () => '"hello"',
    'a list': () => '[]',
    null: () => 'null',
    nothing: () => '',
    'objects that are a string': (review) => withResponse(review, { convertedObjects: 'x' }),
    'a uid that is a number': (review) => withResponse(review, { uid: 7 }),
    'a response that is a string': (review) => ({ ...converted(review), response: 'x' }),
    'a text with status 500': status(500, 'text/plain', 'oh no\n'),
    'JSON with status 500': status(500, 'application/json', '{}'),
    'a Status with status 500': status(500, 'application/json', JSON.stringify(failedStatus)),
    'status 404': status(404, 'text/plain', 'oh no\n'),
    'status 403': status(403, 'text/plain', 'oh no\n'),
    'status 429': status(429, 'text/plain', 'oh no\n'),
    'a closed connection': (_, response) => {
      response.destroy();
    },
    'half of a response': (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    },
  };

  describe('responds to', () => {
    let defined = '';

    it.each(Object.entries(answers))('%s', async (_, answer) => {
      if (defined === '') {
        await define();
        await create('v1', 'a', { name: 'A' }, { labels: { l: 'v' }, finalizers: ['example.com/f'] });
        defined = group;
      }
      group = defined;
      webhook.answer = answer;
      await same('GET', path('v2', 'a'));
      await same('POST', path('v2', '', '?dryRun=All'), { body: book('v2', 'b', { title: 'B' }) });
    });
  });

  it('rejects writes whose object cannot be converted, and lists that contain one', async () => {
    await define();
    await create('v1', 'a', { name: 'A' });
    webhook.answer = failing;
    await create('v2', 'b', { title: 'B' });
    await create('v1', 'c', { name: 'C' });
    await same('GET', path('v1'));
    await same('GET', path('v2'));
    await same('GET', path('v2', '', '?limit=1'));
    await same('GET', path('v2'), { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' });
    await same('GET', path('v2', 'c'));
    await merge('v2', 'c', 'm2', { spec: { title: 'C2' } });
    await same('DELETE', path('v2', 'c'));
    await same('DELETE', path('v1', 'c'));
    webhook.answer = (review) => converted(review);
    await same('GET', path('v1'));
    await eventually(async () => expect((await servers[0]?.send('GET', path('v2')))?.status).toBe(200));
    await same('GET', path('v2'));
  });

  it('applies to watches', async () => {
    await define();
    await create('v1', 'a', { name: 'A' });
    await create('v2', 'b', { title: 'B' });
    const watched = same('GET', path('v2', '', '?watch=1&timeoutSeconds=2'));
    const started = webhook.calls.length;
    await eventually(async () => expect(webhook.calls.length).toBeGreaterThanOrEqual(started));
    await create('v1', 'c', { name: 'C' });
    await merge('v2', 'c', 'm2', { metadata: { labels: { x: 'y' } } });
    await same('DELETE', path('v1', 'c'));
    await watched;
    await same('GET', path('v2', '', '?watch=1&timeoutSeconds=1&labelSelector=x'));
  });

  it('uses the first known version of the review', async () => {
    await define(webhookConversion({ url: webhook.url, caBundle: webhook.caBundle }, ['v9', 'v1beta1', 'v1']));
    await create('v1', 'a', { name: 'A' });
    const seen: string[] = [];
    webhook.answer = (review) => {
      seen.push(review.apiVersion);
      // An older review needs neither a uid nor a type.
      return { response: { ...converted(review).response, uid: '' } };
    };
    await same('GET', path('v2', 'a'));
    expect(new Set(seen)).toEqual(new Set(['apiextensions.k8s.io/v1beta1']));
  });

  it.each<[string, (webhook: ConversionWebhook) => object]>([
    ['a port that is closed', ({ caBundle }) => ({ url: 'https://127.0.0.1:1/convert', caBundle })],
    ['an unknown authority', ({ url }) => ({ url })],
    [
      'a name that the certificate lacks',
      ({ port, caBundle }) => ({ url: `https://localhost:${port}/convert`, caBundle }),
    ],
    [
      'a missing Service',
      ({ caBundle }) => ({ service: { namespace: 'default', name: 'none', path: '/x' }, caBundle }),
    ],
  ])('reports %s', async (_, clientConfig) => {
    await define(webhookConversion(clientConfig(webhook)));
    await create('v1', 'a', { name: 'A' });
    await same('GET', path('v2', 'a'));
  });

  it('keeps defaults and fields of the stored version if versions only differ in their name', async () => {
    await define({ strategy: 'None' });
    await create('v1', 'a', { name: 'A' });
    await create('v2', 'b', { title: 'B' });
    for (const version of ['v1', 'v2']) {
      for (const name of ['a', 'b']) await same('GET', path(version, name));
      await same('GET', path(version));
    }
    await merge('v2', 'a', 'm2', { spec: { pages: 3 } });
    await apply('v1', 'a', 'm5', { tags: null });
    await apply('v1', 'a', 'm5', { pages: null });
    await apply('v1', 'a', 'm3', { pages: 4 });
    await apply('v2', 'a', 'm3', { tags: { x: 'y' } });
    await apply('v1', 'a', 'm4', { tags: { x: 'z' } });
    await apply('v1', 'a', 'm4', { tags: { x: 'z' } }, true);
  });

  it('does not begin with invalid certificates', async () => {
    const name = `books.${group}`;
    const conversion = webhookConversion({ url: webhook.url, caBundle: 'Cg==' });
    await same('POST', definitions, { body: bookDefinition(group, conversion) });
    const conditionsOf = async (server: ComparedServer): Promise<unknown> => {
      const { body } = await server.send('GET', `${definitions}/${name}`);
      return normalise((body as Review).status);
    };
    const [real, ours] = servers as [ComparedServer, ComparedServer];
    await eventually(async () => expect(JSON.stringify(await conditionsOf(real))).toContain('InvalidCABundle'));
    expect(await conditionsOf(ours)).toEqual(await conditionsOf(real));
    const repaired = { spec: { conversion: { webhook: { clientConfig: { caBundle: webhook.caBundle } } } } };
    for (const server of servers) {
      const options = { body: repaired, contentType: mergeType };
      expect((await server.send('PATCH', `${definitions}/${name}`, options)).status).toBe(200);
    }
    await eventually(async () => expect(await conditionsOf(real)).toEqual(await conditionsOf(ours)));
    expect(JSON.stringify(await conditionsOf(ours))).toContain('InitialNamesAccepted');
    await same('PATCH', `${definitions}/${name}`, {
      body: { spec: { conversion: { webhook: { clientConfig: { caBundle: 'Cg==' } } } } },
      contentType: mergeType,
    });
  });

  it('calls a webhook behind a Service', async () => {
    const address = ownAddress();
    const at = { namespace: 'shop', name: 'convert' };
    const labels = { 'kubernetes.io/service-name': 'convert' };
    const bodies: [string, object][] = [
      ['/api/v1/namespaces', { metadata: { name: 'shop' } }],
      [
        '/api/v1/namespaces/shop/services',
        { metadata: { name: 'convert' }, spec: { ports: [{ name: 'x', port: 443 }] } },
      ],
    ];
    for (const [to, body] of bodies) await same('POST', to, { body });
    await define(webhookConversion({ service: { ...at, path: '/convert' }, caBundle: webhook.caBundle }));
    await create('v1', 'a', { name: 'A' });
    await same('GET', path('v2', 'a'));
    const slice = {
      metadata: { name: 'convert-1', labels },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: 'x', port: webhook.port, protocol: 'TCP' }],
    };
    await same('POST', '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices', { body: slice });
    for (const server of servers) await until(server, 'GET', path('v2', 'a'));
    await same('GET', path('v2', 'a'));
  });

  it('leads to the same objects and owners after random writes through both versions', async () => {
    await define();
    const seed = Number(process.env['EVENKEEL_SEED'] ?? 1);
    const random = new SeededRandom(seed);
    const pick = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
    try {
      for (const name of ['x', 'y', 'z']) await create(pick(['v1', 'v2']), name, {});
      for (let step = 0; step < 120; step++) {
        const version = pick(['v1', 'v2']);
        const text = version === 'v1' ? 'name' : 'title';
        const spec = {
          ...(random.integer(2) === 0 && { [text]: pick(['a', 'b', 'c']) }),
          ...(random.integer(2) === 0 && { pages: random.integer(3) }),
          ...(random.integer(2) === 0 && { tags: { [pick(['p', 'q', 'r'])]: pick(['1', '2']) } }),
        };
        const name = pick(['x', 'y', 'z']);
        const manager = pick(['m1', 'm2', 'm3']);
        if (random.integer(3) === 0) await merge(version, name, manager, { spec });
        else await apply(version, name, manager, spec, random.integer(2) === 0);
        if (step % 20 === 19) for (const each of ['v1', 'v2']) await same('GET', path(each));
      }
    } catch (error) {
      throw new Error(`EVENKEEL_SEED=${seed}`, { cause: error });
    }
  });

  function withResponse(review: Review, response: object): Review {
    const answer = converted(review);
    return { ...answer, response: { ...answer.response, ...response } };
  }

  function objectIn(review: Review): Review {
    return inVersion(review.request.objects[0], review.request.desiredAPIVersion);
  }

  function withObject(review: Review, change: (object: Review) => unknown): Review {
    return withResponse(review, { convertedObjects: [change(objectIn(review))] });
  }

  function withMetadata(review: Review, metadata: object): Review {
    return withObject(review, (object) => ({ ...object, metadata: { ...object.metadata, ...metadata } }));
  }
});

function byManager(a: Review, b: Review): number {
  const [left, right] = [a, b].map(
    (entry) => `${entry.manager} ${entry.operation} ${entry.apiVersion} ${entry.subresource}`,
  );
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

/** Waits for the real server, which needs a moment after a definition was written. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await delay(50);
    }
  }
}

function status(code: number, type: string, text: string): Answer {
  return (_, response) => {
    response.writeHead(code, { 'content-type': type });
    response.end(text);
  };
}
