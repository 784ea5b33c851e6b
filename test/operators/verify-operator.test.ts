import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, HurriedClock, type OperatorReport, type SweepRound, verifyOperator } from '@evenkeel/testing';
import {
  ConfigMap,
  Controller,
  createManager,
  defineOperator,
  ObjectKey,
  Rbac,
  Reconcile,
  ReconcileContext,
  Secret,
} from 'evenkeel';
import { Greeting, GreetingController } from '../greeting.fixture.ts';
import { root } from '../imports.fixture.ts';

/** Stamps one ConfigMap, whatever it contains. */
@Controller(Greeting)
@Rbac(ConfigMap, ['create', 'patch'])
@Rbac(Secret, ['get'], { reason: 'reads the signature' })
class StampingController {
  @Reconcile()
  async reconcile({ metadata, status }: Greeting, { client }: ReconcileContext): Promise<void> {
    status.said = [];
    const map = { metadata: { name: metadata.name, namespace: metadata.namespace ?? '' }, data: { stamp: 'yes' } };
    await client.apply(ConfigMap, map, { fieldManager: 'stamps', force: true });
  }
}

const stamped = async ({ client, namespace, eventually }: SweepRound): Promise<void> => {
  await client.create(Greeting, { metadata: { name: 'hello', namespace }, spec: { words: [] } });
  await eventually(async () => {
    await client.get(ConfigMap, new ObjectKey('hello', namespace));
    expect((await client.get(Greeting, `${namespace}/hello`)).status?.said).toEqual([]);
  });
};

const says =
  (...changes: readonly string[][]) =>
  async ({ client, namespace, eventually }: SweepRound): Promise<void> => {
    await client.create(Greeting, { metadata: { name: 'hello', namespace }, spec: { words: [] } });
    for (const words of changes) {
      await client.patch(Greeting, `${namespace}/hello`, { merge: { spec: { words } } });
      await eventually(async () => {
        expect((await client.get(Greeting, `${namespace}/hello`)).status?.said).toEqual(words);
      });
    }
  };

describe('verifyOperator()', () => {
  let environment: Environment;
  beforeAll(async () => {
    const definition = await customResourceDefinitionOf(
      Greeting,
      await readSources(`${root}/test/greeting.fixture.ts`),
    );
    environment = await Environment.create({ definitions: [definition], clock: new HurriedClock(), variables: {} });
  });
  afterAll(() => environment?.close());

  const verify = (
    controller: new (...values: never[]) => object,
    scenario: (round: SweepRound) => Promise<void>,
  ): Promise<OperatorReport> => {
    const declaration = defineOperator({ name: 'greeting-operator', controllers: [controller as new () => object] });
    return verifyOperator({
      environment,
      declaration,
      operator: async (connection) => {
        const manager = await createManager({ ...declaration, ...connection });
        await manager.start();
        return manager;
      },
      scenario,
      concurrency: 8,
      quiet: '40ms',
      timeout: '4s',
    });
  };

  it('reports the counts of all sweeps, and compares the kinds that the controllers reconcile and own', async () => {
    const { crashes, faults, foreignObjects, permissions, lines } = await verify(GreetingController, says(['hello']));
    expect(foreignObjects.children).toEqual(['configmaps hello-hello']);
    expect(crashes.writes).toContain('PATCH configmaps hello-hello');
    expect(lines).toEqual([
      `permissions: ${permissions} (0 missing, 0 unused)`,
      'restart without a change: 0 writes',
      `crash sweep: ${crashes.rounds} rounds, killed before, during and after each of ${crashes.rounds / 3} writes`,
      `fault sweep: ${faults.rounds} rounds, every possible fault at each of ${faults.calls.length} calls`,
      'foreign objects: 3 rounds, names of children already in use: 1',
    ]);
  });

  it('reports a request that the roles do not allow, with the declaration to add', async () => {
    const verified = verify(GreetingController, says(['hello'], []));
    await expect(verified).rejects.toMatchObject({ code: 'operator-not-verified' });
    await expect(verified).rejects.toThrow(
      /^the operator's roles do not match its requests, or it writes without a reason\ndelete configmaps in \S+ is not in the roles; add @Rbac\(ConfigMap, \['delete'\]\)/,
    );
  });

  it('reports permissions without a use, and writes of an operator with nothing to do, before it sweeps', async () => {
    const verified = verify(StampingController, stamped);
    await expect(verified).rejects.toMatchObject({ code: 'operator-not-verified' });
    await expect(verified).rejects.toThrow(
      /^the operator's roles do not match its requests, or it writes without a reason\nget secrets was never needed \(get: .*reads the signature.*\)\nafter a restart, the operator sent PATCH configmaps hello although nothing had changed; compare with the current state before a write$/,
    );
  });
});
