import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { HurriedClock } from '@evenkeel/testing';
import { migrateStorage } from './migrate-storage.ts';
import { CountingTransport, rejection, Shops } from './migrated-shops.fixture.ts';

const path = '/apis/storagemigration.k8s.io/v1beta1';
const objects = `${path}/storageversionmigrations`;

/** A server that serves StorageVersionMigration and reports these conditions, one list for each read after the creation. */
class MigratingTransport extends CountingTransport {
  readonly requests: string[] = [];
  existing: object | undefined;

  constructor(shops: CountingTransport, conditions: readonly (readonly string[])[], isAllowed = true) {
    super(shops);
    let reads = 0;
    this.fault = ({ method, path: asked, body = '' }) => {
      const [at = ''] = asked.split('?');
      if (at === path) return { status: 200, body: { resources: [{ name: 'storageversionmigrations' }] } };
      if (!at.startsWith(objects)) return undefined;
      this.requests.push(method);
      if (!isAllowed) return rejection(403, 'Forbidden', 'not allowed');
      if (method === 'DELETE') this.existing = undefined;
      if (method === 'POST') this.existing = JSON.parse(body.toString()) as object;
      if (method !== 'GET') return { status: 200, body: this.existing ?? { kind: 'Status', status: 'Success' } };
      if (this.existing === undefined) return rejection(404, 'NotFound', 'not found');
      const types = conditions[Math.min(reads++, conditions.length - 1)] ?? [];
      const status = { conditions: types.map((type) => ({ type, status: 'True' })) };
      return { status: 200, body: { ...this.existing, status } };
    };
  }
}

describe('a migration on a server with StorageVersionMigration', () => {
  let server: ApiServer;
  let shops: Shops;
  let plain: CountingTransport;

  beforeEach(async () => {
    server = await ApiServer.create({ controllers: false });
    plain = new CountingTransport(server.transport());
    shops = await Shops.create(plain);
    await shops.fill(2);
    await shops.store('v1');
  });
  afterEach(() => server.close());

  const migrate = (transport: CountingTransport) => {
    const clock = new HurriedClock();
    return migrateStorage(createClient(transport, { clock }), shops.name, { clock });
  };

  it('leaves the work to the server and waits, then removes what it created', async () => {
    const transport = new MigratingTransport(plain, [[], ['Running'], ['Running'], ['Succeeded']]);
    expect(await migrate(transport)).toMatchObject({
      outcome: 'migrated',
      by: 'server',
      rewritten: 0,
      storedVersions: { after: ['v1'] },
    });
    expect(transport.patches).toBe(0);
    expect(transport.requests).toEqual(['GET', 'POST', 'GET', 'GET', 'GET', 'GET', 'DELETE']);
    expect(await shops.storedVersions()).toEqual(['v1']);
  });

  it.each([
    ['the migration of the server fails', [['Running'], ['Failed']], true],
    ['no controller of the server works on it', [[]], true],
    ['the user must not create it', [], false],
  ])('rewrites the objects itself if %s', async (_case, conditions, isAllowed) => {
    const transport = new MigratingTransport(plain, conditions, isAllowed);
    expect(await migrate(transport)).toMatchObject({ outcome: 'migrated', by: 'evenkeel', rewritten: 2 });
    expect(transport.existing).toBeUndefined();
  });

  it('replaces one of another generation, and waits for its own', async () => {
    const other = new MigratingTransport(plain, [['Succeeded'], ['Succeeded']]);
    other.existing = { metadata: { name: shops.name, annotations: { 'evenkeel.dev/definition': 'other 1' } } };
    await migrate(other);
    expect(other.requests).toEqual(['GET', 'DELETE', 'POST', 'GET', 'DELETE']);
  });
});
