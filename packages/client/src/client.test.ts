import {
  isConflict,
  isNotFound,
  Logger,
  type LogKeys,
  ManualClock,
  Metadata,
  ObjectKey,
  StatusError,
  type TransportResponse,
} from '@evenkeel/core';
import { ConfigMap, Deployment, Node, SelfSubjectAccessReview } from '@evenkeel/kinds';
import type { Verb } from './api-request.ts';
import type { Client } from './client.ts';
import type { ClientOptions } from './create-client.ts';
import { createClient } from './create-client.ts';
import { evict } from './evict.ts';
import type { RequestObservation } from './request-observation.ts';
import { review } from './review.ts';
import { type ScriptedAnswer, ScriptedTransport } from './scripted-transport.fixture.ts';

function before(answers: ScriptedAnswer[], options: ClientOptions = {}) {
  const transport = new ScriptedTransport(...answers);
  return { transport, client: createClient(transport, { clock: new ManualClock(), ...options }) };
}

const status = (code: number, reason: string, message: string): ScriptedAnswer => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message },
});

const map = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '5' },
};

describe('Client', () => {
  it('reads an object by its key, with the prototype of its class', async () => {
    const { client, transport } = before([{ body: map }, { body: map }]);
    const found = await client.get(ConfigMap, 'default/a');
    expect(found).toBeInstanceOf(ConfigMap);
    expect(found.metadata.resourceVersion).toBe('5');
    await client.get(ConfigMap, new ObjectKey('a', 'default'), { resourceVersion: '0' });
    expect(transport.paths).toEqual([
      'GET /api/v1/namespaces/default/configmaps/a',
      'GET /api/v1/namespaces/default/configmaps/a?resourceVersion=0',
    ]);
  });

  it('accepts keys without a namespace only for cluster-scoped kinds, and sends nothing otherwise', async () => {
    const { client, transport } = before([{ body: { metadata: { name: 'n' } } }]);
    await client.get(Node, 'n');
    await expect(client.get(ConfigMap, 'a')).rejects.toMatchObject({ code: 'invalid-option' });
    expect(transport.paths).toEqual(['GET /api/v1/nodes/n']);
  });

  it.each(['default/', '/', 'default/..', '../a', './a'])(
    'sends nothing for the key %j, which would be the path of a collection or another object',
    async (key) => {
      const { client, transport } = before([]);
      await expect(client.delete(ConfigMap, key)).rejects.toMatchObject({ code: 'invalid-option' });
      await expect(client.subresource(ConfigMap, key, 'status').get()).rejects.toThrow('get configmaps/status');
      expect(transport.paths).toEqual([]);
    },
  );

  it('sends no write of an object without a name, and escapes unusual names in the path', async () => {
    const { client, transport } = before([{ body: map }]);
    const nameless = { metadata: { namespace: 'default' } };
    await expect(client.update(ConfigMap, nameless)).rejects.toThrow(
      'update configmaps in default: the name of the object is missing; pass its name',
    );
    await expect(client.list(ConfigMap, { namespace: '..' })).rejects.toThrow('".." is not a valid object name');
    await client.get(ConfigMap, 'default/a/../../b?x#y');
    expect(transport.paths).toEqual(['GET /api/v1/namespaces/default/configmaps/a%2F..%2F..%2Fb%3Fx%23y']);
  });

  it('starts the message of an error with the request', async () => {
    const { client } = before([status(404, 'NotFound', 'deployments.apps "web" not found')]);
    const error = await client.get(Deployment, 'default/web').catch((thrown: unknown) => thrown);
    expect(isNotFound(error)).toBe(true);
    expect((error as Error).message).toBe('get deployments.apps default/web: deployments.apps "web" not found');
  });

  it.each([
    [
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html><body><h1>Bad Gateway</h1></body></html>' },
      502,
      'HTML page: Bad Gateway',
    ],
    [
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html><p>Log in</p>' },
      500,
      'HTML page instead of JSON: Log in',
    ],
    [{ status: 503, body: '' }, 503, 'an empty body'],
    [{ status: 200, body: 'null' }, 500, 'instead of JSON'],
    [
      { status: 200, body: '{"data":{"password":"aHVudGVyMg' },
      500,
      'the server responded with 200 and 31 characters of broken JSON',
    ],
  ])('throws a StatusError for a response that is not from the API server: %j', async (answer, code, message) => {
    const { client } = before([answer]);
    const error = await client.get(ConfigMap, 'default/a').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String(error)).not.toContain('aHVud');
  });

  it('lists all pages of one version, and completes the items', async () => {
    const item = (name: string): object => ({ metadata: { name, namespace: 'default' } });
    const { client, transport } = before([
      { body: { metadata: { resourceVersion: '9', continue: 'more' }, items: [item('a')] } },
      { body: { metadata: { resourceVersion: '9' }, items: [item('b')] } },
    ]);
    const list = await client.list(ConfigMap, { labels: { app: 'web' }, fields: { 'metadata.name': 'a,b' } });
    expect(list.resourceVersion).toBe('9');
    expect(list.items).toEqual([
      { ...item('a'), apiVersion: 'v1', kind: 'ConfigMap' },
      { ...item('b'), apiVersion: 'v1', kind: 'ConfigMap' },
    ]);
    expect(list.items[1]).toBeInstanceOf(ConfigMap);
    expect(transport.paths).toEqual([
      'GET /api/v1/configmaps?labelSelector=app%3Dweb&fieldSelector=metadata.name%3Da%5C%2Cb&limit=500',
      'GET /api/v1/configmaps?labelSelector=app%3Dweb&fieldSelector=metadata.name%3Da%5C%2Cb&limit=500&continue=more',
    ]);
  });

  it('lists everything again if the version of the pages is gone, and only follows pages if no limit is given', async () => {
    const { client, transport } = before([
      { body: { metadata: { resourceVersion: '9', continue: 'more' }, items: [map] } },
      status(410, 'Expired', 'too old'),
      { body: { metadata: { resourceVersion: '12' }, items: [map, map] } },
      { body: { metadata: { resourceVersion: '9', continue: 'more', remainingItemCount: 7 }, items: null } },
    ]);
    expect((await client.list(ConfigMap, { namespace: 'default' })).items).toHaveLength(2);
    expect(transport.paths.at(-1)).toBe('GET /api/v1/namespaces/default/configmaps');
    expect(await client.list(ConfigMap, { limit: 1 })).toEqual({
      items: [],
      resourceVersion: '9',
      continue: 'more',
      remainingItemCount: 7,
    });
  });

  it('yields watch events as they arrive, and throws an error of the server', async () => {
    const line = `${JSON.stringify({ type: 'ADDED', object: map })}\n`;
    const { client, transport } = before([
      {
        body: [
          line.slice(0, 30),
          line.slice(30),
          `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '8' } } })}\n`,
          `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } })}\n`,
        ],
      },
    ]);
    const seen: string[] = [];
    const watching = async (): Promise<void> => {
      for await (const { type, object } of client.watch(ConfigMap, { namespace: 'default', resourceVersion: '4' })) {
        seen.push(`${type} ${object.metadata.resourceVersion}`);
      }
    };
    await expect(watching()).rejects.toThrow('watch configmaps in default: too old');
    expect(seen).toEqual(['ADDED 5', 'BOOKMARK 8']);
    expect(transport.paths[0]).toBe(
      'GET /api/v1/namespaces/default/configmaps?watch=true&resourceVersion=4&allowWatchBookmarks=true',
    );
  });

  it('describes an invalid error event of a watch without its contents', async () => {
    const object = {
      kind: 'Secret',
      metadata: { name: 'db', namespace: 'default' },
      data: { password: 'aHVudGVyMg==' },
    };
    const { client } = before([{ body: [`${JSON.stringify({ type: 'ERROR', object })}\n`] }]);
    const watching = async (): Promise<void> => {
      for await (const _ of client.watch(ConfigMap, { namespace: 'default', resourceVersion: '4' })) throw new Error();
    };
    await expect(watching()).rejects.toThrow(
      /the watch sent an error that is not a Status but the Secret default\/db$/,
    );
  });

  it('requests only metadata, and sets the kind of the objects', async () => {
    const { client, transport } = before([
      { body: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: map.metadata } },
    ]);
    expect(await client.get(Metadata(ConfigMap), 'default/a')).toEqual({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: map.metadata,
    });
    expect(transport.requests[0]?.headers?.['accept']).toBe(
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    );
  });

  it('adds kind, field manager and dry run to creates and updates', async () => {
    const { client, transport } = before([{ body: map }, { body: map }], { fieldManager: 'tester' });
    await client.create(ConfigMap, { metadata: { generateName: 'a-', namespace: 'default' }, data: { x: 'y' } });
    expect(transport.sent).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'a-', namespace: 'default' },
      data: { x: 'y' },
    });
    await client.update(
      ConfigMap,
      { metadata: { name: 'a', namespace: 'default' } },
      { dryRun: true, fieldValidation: 'Strict', fieldManager: 'other' },
    );
    expect(transport.paths).toEqual([
      'POST /api/v1/namespaces/default/configmaps?fieldManager=tester',
      'PUT /api/v1/namespaces/default/configmaps/a?dryRun=All&fieldManager=other&fieldValidation=Strict',
    ]);
  });

  it.each([
    [{ merge: { data: { x: null } } }, 'application/merge-patch+json', { data: { x: null } }],
    [{ json: [{ op: 'remove', path: '/data' }] }, 'application/json-patch+json', [{ op: 'remove', path: '/data' }]],
    [{ strategic: { data: {} } }, 'application/strategic-merge-patch+json', { data: {} }],
  ] as const)('patches by %j', async (patch, contentType, body) => {
    const { client, transport } = before([{ body: map }]);
    await client.patch(ConfigMap, 'default/a', patch);
    expect(transport.paths).toEqual(['PATCH /api/v1/namespaces/default/configmaps/a']);
    expect(transport.requests[0]?.headers?.['content-type']).toBe(contentType);
    expect(transport.sent).toEqual(body);
  });

  it('applies with a field manager, and by force only on request; fails without a field manager', async () => {
    const { client, transport } = before([{ body: map }]);
    await client.apply(
      ConfigMap,
      { metadata: { name: 'a', namespace: 'default' }, data: { x: 'y' } },
      { fieldManager: 'me', force: true },
    );
    expect(transport.paths).toEqual(['PATCH /api/v1/namespaces/default/configmaps/a?fieldManager=me&force=true']);
    expect(transport.requests[0]?.headers?.['content-type']).toBe('application/apply-patch+yaml');
    expect(transport.sent).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    await expect(client.apply(ConfigMap, { metadata: { name: 'a', namespace: 'default' } })).rejects.toMatchObject({
      code: 'invalid-option',
    });
  });

  it('deletes with preconditions, and returns the object if it still exists', async () => {
    const { client, transport } = before([
      { body: { kind: 'Status', status: 'Success' } },
      { body: map },
      { body: {} },
    ]);
    expect(
      await client.delete(ConfigMap, 'default/a', { preconditions: { uid: 'u' }, propagationPolicy: 'Foreground' }),
    ).toBeUndefined();
    expect(transport.sent).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u' },
      propagationPolicy: 'Foreground',
    });
    expect(await client.delete(ConfigMap, 'default/a')).toMatchObject(map);
    await client.deleteCollection(ConfigMap, { namespace: 'default', labels: 'app' });
    expect(transport.paths.at(-1)).toBe('DELETE /api/v1/namespaces/default/configmaps?labelSelector=app');
  });

  it('reads and writes subresources with their types', async () => {
    const { client, transport } = before([
      { body: { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 3 } } },
      { body: { metadata: {} } },
    ]);
    const scale = await client.subresource(Deployment, 'default/web', 'scale').get();
    expect([scale.kind, scale.spec?.replicas]).toEqual(['Scale', 3]);
    const written = await client.subresource(Deployment, 'default/web', 'status').patch({ merge: { status: {} } });
    expect(written).toBeInstanceOf(Deployment);
    expect(transport.paths).toEqual([
      'GET /apis/apps/v1/namespaces/default/deployments/web/scale',
      'PATCH /apis/apps/v1/namespaces/default/deployments/web/status',
    ]);
  });
});

describe('retries of Client', () => {
  const busy = (code: number): ScriptedAnswer => ({ ...status(code, '', 'busy'), headers: { 'retry-after': '2' } });
  const reset = (): ScriptedAnswer => ({ error: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });

  it.each([429, 503])('repeat any request after a %d with Retry-After, including writes', async (code) => {
    const clock = new ManualClock();
    const { client, transport } = before([busy(code), busy(code), { body: map }], { clock });
    const created = client.create(ConfigMap, { metadata: { name: 'a', namespace: 'default' } });
    await clock.advance(1999);
    expect(transport.requests).toHaveLength(1);
    await clock.advance(2001);
    expect(await created).toMatchObject(map);
    expect(transport.requests).toHaveLength(3);
  });

  it('need Retry-After, and stop after 10 attempts', async () => {
    const clock = new ManualClock();
    const first = before([status(500, 'InternalError', 'broken')], { clock });
    await expect(first.client.get(ConfigMap, 'default/a')).rejects.toThrow('broken');
    const second = before(
      Array.from({ length: 20 }, () => busy(429)),
      { clock },
    );
    const rejected = expect(second.client.get(ConfigMap, 'default/a')).rejects.toThrow('busy');
    await clock.advance(100_000);
    await rejected;
    expect(second.transport.requests).toHaveLength(11);
  });

  const named = { metadata: { name: 'a', namespace: 'default' } };
  const collect = async (events: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of events);
  };
  const calls: readonly (readonly [Verb, (client: Client) => Promise<unknown>])[] = [
    ['get', (client) => client.get(ConfigMap, 'default/a')],
    ['list', (client) => client.list(ConfigMap)],
    ['watch', (client) => collect(client.watch(ConfigMap))],
    ['create', (client) => client.create(ConfigMap, named)],
    ['update', (client) => client.update(ConfigMap, named)],
    ['patch', (client) => client.patch(ConfigMap, 'default/a', { merge: {} })],
    ['apply', (client) => client.apply(ConfigMap, named, { fieldManager: 'me' })],
    ['delete', (client) => client.delete(ConfigMap, 'default/a')],
    ['deletecollection', (client) => client.deleteCollection(ConfigMap, { namespace: 'default' })],
  ];

  /** Returns how often a call sends its request if every response is this one. */
  async function sendings(call: (client: Client) => Promise<unknown>, answer: () => ScriptedAnswer): Promise<number> {
    const clock = new ManualClock();
    const { client, transport } = before(Array.from({ length: 20 }, answer), { clock });
    const failed = call(client).catch(() => undefined);
    await clock.advance(100_000);
    await failed;
    return transport.requests.length;
  }

  it.each(calls)(
    'of %s: happen after 429 and 503 with Retry-After, because the server has not started the request',
    async (_verb, call) => {
      expect(await sendings(call, () => busy(429))).toBe(11);
      expect(await sendings(call, () => busy(503))).toBe(11);
    },
  );

  it.each(calls)('of %s: do not happen without Retry-After, or after other errors', async (_verb, call) => {
    for (const code of [429, 500, 503, 504]) expect(await sendings(call, () => status(code, '', 'busy'))).toBe(1);
    for (const code of [400, 403, 404, 409, 422]) expect(await sendings(call, () => busy(code))).toBe(1);
  });

  it.each(calls)('of %s: happen after another 5xx or a broken connection only for reads', async (verb, call) => {
    const isRead = ['get', 'list', 'watch'].includes(verb);
    expect(await sendings(call, () => busy(500))).toBe(isRead ? 11 : 1);
    expect(await sendings(call, () => busy(504))).toBe(isRead ? 11 : 1);
    expect(await sendings(call, reset)).toBe(isRead ? 4 : 1);
  });

  it('do not happen if the wait is longer than a minute, or if the connection failed', async () => {
    const late = (): ScriptedAnswer => ({ ...status(429, '', 'busy'), headers: { 'retry-after': '61' } });
    const refused = (): ScriptedAnswer => ({ error: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    for (const [, call] of calls) {
      expect(await sendings(call, late)).toBe(1);
      expect(await sendings(call, refused)).toBe(1);
    }
  });

  it('repeat a read after a broken connection, but not a write, which may have arrived', async () => {
    const clock = new ManualClock();
    const read = before([reset(), { body: map }], { clock });
    const found = read.client.get(ConfigMap, 'default/a');
    await clock.advance(1000);
    expect(await found).toMatchObject(map);
    const write = before([reset(), { body: map }], { clock });
    await expect(write.client.create(ConfigMap, { metadata: { name: 'a', namespace: 'default' } })).rejects.toThrow(
      'reset',
    );
    expect(write.transport.requests).toHaveLength(1);
  });

  const abortable: readonly (readonly [string, (client: Client, signal: AbortSignal) => Promise<unknown>])[] = [
    ['get', (client, signal) => client.get(ConfigMap, 'default/a', { signal })],
    ['list', (client, signal) => client.list(ConfigMap, { signal })],
    ['watch', (client, signal) => collect(client.watch(ConfigMap, { signal }))],
    ['create', (client, signal) => client.create(ConfigMap, named, { signal })],
    ['update', (client, signal) => client.update(ConfigMap, named, { signal })],
    ['patch', (client, signal) => client.patch(ConfigMap, 'default/a', { merge: {} }, { signal })],
    ['apply', (client, signal) => client.apply(ConfigMap, named, { fieldManager: 'me', signal })],
    ['delete', (client, signal) => client.delete(ConfigMap, 'default/a', { signal })],
    ['deleteCollection', (client, signal) => client.deleteCollection(ConfigMap, { namespace: 'default', signal })],
    ['a read of a subresource', (client, signal) => client.subresource(Deployment, 'a/b', 'scale').get({ signal })],
    ['a write of one', (client, signal) => client.subresource(Deployment, 'a/b', 'scale').update({}, { signal })],
    ['a patch of one', (client, signal) => client.subresource(Deployment, 'a/b', 'x').patch({ merge: {} }, { signal })],
    ['logs', (client, signal) => collect(client.logs('default/a', { signal }))],
    ['evict()', (client, signal) => evict(client, 'default/a', { signal })],
    ['review()', (client, signal) => review(client, SelfSubjectAccessReview, {}, { signal })],
  ];

  it.each(abortable)(
    'of %s: do not start after the signal was aborted; the call rejects with its reason',
    async (_, call) => {
      const { client, transport } = before([{ body: map }]);
      await expect(call(client, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
      expect(transport.requests).toHaveLength(0);
    },
  );

  it.each(abortable)('of %s: pass the signal to the transport', async (_, call) => {
    const { client, transport } = before([status(404, 'NotFound', 'gone')]);
    const { signal } = new AbortController();
    await expect(call(client, signal)).rejects.toThrow('gone');
    expect(transport.requests.map((request) => request.signal)).toEqual([signal]);
  });

  it('stop waiting when the signal is aborted', async () => {
    const clock = new ManualClock();
    const { client, transport } = before([busy(429), { body: map }], { clock });
    const stop = new AbortController();
    const found = client.get(ConfigMap, 'default/a', { signal: stop.signal });
    await clock.advance(100);
    stop.abort(new Error('stopped'));
    await expect(found).rejects.toThrow('stopped');
    expect(transport.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});

describe('for each request', () => {
  it('observers are called once, with the request, its result and the written object', async () => {
    const observed: RequestObservation[] = [];
    const { client } = before(
      [{ body: map }, status(409, 'Conflict', 'stale'), { body: { metadata: {}, items: [] } }],
      {
        observers: [
          () => {
            throw new Error('an observer must not matter');
          },
          (observation) => observed.push(observation),
        ],
      },
    );
    await client.create(ConfigMap, { metadata: { name: 'a', namespace: 'default' } });
    await client.update(ConfigMap, { metadata: { name: 'a', namespace: 'default' } }).catch(() => undefined);
    await client.list(ConfigMap);
    expect(observed.map(({ request, status: code, attempts }) => [request.verb, request.name, code, attempts])).toEqual(
      [
        ['create', 'a', 200, 1],
        ['update', 'a', 409, 1],
        ['list', undefined, 200, 1],
      ],
    );
    expect(observed[0]?.object).toMatchObject(map);
    expect(isConflict(observed[1]?.error)).toBe(true);
    expect(observed[2]).not.toHaveProperty('object');
  });

  it('interceptors wrap each attempt in their order, and may reject it', async () => {
    const log: string[] = [];
    const { client, transport } = before([{ body: map }], {
      interceptors: [
        async (request, next): Promise<TransportResponse> => {
          log.push('outer');
          return await next({ ...request, query: { ...request.query, added: 'yes' } });
        },
        async (request, next) => {
          log.push('inner');
          if (request.verb !== 'get') throw new Error('lease lost');
          return await next(request);
        },
      ],
    });
    await client.get(ConfigMap, 'default/a');
    expect(log).toEqual(['outer', 'inner']);
    expect(transport.paths).toEqual(['GET /api/v1/namespaces/default/configmaps/a?added=yes']);
    await expect(client.delete(ConfigMap, 'default/a')).rejects.toThrow('lease lost');
    expect(transport.requests).toHaveLength(1);
  });

  it('each warning of the server is logged once', async () => {
    const warned: unknown[] = [];
    class WarningLogger extends Logger {
      debug(): void {}
      info(): void {}
      warn(_: string, keys?: LogKeys): void {
        warned.push(keys?.['warning']);
      }
      error(): void {}
      child(): Logger {
        return this;
      }
    }
    const headers = { warning: '299 - "unknown field \\"spec.x\\", ignored", 299 - "v1beta1 is old"' };
    const { client } = before(
      [
        { body: map, headers },
        { body: map, headers },
      ],
      { logger: new WarningLogger() },
    );
    await client.get(ConfigMap, 'default/a');
    await client.get(ConfigMap, 'default/a');
    expect(warned).toEqual(['unknown field "spec.x", ignored', 'v1beta1 is old']);
  });
});

describe('Client.logs', () => {
  const read = async (lines: AsyncIterable<string>): Promise<string[]> => {
    const all: string[] = [];
    for await (const line of lines) all.push(line);
    return all;
  };

  it('yields lines, including empty lines and a last line without newline', async () => {
    const { client, transport } = before([{ body: ['one\ntw', 'o\n\nth', 'ree'] }]);
    const options = { container: 'web', follow: true, tailLines: 10, timestamps: true };
    expect(await read(client.logs('default/web-0', options))).toEqual(['one', 'two', '', 'three']);
    expect(transport.paths).toEqual([
      'GET /api/v1/namespaces/default/pods/web-0/log?container=web&follow=true&tailLines=10&timestamps=true',
    ]);
  });

  it('rejects if the server returns an error', async () => {
    const { client } = before([status(404, 'NotFound', 'pods "web-0" not found')]);
    await expect(read(client.logs('default/web-0'))).rejects.toThrow(
      'get pods/log default/web-0: pods "web-0" not found',
    );
  });
});

describe('evict', () => {
  it('sends the name of the pod and the delete options', async () => {
    const { client, transport } = before([{ status: 201, body: { kind: 'Status', status: 'Success' } }]);
    await evict(client, 'default/web-0', { gracePeriodSeconds: 5, preconditions: { uid: 'u' }, dryRun: true });
    expect(transport.paths).toEqual(['POST /api/v1/namespaces/default/pods/web-0/eviction']);
    expect(transport.sent).toEqual({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'web-0', namespace: 'default' },
      deleteOptions: { gracePeriodSeconds: 5, preconditions: { uid: 'u' }, dryRun: ['All'] },
    });
  });

  it('does not retry if a disruption budget rejects it', async () => {
    const refused = { ...status(429, 'TooManyRequests', 'Cannot evict pod'), headers: { 'retry-after': '1' } };
    const { client, transport } = before([refused]);
    await expect(evict(client, 'default/web-0')).rejects.toMatchObject({ code: 429 });
    expect(transport.requests).toHaveLength(1);
  });
});

describe('review', () => {
  it('creates the review and returns its status', async () => {
    const { client, transport } = before([{ status: 201, body: { metadata: {}, status: { allowed: true } } }]);
    const resourceAttributes = { verb: 'list', group: 'apps', resource: 'deployments' };
    expect(await review(client, SelfSubjectAccessReview, { resourceAttributes })).toEqual({ allowed: true });
    expect(transport.paths).toEqual(['POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews']);
    expect(transport.sent).toMatchObject({ kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } });
  });
});
