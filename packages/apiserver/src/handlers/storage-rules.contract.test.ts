import type { Transport } from '@evenkeel/core';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly metadata: Metadata & { readonly continue?: string; readonly remainingItemCount?: number };
    readonly items: readonly { readonly metadata: Metadata; readonly data?: Readonly<Record<string, string>> }[];
    readonly data?: Readonly<Record<string, string>>;
    readonly reason?: string;
    readonly message?: string;
  };
}

interface WatchEvent {
  readonly type: string;
  readonly object: { readonly metadata: Metadata; readonly code?: number };
}

/*
 * What etcd and the watch cache promise to clients: the list `RunTest*` of k8s.io/apiserver v0.36.3, `pkg/storage/testing`, through
 * the API. Each test names those that it corresponds to. Not here, because no request shows them: RunTestCreateWithTTL and
 * RunTestGuaranteedUpdateWithTTL (only Events have a TTL), RunTestTransformationFailure, RunTestWatchError, RunTestWatchWithUnsafeDelete
 * and RunWatchErrorIsBlockingFurtherEvents (encrypted objects that cannot be read), RunTestStats, RunTestKeySchema and
 * RunTestWatchInitializationSignal (internals), and the tests with "Suggestion" as far as they are about the cached object that a
 * caller passes. object-store.test.ts has RunTestCompactRevision and RunTestListInconsistentContinuation, because a client cannot
 * compact etcd, and api-server.test.ts has the timed RunTestWatchDispatchBookmarkEvents and RunOptionalTestProgressNotify.
 */
describeOnEveryServer('the storage', tests, { embedded: 'in process' });

function tests(start: () => Promise<ApiBackend>): void {
  let server: ApiBackend;
  let transport: Transport;
  let namespace = '';
  let maps = '';
  let tests = 0;

  beforeAll(async () => {
    server = await start();
    transport = server.transport();
  });
  beforeEach(async () => {
    namespace = `storage-${++tests}`;
    maps = `/api/v1/namespaces/${namespace}/configmaps`;
    await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  });
  afterAll(() => server?.stop());

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    contentType = 'application/json',
  ): Promise<Answer> {
    const response = await transport.request({
      method,
      path,
      headers: { accept: 'application/json', 'content-type': contentType },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) pieces.push(piece);
    return { status: response.status, body: JSON.parse(Buffer.concat(pieces).toString()) as Answer['body'] };
  }

  const create = async (name: string, labels: object = {}, path = maps): Promise<Metadata> => {
    const { status, body } = await send('POST', path, { metadata: { name, labels } });
    expect(status).toBe(201);
    return body.metadata;
  };
  const merge = (name: string, patch: object): Promise<Answer> =>
    send('PATCH', `${maps}/${name}`, patch, 'application/merge-patch+json');
  const list = (query = '', path = maps): Promise<Answer> => send('GET', `${path}?${query}`);
  const namesIn = ({ body }: Answer): readonly string[] =>
    body.items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');

  /** Reads this many events of a watch, and calls `then` after the first response bytes are requested. */
  async function watch(
    query: string,
    count: number,
    then?: () => Promise<unknown>,
    path = maps,
  ): Promise<WatchEvent[]> {
    const ended = new AbortController();
    const request = { method: 'GET', path: `${path}?watch=1&${query}`, headers: {}, signal: ended.signal } as const;
    const { body } = await transport.request(request);
    await then?.();
    const events: WatchEvent[] = [];
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      events.push(...lines.map((line) => JSON.parse(line) as WatchEvent));
      if (events.length >= count) break;
    }
    ended.abort();
    return events;
  }
  const shown = (events: readonly WatchEvent[]): string[] =>
    events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());

  // RunTestCreate, RunTestCreateWithKeyExist
  it('creates an object with a version, and only once', async () => {
    const created = await create('a');
    expect(Number(created.resourceVersion)).toBeGreaterThan(0);
    const again = await send('POST', maps, { metadata: { name: 'a' } });
    expect([again.status, again.body.reason]).toEqual([409, 'AlreadyExists']);
    expect((await send('GET', `${maps}/a`)).body.metadata).toEqual(created);
  });

  // RunTestGet
  it('reads an object at any version that exists', async () => {
    const { resourceVersion } = await create('a');
    const later = await create('b');
    for (const version of ['', '0', resourceVersion, later.resourceVersion]) {
      const { status, body } = await send('GET', `${maps}/a?resourceVersion=${version}`);
      expect([version, status, body.metadata.resourceVersion]).toEqual([version, 200, resourceVersion]);
    }
    expect((await send('GET', `${maps}/a?resourceVersion=99999999`)).status).toBe(504);
    expect((await send('GET', `${maps}/none?resourceVersion=0`)).status).toBe(404);
  });

  // RunTestUnconditionalDelete, RunTestDeleteWithSuggestionOfDeletedObject
  it('deletes an object only once', async () => {
    await create('a');
    expect((await send('DELETE', `${maps}/a`)).status).toBe(200);
    expect((await send('DELETE', `${maps}/a`)).status).toBe(404);
    expect(namesIn(await list())).toEqual([]);
  });

  // RunTestConditionalDelete, RunTestPreconditionalDelete*, RunTestDeleteWithSuggestion*, RunTestDeleteWithConflict
  it('deletes an object only in the state that the client expects', async () => {
    const { uid, resourceVersion } = await create('a');
    const { resourceVersion: changed } = (await merge('a', { data: { a: '1' } })).body.metadata;
    const remove = (preconditions: object): Promise<Answer> => send('DELETE', `${maps}/a`, { preconditions });
    for (const preconditions of [{ uid: 'other' }, { resourceVersion }, { uid, resourceVersion }]) {
      expect((await remove(preconditions)).status).toBe(409);
    }
    expect((await remove({ uid, resourceVersion: changed })).status).toBe(200);
  });

  // RunTestValidateDeletionWithSuggestion, RunTestValidateDeletionWithOnlySuggestionValid
  it('keeps an object with a finalizer until an update removes it', async () => {
    await send('POST', maps, { metadata: { name: 'a', finalizers: ['example.com/f'] } });
    expect((await send('DELETE', `${maps}/a`)).status).toBe(200);
    expect(namesIn(await list())).toEqual(['a']);
    await merge('a', { metadata: { finalizers: null } });
    expect(namesIn(await list())).toEqual([]);
  });

  // RunTestGuaranteedUpdate, RunTestGuaranteedUpdateChecksStoredData
  it('writes only what changes an object', async () => {
    const { resourceVersion } = await create('a');
    expect((await merge('a', { data: {} })).body.metadata.resourceVersion).toBe(resourceVersion);
    const changed = (await merge('a', { data: { a: '1' } })).body.metadata.resourceVersion;
    expect(Number(changed)).toBeGreaterThan(Number(resourceVersion));
    expect((await merge('none', {})).status).toBe(404);
  });

  // RunTestGuaranteedUpdateWithConflict, RunTestGuaranteedUpdateWithSuggestionAndConflict
  it('rejects an update of an old version, and repeats a patch on the new one', async () => {
    const { resourceVersion } = await create('a');
    const patches = await Promise.all(['a', 'b', 'c', 'd'].map((key) => merge('a', { data: { [key]: '1' } })));
    expect(patches.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await send('GET', `${maps}/a`)).body.data).toEqual({ a: '1', b: '1', c: '1', d: '1' });
    const stale = await send('PUT', `${maps}/a`, { metadata: { name: 'a', resourceVersion } });
    expect([stale.status, stale.body.reason]).toEqual([409, 'Conflict']);
  });

  // RunTestList, RunTestNamespaceScopedList, RunTestGetListNonRecursive, RunTestGetListRecursivePrefix
  it('lists the objects of one namespace or of all, in the order of their keys', async () => {
    const other = `${namespace}-b`;
    await send('POST', '/api/v1/namespaces', { metadata: { name: other } });
    for (const name of ['b', 'a-b', 'a']) await create(name, { in: namespace });
    await create('c', { in: namespace }, `/api/v1/namespaces/${other}/configmaps`);
    expect(namesIn(await list())).toEqual(['a', 'a-b', 'b']);
    expect(namesIn(await list('fieldSelector=metadata.name%3Da'))).toEqual(['a']);
    const everywhere = await list(`labelSelector=in%3D${namespace}`, '/api/v1/configmaps');
    // The keys end at the namespace, so that one namespace whose name starts another one comes first or last by "-" and "/".
    expect(namesIn(everywhere)).toEqual(['c', 'a', 'a-b', 'b']);
    expect(namesIn(await list(`fieldSelector=metadata.namespace%3D${other}`, '/api/v1/configmaps'))).toEqual(['c']);
  });

  // RunTestConsistentList, RunTestListResourceVersionMatch
  it('lists the state that the version asks for', async () => {
    await create('a');
    const first = (await list()).body.metadata.resourceVersion;
    await create('b');
    const match = (kind: string): string => `resourceVersion=${first}&resourceVersionMatch=${kind}`;
    expect(namesIn(await list())).toEqual(['a', 'b']);
    expect(namesIn(await list(match('Exact')))).toEqual(['a']);
    expect(namesIn(await list(`resourceVersion=${first}&limit=5`))).toEqual(['a']);
    const exact = await list(match('Exact'));
    expect(exact.body.metadata.resourceVersion).toBe(first);
    const recent = await list(match('NotOlderThan'));
    expect(Number(recent.body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(first));
    expect((await list('resourceVersion=0&resourceVersionMatch=Exact')).status).toBe(422);
    expect((await list('resourceVersion=99999999')).status).toBe(504);
  });

  // RunTestListPaging, RunTestListContinuation
  it('continues a list in the state of its first page', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    const pages: (readonly string[])[] = [];
    const versions = new Set<string>();
    let token = '';
    do {
      const page = await list(`limit=1&continue=${token}`);
      pages.push(namesIn(page));
      versions.add(page.body.metadata.resourceVersion);
      token = page.body.metadata.continue ?? '';
      if (pages.length === 2) await create('bb');
    } while (token !== '');
    expect(pages).toEqual([['a'], ['b'], ['c'], ['d']]);
    expect(versions.size).toBe(1);
  });

  // RunTestListContinuationWithFilter, RunTestListPaginationRareObject
  it('fills the pages of a list with selected objects only', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name, 'bd'.includes(name) ? { app: 'web' } : {});
    const first = await list('limit=1&labelSelector=app%3Dweb');
    expect([namesIn(first), first.body.metadata.remainingItemCount]).toEqual([['b'], undefined]);
    const second = await list(`limit=1&labelSelector=app%3Dweb&continue=${first.body.metadata.continue}`);
    // The server does not look whether an object after the page is selected.
    const third = await list(`limit=1&labelSelector=app%3Dweb&continue=${second.body.metadata.continue}`);
    expect([namesIn(second), namesIn(third), third.body.metadata.continue]).toEqual([['d'], [], undefined]);
    const rare = await list('limit=1&fieldSelector=metadata.name%3De');
    expect([namesIn(rare), rare.body.metadata.continue]).toEqual([['e'], undefined]);
  });

  // RunTestWatch
  it('reports a change of a selected object as what it is for the selection', async () => {
    const { resourceVersion } = (await list()).body.metadata;
    const events = await watch(`labelSelector=app%3Dweb&resourceVersion=${resourceVersion}`, 3, async () => {
      await create('a', { app: 'db' });
      await merge('a', { metadata: { labels: { app: 'web' } } });
      await merge('a', { data: { a: '1' } });
      await merge('a', { metadata: { labels: { app: 'db' } } });
    });
    expect(shown(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  // RunTestWatchFromZero, RunSendInitialEventsBackwardCompatibility
  it('starts a watch without a version, or from 0, with all objects', async () => {
    await create('a');
    await create('b');
    for (const query of ['', 'resourceVersion=0']) {
      const events = await watch(query, 2);
      expect(shown(events).sort()).toEqual(['ADDED a', 'ADDED b']);
    }
  });

  // RunTestWatchFromNonZero, RunTestDelayedWatchDelivery, RunTestWatchContextCancel
  it('delivers all changes after a version, in order, however late it is read', async () => {
    const { resourceVersion } = await create('a');
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    for (const name of names) await create(name);
    const events = await watch(`resourceVersion=${resourceVersion}`, names.length);
    expect(shown(events)).toEqual(names.map((name) => `ADDED ${name}`));
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  });

  // RunTestDeleteTriggerWatch, RunTestWatchDeleteEventObjectHaveLatestRV
  it('reports a deletion with its own version', async () => {
    const { resourceVersion } = await create('a');
    const [event] = await watch(`resourceVersion=${resourceVersion}`, 1, () => send('DELETE', `${maps}/a`));
    expect(event?.type).toBe('DELETED');
    expect(Number(event?.object.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
  });

  // RunTestWatcherTimeout
  it('ends a watch at its timeout', async () => {
    await create('a');
    expect(shown(await watch('timeoutSeconds=1', Number.POSITIVE_INFINITY))).toEqual(['ADDED a']);
  });

  // RunTestNamespaceScopedWatch, RunWatchListMatchSingle
  it('watches one namespace, one name, or both by selectors', async () => {
    const other = `${namespace}-b`;
    await send('POST', '/api/v1/namespaces', { metadata: { name: other } });
    const { resourceVersion } = (await list()).body.metadata;
    const change = async (): Promise<void> => {
      await create('a', {}, `/api/v1/namespaces/${other}/configmaps`);
      await create('b');
      await create('a');
    };
    const since = `resourceVersion=${resourceVersion}`;
    expect(shown(await watch(since, 2, change))).toEqual(['ADDED b', 'ADDED a']);
    expect(shown(await watch(`${since}&fieldSelector=metadata.name%3Da`, 1))).toEqual(['ADDED a']);
    const selector = `fieldSelector=metadata.namespace%3D${other}`;
    expect(shown(await watch(`${since}&${selector}`, 1, undefined, '/api/v1/configmaps'))).toEqual(['ADDED a']);
  });

  // RunTestClusterScopedWatch
  it('watches a kind without namespaces by name', async () => {
    const { resourceVersion } = (await list('', '/api/v1/namespaces')).body.metadata;
    const name = `${namespace}-x`;
    const query = `resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3D${name}`;
    const change = async (): Promise<void> => {
      await send('POST', '/api/v1/namespaces', { metadata: { name: `${name}-y` } });
      await send('POST', '/api/v1/namespaces', { metadata: { name } });
    };
    expect(shown(await watch(query, 1, change, '/api/v1/namespaces'))).toEqual([`ADDED ${name}`]);
  });

  // RunWatchSemantics, RunWatchSemanticInitialEventsExtended, RunTestOptionalWatchBookmarksWithCorrectResourceVersion
  it.each(['', '&resourceVersion=0', '&resourceVersion=1'])(
    'sends initial events, their end and later changes if they are requested%s',
    async (version) => {
      await create('a');
      const { resourceVersion } = await create('b');
      const query = `sendInitialEvents=true&resourceVersionMatch=NotOlderThan${version}`;
      const events = await watch(`${query}&allowWatchBookmarks=true`, 3);
      expect(shown(events.slice(0, 2)).sort()).toEqual(['ADDED a', 'ADDED b']);
      const { type, object } = events[2] as WatchEvent;
      expect([type, object.metadata.annotations]).toEqual(['BOOKMARK', { 'k8s.io/initial-events-end': 'true' }]);
      expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
      const withoutBookmarks = await watch(query, 3, () => create('c'));
      expect(shown(withoutBookmarks).sort()).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
    },
  );

  // RunWatchSemantics
  it.each(['', '&resourceVersion=0'])('sends no initial events if they are refused%s', async (version) => {
    await create('a');
    const query = `sendInitialEvents=false&resourceVersionMatch=NotOlderThan${version}`;
    const events = await watch(query, 1, () => create('b'));
    expect(shown(events)).toEqual(['ADDED b']);
  });
}
