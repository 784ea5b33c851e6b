import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { crashSweep, Environment, RbacAudit } from '@evenkeel/testing';
import { ConfigMap, controllerFor, createManager, type Manager, type ManagerOptions } from 'evenkeel';
import { Greeting, GreetingController } from '../greeting.fixture.ts';

const file = 'test/operators/twin-managers.test.ts';
const lines = readFileSync(file, 'utf8').split('\n');
const definition = await customResourceDefinitionOf(Greeting, await readSources('test/greeting.fixture.ts'));
const controllers = [GreetingController];

/** The line of this file with a comment. */
function place(comment: string): string {
  return `${file}:${lines.findIndex((line) => line.endsWith(`// ${comment}`)) + 1}`;
}

describe('two managers in one environment', () => {
  let environment: Environment;
  beforeEach(async () => {
    environment = await Environment.create({ variables: {}, definitions: [definition] });
  });
  afterEach(() => environment.close());

  function start(options: Partial<ManagerOptions> = {}): Promise<Manager> {
    return environment.run(async (connection) => {
      const manager = await createManager({ ...connection, controllers, ...options });
      await manager.start();
      return manager;
    });
  }

  it('with the same controller are an error that names both, and the second one does not run', async () => {
    const first = await createManager({ transport: environment.transport, controllers });
    await first.start(); // first
    const second = await createManager({ transport: environment.transport, controllers });
    const starting = second.start(); // second
    await expect(starting).rejects.toMatchObject({
      code: 'operator-runs-twice',
      message:
        `the manager started at ${place('second')} would reconcile the same objects as the manager started at ` +
        `${place('first')}, which has not been stopped: both have the controller greeting (greetings.docs.example.com) ` +
        'in this environment; await the stop() of the first one, or give them different namespaces or the same ' +
        'leaderElection',
    });
    await expect(second.start()).rejects.toMatchObject({ code: 'manager-started-twice' });
    expect(second.health.controllers.map(({ synced }) => synced)).toEqual([false]);
    await first.waitUntilReady();
    const stopping = first.stop();
    await expect(start()).rejects.toThrow(/which is still stopping: both have the controller greeting/);
    await stopping;
    await (await start()).waitUntilReady();
  });

  it('are found if an audit still runs while a sweep starts', async () => {
    const audit = await RbacAudit.create({ transport: environment.transport, controllers });
    const audited = await createManager({ transport: audit.transport, controllers });
    await audited.start(); // audited
    const sweep = () =>
      crashSweep({
        environment,
        operator: async (connection) => {
          const manager = await createManager({ ...connection, controllers });
          await manager.start();
          return manager;
        },
        scenario: async ({ client, namespace, eventually }) => {
          await client.create(Greeting, { metadata: { name: 'hello', namespace }, spec: { words: ['hello'] } });
          await eventually(async () => {
            expect((await client.get(Greeting, `${namespace}/hello`)).status?.said).toEqual(['hello']);
          });
        },
        kinds: [Greeting, ConfigMap],
      });
    await expect(sweep()).rejects.toMatchObject({ code: 'sweep-diverged' });
    await expect(sweep()).rejects.toThrow(
      `would reconcile the same objects as the manager started at ${place('audited')}, which has not been stopped`,
    );
    await audited.stop();
    // A killed operator can send nothing, so its replacement may start before it has stopped.
    const { rounds } = await sweep();
    expect(rounds).toBeGreaterThan(2);
  });

  it('work if they are replicas with leader election, of which one works', async () => {
    const leaderElection = { name: 'greeter', namespace: 'default' };
    const one = await start({ leaderElection });
    await one.waitUntilReady();
    const other = await start({ leaderElection });
    expect(other.health.leadership?.role).toBe('candidate');
    await one.stop();
    await other.waitUntilReady();
    expect(other.health.leadership?.role).toBe('leader');
    await expect(start({ leaderElection: { name: 'another', namespace: 'default' } })).rejects.toMatchObject({
      code: 'operator-runs-twice',
    });
  });

  it('work if they have different controllers or namespaces', async () => {
    await start({ namespaces: ['one', 'two'] });
    await start({ namespaces: ['three'] });
    await start({ controllers: [controllerFor(Greeting, { name: 'counter' }).reconcile(async () => undefined)] });
    await start({ controllers: [controllerFor(ConfigMap).reconcile(async () => undefined)] });
    await expect(start({ namespaces: ['three', 'four'] })).rejects.toMatchObject({ code: 'operator-runs-twice' });
    await expect(start()).rejects.toMatchObject({ code: 'operator-runs-twice' });
  });

  it('work in different environments', async () => {
    await using another = await Environment.create({ variables: {}, definitions: [definition] });
    await start();
    const manager = await createManager({ transport: another.transport, controllers });
    await manager.start();
    await manager.waitUntilReady();
    await manager.stop();
  });

  it('work one after another if the first one failed', async () => {
    const { promise: started, resolve } = Promise.withResolvers<(error: unknown) => void>();
    const first = await start({ runnables: [{ start: async (fail) => resolve(fail), stop: async () => undefined }] });
    (await started)(new Error('disk full'));
    await first.failure;
    await first.stop();
    await (await start()).waitUntilReady();
  });
});
