import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@evenkeel/client';
import { SeededRandom } from '@evenkeel/core';
import { ConfigMap, Deployment } from '@evenkeel/kinds';
import { eventually } from '@evenkeel/testing';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { type Fault, FaultProxy } from '../fault-proxy.fixture.ts';
import { seed } from '../seed.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';
import { OperatorProcess, writeKubeconfig } from './operator-process.fixture.ts';
import { Site } from './site-operator.fixture.ts';

const namespace = 'default';
const timeout = '60s';

/** One request in ten fails, and the connections of the first four watches are cut; there is a wait after each. */
function faultsAtRandom(random: SeededRandom): FaultProxy['faultFor'] {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 500,
    reason: 'InternalError',
  };
  const faults: readonly Fault[] = [
    { answer: { status: 500, body: JSON.stringify(status) } },
    { isReset: true },
    { cutAfterBytes: 0 },
  ];
  let cuts = 0;
  return ({ isWatch }) => {
    if (!isWatch) return faults[random.integer(30)];
    return ++cuts > 4 ? undefined : { cutAfterBytes: 1 + random.integer(10_000) };
  };
}

const tests = (start: () => Promise<ApiBackend>): void => {
  let proxy: FaultProxy;
  let folder: string;
  let backend: ApiBackend;
  let client: Client;
  let operator: OperatorProcess;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
    await installSites(client);
    proxy = await FaultProxy.start(backend.transport());
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-growth-'));
    operator = new OperatorProcess(await writeKubeconfig(folder, proxy.connection.server), ['--namespaces', namespace]);
    await operator.line('controller started');
  });

  afterAll(async () => {
    operator.send('SIGTERM');
    expect(await operator.exit).toBe(0);
    await proxy.close();
    await rm(folder, { recursive: true });
    await backend.stop();
  });

  const create = (name: string): Promise<unknown> =>
    client.create(Site, { metadata: { name, namespace }, spec: { pages: ['a', 'b'], text: name } } as never);

  const settled = (): Promise<void> =>
    eventually(
      async () => {
        for (const { metadata, status } of (await client.list(Site, { namespace })).items) {
          expect(status?.observedGeneration).toBe(metadata.generation);
        }
      },
      { timeout },
    );

  /** Runs the life of this many sites concurrently, with all types of faults. Returns the number of requests with a fault. */
  async function live(count: number): Promise<number> {
    let met = 0;
    const faultFor = faultsAtRandom(new SeededRandom(seed));
    proxy.faultFor = (request) => {
      const fault = faultFor(request);
      if (fault !== undefined) met++;
      return fault;
    };
    // Later ones are cut.
    proxy.destroyWatches();
    const names = Array.from({ length: count }, (_, at) => `site-${at}`);
    await Promise.all(names.map(create));
    await settled();
    await Promise.all(names.map((name) => client.delete(Site, `${namespace}/${name}`)));
    await eventually(async () => expect((await client.list(Site, { namespace })).items).toEqual([]), { timeout });
    proxy.faultFor = () => undefined;
    // There is no garbage collector here.
    for (const kind of [ConfigMap, Deployment]) await client.deleteCollection(kind, { namespace });
    return met;
  }

  it('releases deleted objects, however many there were', async () => {
    const nothing = { Site: 0, ConfigMap: 0, AppliedChild: 0, RunContext: 0 };
    await live(10);
    const few = await eventually(
      async () => {
        const counted = await operator.count();
        expect(counted.held).toMatchObject(nothing);
        return counted;
      },
      { timeout },
    );
    expect(await live(80)).toBeGreaterThan(40);
    // There are three watched kinds; the other watches were restarted after a cut.
    expect(proxy.requests.filter((request) => request.includes('watch=true')).length).toBeGreaterThan(10);
    await eventually(
      async () => {
        const { held, heap } = await operator.count();
        expect(held).toMatchObject(nothing);
        // The last object of each worker, and the data of kept connections, which may have become slightly more.
        for (const kind of ['Trigger', 'RunWrites', 'AbortSignal', 'Map']) {
          expect({ kind, grown: (held[kind] ?? 0) - (few.held[kind] ?? 0) < 20 }).toEqual({ kind, grown: true });
        }
        // Series of Events and queue entries remain for a while, up to a maximum number.
        expect(heap - few.heap).toBeLessThan(2_000_000);
      },
      { timeout },
    );
  });

  it('releases deleted children whose owner still exists', async () => {
    await create('lasting');
    for (let at = 0; at < 30; at++) {
      await client.patch(Site, `${namespace}/lasting`, { merge: { spec: { pages: [`page-${at}`] } } });
      await settled();
    }
    // A deleted object is released when the watch reports it, and the watch may be cut for a while.
    await eventually(async () => expect((await operator.count()).held['AppliedChild']).toBeLessThan(20), { timeout });
  });
};

describeOnEveryServer('an operator that runs for a long time', tests, { embedded: 'over HTTPS' });
