import { type ApiRequest, type Client, createClient } from '@evenkeel/client';
import {
  CustomResource,
  isNotFound,
  KubernetesObject,
  type LogKeys,
  Metadata,
  SeededRandom,
  SilentLogger,
} from '@evenkeel/core';
import { ConfigMap, Deployment, Namespace, Secret } from '@evenkeel/kinds';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { appliedFieldsOf } from './applied-fields.ts';
import { Cache, type CacheOptions } from './cache.ts';
import type { CachedObject } from './cached-object.ts';
import type { Informer } from './informer.ts';
import { sorted, Told } from './told.fixture.ts';

/** What a handler throws, an expectation too, would only be logged. */
class ErrorLog extends SilentLogger {
  readonly errors: string[] = [];

  override error(message = '', keys: LogKeys = {}): void {
    this.errors.push(`${message}: ${String(keys['error'])}`);
  }
}

const labels = { app: 'web' };
const deployment = (name: string, namespace: string) => ({
  metadata: { name, namespace, labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
  },
});

describeOnEveryServer(
  `a cache (seed ${seed})`,
  (start, { hasWatchList }) => {
    const logger = new ErrorLog();
    const requests: ApiRequest[] = [];
    const stopped: (() => Promise<void>)[] = [];
    let backend: ApiBackend;
    let client: Client;
    let watching: Client;
    let cache: Cache;
    let informer: Informer<ConfigMap>;
    let told: Told;
    let marks = 0;

    beforeAll(async () => {
      backend = await start();
      client = createClient(backend.transport(), { fieldManager: 'tester' });
      watching = createClient(backend.transport(), { observers: [({ request }) => requests.push(request)] });
      for (const name of ['cached', 'other']) await client.create(Namespace, { metadata: { name } });
      for (const name of ['mark', 'a', 'b']) await client.create(ConfigMap, map(name, { a: '1' }));
      cache = newCache();
      informer = cache.informer(ConfigMap);
      told = new Told(informer as Informer);
      begin(cache);
      await cache.waitForSync();
    });
    afterEach(() => {
      expect([...logger.errors, ...told.mistakes]).toEqual([]);
    });
    afterAll(async () => {
      for (const stop of stopped) await stop();
      await backend?.stop();
    });

    function newCache(options: Partial<CacheOptions> = {}): Cache {
      return new Cache({ client: watching, random: new SeededRandom(seed), logger, ...options });
    }

    function begin(begun: Cache): void {
      const stop = new AbortController();
      begun.start(stop.signal);
      stopped.push(async () => {
        stop.abort();
        await begun.stopped();
      });
    }

    function map(
      name: string,
      data: Record<string, string> = {},
      of: Record<string, string> = {},
      namespace = 'cached',
    ) {
      return { metadata: { name, namespace, labels: of }, data };
    }

    /** Waits for a write that was made after everything else. */
    async function catchUp(): Promise<void> {
      const mark = await client.patch(ConfigMap, 'cached/mark', { merge: { data: { caughtUp: String(++marks) } } });
      await informer.waitForWrite('cached/mark', mark.metadata.resourceVersion ?? '');
    }

    async function expectEqualToServer(): Promise<void> {
      const { items } = await client.list(ConfigMap);
      for (const { metadata } of items) delete metadata.managedFields;
      expect(sorted(informer.lister.list())).toEqual(sorted(items));
      expect(sorted(told.state.values())).toEqual(sorted(items));
    }

    it('has all there is when it has synced, by one watch where the server can, and else by a list', async () => {
      const sync = requests.map(
        ({ verb, query }) => `${verb} ${query?.['sendInitialEvents'] ?? query?.['limit'] ?? ''}`,
      );
      if (hasWatchList) expect(sync).toEqual(['watch true']);
      else expect(sync.slice(0, 2)).toEqual(['watch true', 'list 500']);
      expect(told.log.filter((line) => /^there (a|b|mark)$/.test(line)).sort()).toEqual([
        'there a',
        'there b',
        'there mark',
      ]);
      await expectEqualToServer();
    });

    it('tells each change of an object in order, and loses none in a crowd of writers', async () => {
      const random = new SeededRandom(seed);
      const writer = async (): Promise<void> => {
        for (let step = 0; step < 40; step++) {
          const name = `crowd-${random.integer(12)}`;
          const choice = random.integer(3);
          if (choice === 2) await client.delete(ConfigMap, `cached/${name}`).catch(ignoring(isNotFound));
          else
            await client.apply(ConfigMap, map(name, { step: String(step), big: 'x'.repeat(random.integer(20_000)) }));
        }
      };
      await Promise.all(Array.from({ length: 8 }, writer));
      await catchUp();
      await expectEqualToServer();
    });

    it.each([
      ['with a watch of its own', true],
      ['as a view of the informer of all', false],
    ])('tells an object that leaves its selector as deleted, %s', async (_how, apart) => {
      const cacheOfIt = apart ? newCache() : cache;
      if (apart) begin(cacheOfIt);
      const selected = cacheOfIt.informer(Metadata(ConfigMap), { labels: { tier: 'web' }, namespaces: ['cached'] });
      const seen = new Told(selected);
      await selected.waitForSync();
      expect(cacheOfIt.watchedScopes).toBe(1);
      const name = `tiered-${apart}`;
      const created = await client.create(ConfigMap, map(name, { a: '1' }, { tier: 'web' }));
      await selected.waitForWrite(`cached/${name}`, created.metadata.resourceVersion ?? '');
      expect(selected.lister.get(`cached/${name}`)?.metadata.uid).toBe(created.metadata.uid);
      expect(Object.keys(selected.lister.get(`cached/${name}`) ?? {}).includes('data')).toBe(!apart);
      const left = await client.patch(ConfigMap, `cached/${name}`, { merge: { metadata: { labels: { tier: 'db' } } } });
      await selected.waitForDelete(`cached/${name}`, created.metadata.uid ?? '');
      expect(selected.lister.get(`cached/${name}`)).toBeUndefined();
      expect([seen.log, seen.mistakes]).toEqual([[`added ${name}`, `deleted ${name}`], []]);
      // The informer of all may have a watch of its own, which may come later.
      await informer.waitForWrite(`cached/${name}`, left.metadata.resourceVersion ?? '');
      expect(informer.lister.get(`cached/${name}`)?.metadata.labels).toEqual({ tier: 'db' });
    });

    it('holds the namespaces that are asked for, a watch each, and says so when asked outside them', async () => {
      const some = newCache();
      const lister = some.lister(ConfigMap, { namespaces: ['cached', 'other'] });
      requests.length = 0;
      begin(some);
      await some.waitForSync();
      expect(new Set(requests.map(({ namespace }) => namespace))).toEqual(new Set(['cached', 'other']));
      expect(lister.list({ namespace: 'cached' }).length).toBeGreaterThan(2);
      expect(lister.get('cached/a')?.data).toEqual({ a: '1' });
      expect(() => lister.get('default/a')).toThrow(expect.objectContaining({ code: 'outside-of-cache' }));
    });

    it('leaves to the server what a field selector selects', async () => {
      const create = (name: string, type: string) =>
        client.create(Secret, { metadata: { name, namespace: 'cached' }, type, stringData: { key: 'value' } });
      await create('plain', 'Opaque');
      await create('special', 'example.com/special');
      const some = newCache();
      const lister = some.lister(Secret, { fields: { type: 'example.com/special' } });
      begin(some);
      await some.waitForSync();
      expect(lister.list().map(({ metadata }) => metadata.name)).toEqual(['special']);
    });

    it('keeps metadata alone, or the paths that are listed, and finds by index', async () => {
      await client.create(Deployment, deployment('kept', 'cached'));
      const some = newCache({ kinds: [{ kind: Deployment, keep: ['spec.replicas'] }] });
      const whole = some.informer(Deployment, { namespaces: ['cached'] });
      const byReplicas = whole.addIndex('replicas', ({ spec }) => [String(spec?.replicas)]);
      const partial = some.lister(Metadata(Secret), { namespaces: ['cached'] });
      begin(some);
      await some.waitForSync();
      const found = byReplicas('2');
      expect(found.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([['kept', { replicas: 2 }]]);
      expect(found[0]).toBeInstanceOf(Deployment);
      expect(found[0]).not.toHaveProperty('status');
      expect(Object.isFrozen(found[0]?.metadata)).toBe(true);
      const secret = partial.get('cached/plain');
      expect(Object.keys(secret ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
      expect(secret?.metadata).not.toHaveProperty('managedFields');
      const usage = Object.fromEntries(some.usage.map(({ resource, objects }) => [resource, objects]));
      expect(usage['deployments.apps']).toBe(1);
    });

    it('keeps, of the managedFields, what the managers that were named own by their applies', async () => {
      const owner = { fieldManager: 'operator', force: true };
      await client.apply(ConfigMap, { metadata: { name: 'owned', namespace: 'cached' }, data: { mine: '1' } }, owner);
      await client.patch(ConfigMap, 'cached/owned', { merge: { data: { theirs: '2' } } });
      const some = newCache();
      some.keepAppliedFields(ConfigMap, 'operator');
      const lister = some.lister(ConfigMap, { namespaces: ['cached'] });
      begin(some);
      await some.waitForSync();
      const object = lister.get('cached/owned') as CachedObject;
      expect(object).toMatchObject({ data: { mine: '1', theirs: '2' } });
      expect(object.metadata).not.toHaveProperty('managedFields');
      expect(appliedFieldsOf(object, 'operator')?.fields).toEqual({ 'f:data': { 'f:mine': {} } });
      expect(appliedFieldsOf(object, 'tester')).toBeUndefined();
    });

    it('tells an object that was deleted and made again as both', async () => {
      await client.create(ConfigMap, map('again', { life: '1' }));
      await catchUp();
      const before = told.log.length;
      await client.delete(ConfigMap, 'cached/again');
      await client.create(ConfigMap, map('again', { life: '2' }));
      await catchUp();
      expect(told.log.slice(before).filter((line) => line.endsWith(' again'))).toEqual([
        'deleted again',
        'added again',
      ]);
      expect(informer.lister.get('cached/again')?.data).toEqual({ life: '2' });
    });

    it('says of a kind that it is forbidden, or not served, and goes on with the others', async () => {
      @CustomResource({ group: 'none.example.com', version: 'v1' })
      class Absent extends KubernetesObject {}
      const own = newCache();
      const absent = own.informer(Absent);
      const present = own.informer(ConfigMap, { namespaces: ['cached'] });
      const some = newCache({ client: createClient(backend.transport('nobody')) });
      const forbidden = some.informer(ConfigMap, { namespaces: ['cached'] });
      const problem = (of: Informer): Promise<string | undefined> =>
        new Promise((resolve) => of.onHealth((health) => resolve(health.problem?.reason)));
      const problems = [problem(absent as Informer), problem(forbidden as Informer)];
      begin(own);
      begin(some);
      expect(await Promise.all(problems)).toEqual(['missing', 'forbidden']);
      expect([absent.health.synced, forbidden.health.synced]).toEqual([false, false]);
      await present.waitForSync();
      expect(present.lister.get('cached/a')).toBeDefined();
    });
  },
  { olderToo: true },
);

function ignoring(isExpected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!isExpected(error)) throw error;
  };
}
