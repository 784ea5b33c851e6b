import { ignoreNotFound } from '@evenkeel/core';
import { ConfigMap, Deployment } from '@evenkeel/kinds';
import {
  crashSweep,
  faultSweep,
  foreignObjectSweep,
  HurriedClock,
  type SweepOptions,
  type SweepRound,
} from '@evenkeel/testing';
import { createManager } from '../../packages/runtime/src/manager/manager.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { environmentOn } from './backend-environment.fixture.ts';
import { Ledger, type Outside, Site, siteController } from './site-operator.fixture.ts';

const outside: Outside = new Map();

/** The life of two sites: created, changed so that children are created, changed and deleted, and one of them deleted. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const key = (name: string): string => `${namespace}/${name}`;
  const settled = async (name: string, pages: number): Promise<void> => {
    await eventually(async () => {
      const { status, metadata } = await client.get(Site, key(name));
      expect(status).toMatchObject({ observedGeneration: metadata.generation, pages });
    });
  };
  const create = (name: string, pages: string[]) =>
    client.create(Site, { metadata: { name, namespace }, spec: { pages, text: 'first' } } as never);
  await Promise.all([create('blog', ['home', 'about']), create('shop', ['home'])]);
  await settled('blog', 2);
  await settled('shop', 1);
  await client.patch(Site, key('blog'), { merge: { spec: { pages: ['about', 'news'], text: 'second' } } });
  await settled('blog', 2);
  await client.delete(Site, key('shop'));
  await eventually(async () => {
    expect(await ignoreNotFound(client.get(Site, key('shop')))).toBeUndefined();
    expect(outside.get(key('shop'))).toBeUndefined();
    expect(outside.get(key('blog'))).toBe('second');
  });
}

const tests = (start: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let options: SweepOptions;
  const ledgers: Ledger[] = [];

  beforeAll(async () => {
    backend = await start();
    options = {
      // A watch that is restarted after silence, which takes 7 s, is a call that another run need not make.
      environment: await environmentOn(backend, { clock: new HurriedClock({ times: 10, sleepTimes: 50 }) }),
      operator: async (connection) => {
        const ledger = new Ledger(outside, connection.killed);
        ledgers.push(ledger);
        const manager = await createManager({ ...connection, controllers: [siteController(ledger)] });
        await manager.start();
        return manager;
      },
      scenario,
      kinds: [Site, ConfigMap, Deployment],
      concurrency: 8,
      quiet: '60ms',
      timeout: '90s',
    };
  });

  afterAll(() => backend.stop());

  afterEach(() => {
    expect(ledgers.flatMap(({ overlaps }) => overlaps)).toEqual([]);
  });

  it('reaches the same end state when it is killed before, during and after each of its writes', async () => {
    const { rounds, writes, idleWrites } = await crashSweep(options);
    expect(writes.length).toBeGreaterThan(12);
    expect(rounds).toBe(3 * writes.length);
    expect(idleWrites).toEqual([]);
  });

  it('reaches the same end state when each of its calls fails in every way', async () => {
    const { rounds, calls } = await faultSweep(options);
    expect(calls.length).toBeGreaterThan(15);
    // Reads have no conflicts. The reported calls and writes may be of different runs.
    const writes = calls.filter((call) => !/^(?:GET|WATCH) /.test(call));
    expect(rounds).toBe(5 * calls.length + writes.length);
  });

  it('does not change foreign objects with the names of its children', async () => {
    const { rounds, children } = await foreignObjectSweep(options);
    expect(children).toContain('deployments.apps blog');
    expect(rounds).toBe(3 * children.length);
  });
};

describeOnEveryServer('a whole operator', tests, { embedded: 'in process' });
