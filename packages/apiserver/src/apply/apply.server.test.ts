import type { JsonObject } from '@evenkeel/apimachinery/json';
import { SeededRandom } from '@evenkeel/core';
import { schemaOf } from '@evenkeel/kinds/schemas';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { builtIns } from './built-ins.fixture.ts';
import { emptyBuiltIn, managedFieldsOf, withManagedFields } from './managed-object.ts';
import { PathSet } from './path-set.ts';
import { randomSteps } from './random-steps.fixture.ts';
import { ScaleComparison } from './scale-comparison.fixture.ts';
import { scaleSteps } from './scale-steps.fixture.ts';
import { sequences } from './sequences.fixture.ts';
import { masked, ServerComparison } from './server-comparison.fixture.ts';
import { type TestedKind, testedKinds } from './tested-kinds.fixture.ts';
import { updateManagedFields } from './update-managed-fields.ts';
import { widgetCrd } from './widget.fixture.ts';

/** The created object without managedFields and without what the server set after ownership. */
function beforeServerSet(body: JsonObject, setLater: readonly string[]): JsonObject {
  const object = structuredClone(withManagedFields(body, undefined));
  for (const path of setLater) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce<JsonObject>((value, name) => value[name] as JsonObject, object);
    delete parent[last];
  }
  return object;
}

describeWithRealServer('apply and managedFields against the real server', () => {
  let server: RealServer;
  let kinds: ReadonlyMap<string, TestedKind>;

  beforeAll(async () => {
    kinds = await testedKinds();
    server = await startRealServer();
    await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgetCrd });
    for (const { path } of kinds.get('Widget')?.versions ?? []) {
      await server.sendUntil(({ status }) => status === 200, 'GET', path);
    }
  });

  afterAll(() => server?.stop());

  const kindOf = (name: string): TestedKind => {
    const kind = kinds.get(name);
    if (kind === undefined) throw new Error(`no kind ${name} is tested`);
    return kind;
  };

  const named = sequences.map((sequence, i) => [sequence.title, sequence, `sequence-${i}`] as const);
  it.each(named)('%s', async (_, { kind, steps }, name) => {
    const comparison = new ServerComparison(server, kindOf(kind), name);
    for (const step of steps) await comparison.step(step);
  });

  it('agrees on random sequences', async () => {
    const random = new SeededRandom(seed);
    for (let i = 0; i < 25; i++) {
      const comparison = new ServerComparison(server, kindOf('Widget'), `random-${i}`);
      const steps = randomSteps(random, 8);
      for (const [n, step] of steps.entries()) {
        try {
          await comparison.step(step);
        } catch (error) {
          const done = JSON.stringify(steps.slice(0, n + 1));
          throw new Error(`seed ${seed}, sequence ${i}, step ${n}: ${done}`, { cause: error });
        }
      }
    }
  });

  it.each(builtIns.map((builtIn) => [builtIn.kind, builtIn] as const))(
    'the creator of a %s owns what the server says',
    async (_, builtIn) => {
      const { definition, apiVersion, kind, path, object } = builtIn;
      const schema = await schemaOf(definition);
      const sent = { apiVersion, kind, ...object, metadata: { name: 'x', ...(object['metadata'] as object) } };
      const { status, body } = await server.send('POST', `${path}?fieldManager=m`, { body: sent });
      expect([status, body['kind']]).toEqual([201, kind]);
      const entries = updateManagedFields({
        schema,
        apiVersion,
        ignored: PathSet.of(['status']),
        live: emptyBuiltIn(apiVersion, kind, schema),
        updated: beforeServerSet(body, builtIn.setLater ?? []),
        manager: 'm',
        now: new Date(),
      });
      expect(masked(entries)).toEqual(masked(managedFieldsOf(body)));
    },
  );

  it.each(scaleSteps.map(([title, ...steps], i) => [title, steps, `scaled-${i}`] as const))(
    'Scale: %s',
    async (_, steps, name) => {
      const comparison = new ScaleComparison(server, name);
      for (const step of steps) await comparison.step(step);
    },
  );
});
