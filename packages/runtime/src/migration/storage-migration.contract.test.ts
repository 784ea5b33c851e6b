import { createClient } from '@evenkeel/client';
import {
  type ApiResource,
  apiResource,
  type KindClass,
  KubernetesObject,
  type LogKeys,
  SilentLogger,
  type Transport,
} from '@evenkeel/core';
import { deriveRoles, planRbac, rbacManifests } from '@evenkeel/core/rbac';
import { HurriedClock } from '@evenkeel/testing';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import { describeOnEmbeddedServer } from '../../../../test/real-server.fixture.ts';
import { createManager } from '../manager/manager.ts';
import { CountingTransport, rejection, Shops } from './migrated-shops.fixture.ts';
import { storageMigration } from './storage-migration.ts';

/** Remembers lines, and lets a test wait for some. */
class Lines extends SilentLogger {
  readonly lines: string[] = [];
  readonly #wanted: { readonly text: string; readonly found: () => void }[] = [];

  override info(message = '', keys?: LogKeys): void {
    this.#add(message, keys);
  }
  override warn(message = '', keys?: LogKeys): void {
    this.#add(message, keys);
  }
  override child(): Lines {
    return this;
  }

  until(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wanted.push({ text, found: resolve });
    if (this.lines.some((line) => line.includes(text))) resolve();
    return promise;
  }

  #add(message: string, keys: LogKeys = {}): void {
    const shown = Object.entries(keys).map(([key, value]) => ` ${key}=${String(value)}`);
    const line = `${message}${shown.join('')}`;
    this.lines.push(line);
    for (const { text, found } of this.#wanted) if (line.includes(text)) found();
  }
}

function classOf(resource: ApiResource): KindClass {
  return class Shop extends KubernetesObject {
    static readonly [apiResource] = resource;
  };
}

describeOnEveryServer('storageMigration()', (start) => {
  let backend: ApiBackend;
  let admin: Transport;
  let shops: Shops;

  beforeAll(async () => {
    backend = await start();
    admin = backend.transport();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    shops = await Shops.create(admin);
  });

  async function run(runnable: ReturnType<typeof storageMigration>, transport: Transport, logger: Lines) {
    const manager = await createManager({
      controllers: [],
      runnables: [runnable],
      transport,
      logger,
      clock: new HurriedClock({ times: 20 }),
    });
    await manager.start();
    return manager;
  }

  it('migrates in a manager with exactly the permissions that it declares, also with restricted namespaces', async () => {
    await shops.fill(3);
    await shops.store('v1');
    const migration = storageMigration(classOf(shops.v1));
    const services = planRbac(migration, ({ message }) => {
      throw new Error(message);
    });
    const roles = deriveRoles({ plans: [], services, namespaces: ['other'] });
    expect(roles.map(({ namespace, rules }) => [namespace, rules.length])).toEqual([[undefined, 5]]);
    const account = shops.v1.group;
    // The name of the operator is that of the roles, which are cluster-scoped.
    for (const { object } of rbacManifests(roles, { name: account, namespace: 'default', serviceAccount: account })) {
      if (object.kind === 'ServiceAccount') continue;
      const { kind } = object;
      const group = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false };
      await shops.client.create({ ...group, kind, plural: `${kind.toLowerCase()}s` }, object as never);
    }
    const logger = new Lines();
    const user = backend.transport(`system:serviceaccount:default:${account}`);
    const migrated = logger.until('migrated stored objects');
    const manager = await run(migration, user, logger);
    await Promise.race([migrated, logger.until('cannot')]);
    expect(await manager.stop()).toEqual({ drained: true });
    expect(logger.lines).toEqual([`migrated stored objects storageVersion=v1 rewritten=3`]);
    expect(await shops.storedVersions()).toEqual(['v1']);
  });

  it('reports objects that cannot be rewritten, and tries again', async () => {
    await shops.fill(2);
    await shops.store('v1');
    const transport = new CountingTransport(admin);
    let rejections = 0;
    transport.fault = ({ method, path }) =>
      method === 'PATCH' && path.includes('shop-1?') && rejections++ === 0
        ? rejection(422, 'Invalid', 'too red')
        : undefined;
    const logger = new Lines();
    const migrated = logger.until('migrated stored objects');
    const manager = await run(storageMigration(classOf(shops.v1), { interval: '1s' }), transport, logger);
    await migrated;
    await manager.stop();
    expect(logger.lines[0]).toMatch(
      /^cannot rewrite some stored objects; trying again .* failed=1 object=default\/shop-1/,
    );
    expect(await shops.storedVersions()).toEqual(['v1']);
  });

  it('does not stop the manager if the CRD is missing, and stops in the middle', async () => {
    const logger = new Lines();
    const warned = logger.until('cannot migrate');
    const missing = { ...shops.v1, plural: 'missing' };
    const manager = await run(storageMigration(classOf(missing)), admin, logger);
    await warned;
    expect(await manager.stop()).toEqual({ drained: true });
    expect(logger.lines[0]).toContain('code=unknown-kind');

    await shops.fill(100);
    await shops.store('v1');
    const transport = new CountingTransport(admin);
    const slow = await run(storageMigration(classOf(shops.v1), { qps: 20 }), transport, new Lines());
    await shops.until(() => transport.patches > 3);
    expect(await slow.stop()).toEqual({ drained: true });
    expect(transport.patches).toBeLessThan(100);
    expect(await shops.storedVersions()).toEqual(['v1beta1', 'v1']);
    expect(await createClient(admin).list(shops.v1)).toMatchObject({ items: { length: 100 } });
  });
});

describeOnEmbeddedServer('storageMigration()', () => {
  it('rejects invalid options', () => {
    const kind = classOf({ group: 'example.com', version: 'v1', kind: 'Shop', plural: 'shops', namespaced: true });
    expect(() => storageMigration(kind, { qps: 0 })).toThrow('storageMigration(Shop): qps must be greater than zero');
    expect(() => storageMigration(kind, { interval: '0' })).toThrow('interval must be greater than zero');
  });
});
