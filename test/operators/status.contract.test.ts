import { type Condition, Controller, ObjectKey, Reconcile, type Transport } from '@evenkeel/core';
import { PodDisruptionBudget } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

let current: string;
let run: (object: PodDisruptionBudget, context: ReconcileContext) => Promise<void> | void;

@Controller(PodDisruptionBudget, { name: 'budgets' })
class BudgetController {
  @Reconcile()
  async reconcile(object: PodDisruptionBudget, context: ReconcileContext): Promise<void> {
    if (object.metadata.name === current) await run(object, context);
  }
}

interface StatusWrite {
  readonly path: string;
  readonly body: unknown;
}

/** Records the requests to the status subresource. */
function recording(inner: Transport, writes: StatusWrite[]): Transport {
  return {
    request: (request) => {
      if (request.path.includes('/status')) {
        writes.push({ path: request.path, body: JSON.parse(String(request.body)) });
      }
      return inner.request(request);
    },
    close: async () => {},
  };
}

describeOnEveryServer('the status of an object', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator;
  let writes: StatusWrite[];

  beforeAll(async () => {
    backend = await start();
  });

  afterEach(() => operator.manager.stop());

  afterAll(() => backend.stop());

  async function operating(name: string, does: typeof run): Promise<TestOperator> {
    current = name;
    run = does;
    writes = [];
    operator = await TestOperator.start(backend, [BudgetController], {
      transport: recording(backend.transport(), writes),
    });
    await operator.client.create(PodDisruptionBudget, {
      metadata: { name, namespace: 'default' },
      spec: { maxUnavailable: 1, selector: {} },
    } as never);
    return operator;
  }

  const key = (): ObjectKey => new ObjectKey(current, 'default');

  const patch = (merge: object): Promise<unknown> => operator.client.patch(PodDisruptionBudget, key(), { merge });

  const runs = (count: number): Promise<void> =>
    operator.until(`${count} runs`, () => operator.outcomes(current).length >= count);

  async function condition(): Promise<Condition | undefined> {
    const { status } = await operator.client.get(PodDisruptionBudget, key());
    return status?.conditions?.[0] as Condition | undefined;
  }

  it('is written once as a difference with the resource version that was read, and not if nothing changed', async () => {
    const { client } = await operating('written', ({ status }) => {
      if (status === undefined) throw new Error('there is always a status');
      status.currentHealthy = 1;
      status.currentHealthy = 2;
      status.expectedPods = 3;
    });
    await runs(1);
    expect(writes).toEqual([
      {
        path: expect.stringContaining('/poddisruptionbudgets/written/status'),
        body: {
          metadata: { uid: expect.any(String), resourceVersion: expect.any(String) },
          status: { currentHealthy: 2, expectedPods: 3 },
        },
      },
    ]);
    // A field of another client, which the run does not change.
    await client.subresource(PodDisruptionBudget, key(), 'status').patch({ merge: { status: { desiredHealthy: 9 } } });
    await runs(2);
    await patch({ metadata: { annotations: { woken: 'yes' } } });
    await runs(3);
    expect(writes).toHaveLength(1);
    expect((await client.get(PodDisruptionBudget, key())).status).toMatchObject({
      currentHealthy: 2,
      expectedPods: 3,
      desiredHealthy: 9,
    });
  });

  it('is not written if a missing field is set to null, and is written once if an existing field is', async () => {
    let isSet = false;
    await operating('null', ({ status }) => {
      if (status === undefined) throw new Error('there is always a status');
      Object.assign(status, isSet ? { disruptedPods: { a: '2026-01-01T00:00:00Z' } } : { disruptedPods: null });
      Object.assign(status, { observedGeneration: null });
    });
    await runs(1);
    await patch({ metadata: { annotations: { woken: 'yes' } } });
    await runs(2);
    expect(writes).toEqual([]);
    for (const [woken, expected] of [
      ['to set', 1],
      ['again', 1],
      ['to unset', 2],
      ['again', 2],
    ] as const) {
      isSet = expected === 1;
      const before = operator.outcomes(current).length;
      await patch({ metadata: { annotations: { woken, at: String(before) } } });
      await runs(before + 1);
      expect([woken, writes.length]).toEqual([woken, expected]);
    }
    expect(writes.map(({ body }) => (body as { status: unknown }).status)).toEqual([
      { disruptedPods: { a: '2026-01-01T00:00:00Z' } },
      { disruptedPods: null },
    ]);
    expect(operator.warnings).toEqual([]);
  });

  it('is written once if the reconcile method throws', async () => {
    await operating('throwing', ({ status }) => {
      if (status !== undefined) status.currentHealthy = 5;
      throw new Error('half done');
    });
    await runs(3);
    expect(operator.outcomes(current).slice(0, 3)).toEqual(['failed', 'failed', 'failed']);
    expect(writes).toHaveLength(1);
    expect((await operator.client.get(PodDisruptionBudget, key())).status?.currentHealthy).toBe(5);
  });

  it('does not overwrite a concurrent change; the key runs again without a warning', async () => {
    let interferes = true;
    await operating('racing', async ({ status, metadata }, { client }) => {
      if (interferes) {
        interferes = false;
        await client.patch(PodDisruptionBudget, key(), { merge: { metadata: { labels: { by: 'another' } } } });
      }
      if (status !== undefined) status.currentHealthy = metadata.labels?.['by'] === 'another' ? 1 : 7;
    });
    await runs(2);
    expect(operator.outcomes(current).slice(0, 2)).toEqual(['conflict', 'await-change']);
    expect((await operator.client.get(PodDisruptionBudget, key())).status?.currentHealthy).toBe(1);
    expect(operator.warnings).toEqual([]);
  });

  it('has conditions with the current generation and the time of their last change', async () => {
    let isAvailable = false;
    await operating('conditional', (_, { conditions }) => {
      conditions.set('Available', isAvailable, isAvailable ? 'Ready' : 'Starting');
    });
    await runs(1);
    const first = await condition();
    expect(first).toEqual({
      type: 'Available',
      status: 'False',
      reason: 'Starting',
      message: '',
      observedGeneration: 1,
      lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    await patch({ spec: { maxUnavailable: 2 } });
    await runs(2);
    expect(await condition()).toEqual({ ...first, observedGeneration: 2 });
    // A second later, because otherwise the time would be the same.
    const changedAt = Date.parse(first?.lastTransitionTime ?? '') + 1000;
    await operator.until('a second', () => Date.now() > changedAt);
    isAvailable = true;
    await patch({ metadata: { annotations: { woken: 'yes' } } });
    await runs(3);
    const last = await condition();
    expect(last).toMatchObject({ status: 'True', reason: 'Ready', observedGeneration: 2 });
    expect(Date.parse(last?.lastTransitionTime ?? '')).toBeGreaterThanOrEqual(changedAt);
    expect(writes).toHaveLength(3);
  });
});
