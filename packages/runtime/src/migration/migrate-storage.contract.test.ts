import { createClient } from '@evenkeel/client';
import { EvenkeelError, isConflict, isNotFound, type ObjectMeta, SeededRandom } from '@evenkeel/core';
import { HurriedClock } from '@evenkeel/testing';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { type MigrateStorageOptions, migrateStorage } from './migrate-storage.ts';
import { definitions } from './migrated-definition.ts';
import { CountingTransport, type Fault, rejection, Shops } from './migrated-shops.fixture.ts';
import { progressAnnotation } from './migration-progress.ts';
import type { StorageMigrationReport } from './migration-report.ts';

const oldFields = { color: { type: 'string' }, tone: { type: 'string', default: 'dark' } };
const currentFields = { size: { type: 'integer' } };

const tests = (start: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let transport: CountingTransport;
  let shops: Shops;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    const real = backend.transport();
    transport = new CountingTransport(real);
    shops = await Shops.create(real);
  });

  function migrate(options: MigrateStorageOptions = {}, name = shops.name): Promise<StorageMigrationReport> {
    const clock = new HurriedClock({ times: 20 });
    return migrateStorage(createClient(transport, { clock }), name, { clock, qps: 1e6, ...options });
  }

  /** Aborts after this many objects. */
  function interruptedAfter(objects: number): MigrateStorageOptions {
    const abort = new AbortController();
    return {
      signal: abort.signal,
      observer: ({ rewritten }) => {
        if (rewritten >= objects) abort.abort(new Error('interrupted'));
      },
    };
  }

  const withoutVersion = ({ resourceVersion, ...metadata }: ObjectMeta) => metadata;

  it('stores all objects in the storage version, so that the old version can be removed from the CRD', async () => {
    await shops.fill(30);
    await shops.store('v1');
    const before = await shops.metadata();
    const removal = () =>
      shops.change(({ spec }) => {
        spec.versions = spec.versions.filter(({ name }) => name === 'v1');
      });
    await expect(removal()).rejects.toThrow('v1beta1 was previously a storage version');
    expect(await migrate()).toEqual({
      definition: shops.name,
      kind: 'Shop',
      storageVersion: 'v1',
      storedVersions: { before: ['v1beta1', 'v1'], after: ['v1'] },
      outcome: 'migrated',
      by: 'evenkeel',
      resumed: false,
      rewritten: 30,
      gone: 0,
      failed: 0,
      failures: [],
      losses: [],
      unchecked: 0,
    });
    const after = await shops.metadata();
    for (const [name, metadata] of before) {
      const now = after.get(name) as ObjectMeta;
      // Stored again, and nothing else: managedFields, generation and times are the same.
      expect(now.resourceVersion).not.toBe(metadata.resourceVersion);
      expect(withoutVersion(now)).toEqual(withoutVersion(metadata));
    }
    const { status, metadata } = await shops.definition();
    expect(status?.storedVersions).toEqual(['v1']);
    expect(metadata.annotations?.[progressAnnotation]).toBeUndefined();
    await removal();
  });

  it('reads only the CRD if all objects are stored in the storage version', async () => {
    await shops.fill(3);
    const before = await shops.metadata();
    expect(await migrate()).toMatchObject({ outcome: 'current', rewritten: 0 });
    expect(transport.patches).toBe(0);
    expect(await shops.metadata()).toEqual(before);
  });

  it('does not store objects again that are in the storage version already', async () => {
    await shops.fill(3);
    await shops.store('v1');
    await migrate();
    const before = await shops.metadata();
    // As if somebody had restored the list.
    await shops.client
      .subresource(definitions, shops.name, 'status')
      .patch({ merge: { status: { storedVersions: ['v1beta1', 'v1'] } } } as never);
    expect(await migrate()).toMatchObject({ outcome: 'migrated', rewritten: 3 });
    expect(await shops.metadata()).toEqual(before);
  });

  it('writes nothing in a dry run', async () => {
    await shops.fill(5);
    await shops.store('v1');
    const before = await shops.metadata();
    const definition = await shops.definition();
    expect(await migrate({ dryRun: true })).toMatchObject({
      outcome: 'dry-run',
      rewritten: 5,
      storedVersions: { after: ['v1beta1', 'v1'] },
    });
    expect(await shops.metadata()).toEqual(before);
    expect(await shops.definition()).toEqual(definition);
  });

  /** Makes v1 the storage version, with another field than v1beta1. */
  const storeOtherFields = () =>
    shops.change(({ spec }) => {
      for (const version of spec.versions) {
        version.storage = version.name === 'v1';
        const fields = version.storage ? currentFields : oldFields;
        const spec = { type: 'object', properties: fields };
        version.schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      }
    });

  it('writes nothing if objects would lose fields, and names the fields and the number of objects', async () => {
    await shops.fill(3);
    await shops.client.create(shops.v1beta1, { metadata: { name: 'plain', namespace: 'default' }, spec: {} });
    await storeOtherFields();
    // It is stored in v1 already. The default of v1beta1 is no data.
    await shops.client.create(shops.v1, { metadata: { name: 'new', namespace: 'default' }, spec: { size: 1 } });
    const before = await shops.metadata();
    const colorOf = async () => ((await shops.client.get(shops.v1beta1, 'default/shop-0')) as { spec?: object }).spec;
    const losses = [
      { version: 'v1beta1', field: 'spec.color', objects: 3, example: expect.stringMatching(/^default\/shop-\d$/) },
    ];
    const refused = { losses, unchecked: 0, storedVersions: { after: ['v1beta1', 'v1'] } };
    expect(await migrate()).toMatchObject({ ...refused, outcome: 'refused', rewritten: 0 });
    expect(await migrate({ dryRun: true })).toMatchObject({ ...refused, outcome: 'dry-run', rewritten: 5 });
    expect(await shops.metadata()).toEqual(before);
    expect(await colorOf()).toMatchObject({ color: 'red' });
    expect(await migrate({ allowDataLoss: true })).toMatchObject({ outcome: 'migrated', losses, rewritten: 5 });
    expect(await colorOf()).not.toHaveProperty('color');
    expect(await shops.storedVersions()).toEqual(['v1']);
  });

  it('names the fields of an old version that is not served, whose objects cannot be read', async () => {
    await shops.fill(1);
    await storeOtherFields();
    await shops.change(({ spec }) => {
      for (const version of spec.versions) version.served = version.storage;
    });
    const losses = ['spec.color', 'spec.tone'].map((field) => ({ version: 'v1beta1', field, objects: undefined }));
    expect(await migrate()).toMatchObject({ outcome: 'refused', losses });
    expect(transport.patches).toBe(0);
  });

  it('refuses if objects cannot be checked', async () => {
    await shops.fill(2);
    await storeOtherFields();
    transport.fault = ({ method, path }) =>
      method === 'PATCH' && path.includes('/shop-1?') ? rejection(403, 'Forbidden', 'a webhook says no') : undefined;
    expect(await migrate()).toMatchObject({
      outcome: 'refused',
      losses: [{ field: 'spec.color', objects: 1, example: 'default/shop-0' }],
      unchecked: 1,
      failures: [{ object: 'default/shop-1', message: expect.stringContaining('a webhook says no') }],
    });
  });

  it('still counts the unchecked objects of an old version if the list of another one starts again', async () => {
    await shops.client.create(shops.v1beta1, { metadata: { name: 'plain', namespace: 'default' }, spec: {} });
    const { v1beta1 } = shops;
    await shops.change(({ spec }) => {
      const old = spec.versions.filter(({ name }) => name === v1beta1.version);
      spec.versions.push(...old.map((version) => ({ ...version, name: 'v1alpha1', storage: false })));
    });
    await shops.untilServed({ ...v1beta1, version: 'v1alpha1' });
    await storeOtherFields();
    await shops.client
      .subresource(definitions, shops.name, 'status')
      .patch({ merge: { status: { storedVersions: ['v1beta1', 'v1alpha1', 'v1'] } } } as never);
    let lists = 0;
    const page = {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '1', continue: 'of another server' },
      items: [{ metadata: { name: 'plain', namespace: 'default' } }],
    };
    transport.fault = ({ method, path }) => {
      const { pathname, searchParams } = new URL(path, 'http://server');
      const isOf = (version: string) => pathname.startsWith(`/apis/${v1beta1.group}/${version}/`);
      if (method === 'PATCH' && (isOf('v1beta1') || (isOf('v1alpha1') && lists === 1)))
        return rejection(403, 'Forbidden', 'a webhook says no');
      if (!isOf('v1alpha1') || !pathname.endsWith('/shops')) return undefined;
      if (searchParams.has('continue')) return rejection(400, 'BadRequest', 'the continue parameter is not valid');
      return ++lists === 1 ? { status: 200, body: page } : undefined;
    };
    expect(await migrate()).toMatchObject({
      outcome: 'refused',
      losses: [],
      unchecked: 1,
      failures: [{ object: 'default/plain', message: expect.stringContaining('a webhook says no') }],
    });
    expect(lists).toBe(2);
    expect(transport.patches).toBe(0);
  });

  it('continues in the middle after an interruption, and with an expired token', async () => {
    await shops.fill(1200);
    await shops.store('v1');
    await expect(migrate(interruptedAfter(700))).rejects.toThrow('interrupted');
    expect(await shops.storedVersions()).toEqual(['v1beta1', 'v1']);
    const first = transport.patches;
    expect(first).toBeGreaterThanOrEqual(700);
    expect(first).toBeLessThan(720);
    const progress = JSON.parse((await shops.definition()).metadata.annotations?.[progressAnnotation] ?? '{}');
    expect(progress).toMatchObject({ rewritten: 500, failed: 0 });

    transport.patches = 0;
    let isExpired = false;
    transport.fault = ({ path }) => {
      const token = new URL(path, 'http://server').searchParams.get('continue');
      if (token === null || isExpired) return undefined;
      isExpired = true;
      return rejection(410, 'Expired', 'the continue parameter is too old', { continue: token });
    };
    expect(await migrate()).toMatchObject({ outcome: 'migrated', resumed: true, rewritten: 1200 });
    expect(isExpired).toBe(true);
    expect(transport.patches).toBe(700);
    expect(await shops.storedVersions()).toEqual(['v1']);
  });

  it('starts again if the saved progress is of another generation, or cannot be used', async () => {
    await shops.fill(2);
    await shops.store('v1');
    const { generation = 0 } = (await shops.definition()).metadata;
    const saved = { generation, continue: 'bm90IGEgdG9rZW4', rewritten: 7, gone: 0, failed: 0 };
    for (const text of [
      JSON.stringify({ ...saved, generation: generation - 1 }),
      JSON.stringify(saved),
      JSON.stringify({ ...saved, rewritten: -1 }),
      '{"__proto__": {"generation": 2}}',
      '[',
    ]) {
      await shops.change(({ metadata }) => {
        metadata.annotations = { ...metadata.annotations, [progressAnnotation]: text };
      });
      await shops.client
        .subresource(definitions, shops.name, 'status')
        .patch({ merge: { status: { storedVersions: ['v1beta1', 'v1'] } } } as never);
      expect(await migrate()).toMatchObject({ outcome: 'migrated', rewritten: 2 });
    }
  });

  it('keeps storedVersions if the storage version changes during the migration', async () => {
    await shops.fill(20);
    await shops.store('v1');
    let changing: Promise<void> | undefined;
    const change = async () => {
      await shops.store('v1beta1');
      await shops.store('v1');
    };
    const before = transport.request.bind(transport);
    transport.request = async (request) => {
      if (request.method === 'PATCH' && request.body === '{}') {
        changing ??= change();
        await changing;
      }
      return before(request);
    };
    await expect(migrate()).rejects.toMatchObject({
      code: 'storage-version-changed',
      message: expect.stringContaining('status.storedVersions stays [v1beta1, v1]; run the migration again'),
    });
    expect(await shops.storedVersions()).toEqual(['v1beta1', 'v1']);
  });

  it('keeps storedVersions if objects fail, lists 20 of them, and starts again next time', async () => {
    await shops.fill(25, 'bad');
    await shops.fill(5);
    await shops.store('v1');
    transport.fault = ({ method, path }) =>
      method === 'PATCH' && path.includes('/bad-') ? rejection(422, 'Invalid', 'spec.color: too red') : undefined;
    const report = await migrate();
    expect(report).toMatchObject({
      outcome: 'failed',
      rewritten: 5,
      failed: 25,
      storedVersions: { after: ['v1beta1', 'v1'] },
    });
    expect(report.failures).toHaveLength(20);
    expect(report.failures[0]).toEqual({
      object: expect.stringMatching(/^default\/bad-\d+$/),
      message: expect.stringContaining('spec.color: too red'),
    });
    expect(await shops.storedVersions()).toEqual(['v1beta1', 'v1']);
    transport.fault = () => undefined;
    expect(await migrate()).toMatchObject({ outcome: 'migrated', resumed: false, rewritten: 30 });
  });

  it('counts objects that are deleted before their turn', async () => {
    await shops.fill(4);
    await shops.store('v1');
    const before = transport.request.bind(transport);
    transport.request = async (request) => {
      const name = /shops\/(shop-[02])\?/.exec(request.path)?.[1];
      if (request.method === 'PATCH' && name !== undefined) await shops.client.delete(shops.v1, `default/${name}`);
      return before(request);
    };
    expect(await migrate()).toMatchObject({ outcome: 'migrated', rewritten: 2, gone: 2 });
  });

  it('refuses a CRD that does not exist, is being deleted, or whose storage version is not served', async () => {
    await expect(migrate({}, 'shopz.example.com')).rejects.toMatchObject({
      code: 'unknown-kind',
      message:
        'migrate shopz.example.com: the cluster has no CRD of this name; install it first, or check the name with "kubectl get crd"',
    });
    await shops.change(({ spec }) => {
      for (const version of spec.versions) {
        version.storage = version.name === 'v1';
        version.served = version.name !== 'v1';
      }
    });
    await expect(migrate()).rejects.toMatchObject({
      code: 'migration-refused',
      message: expect.stringContaining('its storage version v1 is not served'),
    });
    await shops.change(({ metadata }) => {
      metadata.finalizers = ['example.com/hold'];
    });
    await shops.client.delete(definitions, shops.name);
    await expect(migrate()).rejects.toMatchObject({
      code: 'migration-refused',
      message: expect.stringContaining('the CRD is being deleted'),
    });
  });

  it('refuses before the first write if a permission is missing', async () => {
    await shops.fill(1);
    await shops.store('v1');
    const clusterRole = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false };
    const name = shops.name;
    await shops.client.create({ ...clusterRole, kind: 'ClusterRole', plural: 'clusterroles' }, {
      metadata: { name },
      rules: [
        { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get'] },
        { apiGroups: [shops.v1.group], resources: ['shops'], verbs: ['list'] },
        { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] },
      ],
    } as never);
    await shops.client.create({ ...clusterRole, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings' }, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
    } as never);
    transport = new CountingTransport(backend.transport('reader'));
    await expect(migrate()).rejects.toMatchObject({
      code: 'migration-refused',
      message: `migrate ${name}: the user of this connection must not patch ${name}, patch customresourcedefinitions.apiextensions.k8s.io/status in the whole cluster; grant these permissions with a ClusterRole, or use another user`,
    });
    expect(transport.patches).toBe(0);
  });

  it('stores everything in the new version with concurrent writers, faults and crashes', async () => {
    const random = new SeededRandom(seed);
    await shops.fill(600);
    await shops.store('v1');
    const before = await shops.metadata();
    transport.fault = (): Fault => {
      switch (random.integer(60)) {
        case 0:
          return rejection(500, 'InternalError', 'a fault');
        case 1:
          return rejection(503, 'ServiceUnavailable', 'a fault');
        case 2:
          return rejection(409, 'Conflict', 'a fault');
        case 3:
          return new EvenkeelError('cluster-unreachable', 'socket hang up');
        case 4:
          return random.integer(20) === 0 ? rejection(410, 'Expired', 'a fault') : undefined;
        default:
          return undefined;
      }
    };
    const over = new AbortController();
    const writing = write(random, over.signal);
    let outcome = 'none';
    let crashes = 0;
    for (let run = 0; run < 100 && outcome !== 'migrated'; run++) {
      const options = run < 3 ? interruptedAfter(random.integer(600)) : {};
      try {
        ({ outcome } = await migrate(options));
      } catch (error) {
        // A fault that is not repeated, or the crash.
        crashes++;
        if (!/a fault|socket hang up|interrupted/.test(String(error))) throw error;
      }
    }
    over.abort();
    await writing;
    expect(outcome).toBe('migrated');
    expect(crashes).toBeGreaterThan(0);
    expect(await shops.storedVersions()).toEqual(['v1']);
    const after = await shops.metadata();
    // Each write since the change of the storage version is in v1.
    const missed = [...before].filter(([name, { resourceVersion, uid }]) => {
      const now = after.get(name);
      return now !== undefined && now.uid === uid && now.resourceVersion === resourceVersion;
    });
    expect(missed).toEqual([]);
    await shops.change(({ spec }) => {
      spec.versions = spec.versions.filter(({ name }) => name === 'v1');
    });
  });

  /** Creates, changes and deletes shops through both versions, until the signal is aborted or 1,000 times. */
  async function write(random: SeededRandom, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < 1000 && !signal.aborted; at++) {
      // In process, a request takes no turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      const version = random.integer(2) === 0 ? shops.v1 : shops.v1beta1;
      const key = `default/shop-${random.integer(600)}`;
      try {
        const kind = random.integer(4);
        if (kind === 0) await shops.add(`new-${at}`);
        else if (kind === 1) await shops.client.delete(version, key);
        else await shops.client.patch(version, key, { merge: { spec: { color: `red-${at}` } } });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }
};

describeOnEveryServer(`migrateStorage() (seed ${seed})`, tests, { embedded: 'over HTTPS' });
