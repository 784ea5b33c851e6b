import { SeededRandom } from '@evenkeel/core';
import { randomSteps } from './random-steps.fixture.ts';
import { hasRealServer, RealServer } from './real-server.fixture.ts';
import { ScaleComparison } from './scale-comparison.fixture.ts';
import { scaleSteps } from './scale-steps.fixture.ts';
import { sequences } from './sequences.fixture.ts';
import { ServerComparison } from './server-comparison.fixture.ts';
import { type TestedKind, testedKinds } from './tested-kinds.fixture.ts';
import { widgetCrd } from './widget.fixture.ts';

const describeWithServer = hasRealServer ? describe : describe.skip;
if (!hasRealServer) {
  process.stderr.write('apply.server.test.ts: skipped, there is no real API server in ../shared/envtest\n');
}

describeWithServer('apply and managedFields against the real server', () => {
  let server: RealServer;
  let kinds: ReadonlyMap<string, TestedKind>;

  beforeAll(async () => {
    kinds = await testedKinds();
    server = new RealServer();
    await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetCrd);
    for (const { path } of kinds.get('Widget')?.versions ?? []) {
      while ((await server.send('GET', path)).code !== 200);
    }
  }, 60_000);

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
    const seed = Number(process.env['APPLY_SEED'] ?? Date.now() % 1_000_000);
    const random = new SeededRandom(seed);
    for (let i = 0; i < 25; i++) {
      const comparison = new ServerComparison(server, kindOf('Widget'), `random-${i}`);
      const steps = randomSteps(random, 8);
      for (const [n, step] of steps.entries()) {
        try {
          await comparison.step(step);
        } catch (error) {
          const done = JSON.stringify(steps.slice(0, n + 1));
          throw new Error(`APPLY_SEED=${seed}, sequence ${i}, step ${n}: ${done}`, { cause: error });
        }
      }
    }
  }, 60_000);

  it.each(scaleSteps.map(([title, ...steps], i) => [title, steps, `scaled-${i}`] as const))(
    'Scale: %s',
    async (_, steps, name) => {
      const comparison = new ScaleComparison(server, name);
      for (const step of steps) await comparison.step(step);
    },
  );
});
