import type { Client } from '@evenkeel/client';
import { type Clock, Controller, ManualClock, ObjectKey, Owns, Reconcile } from '@evenkeel/core';
import { ConfigMap, Event, Secret } from '@evenkeel/kinds';
import { jest } from '@jest/globals';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { ConcreteClass } from './controller-plan.ts';
import { TestOperator } from './operator.fixture.ts';

jest.setTimeout(60_000);

const stampAnnotation = 'example.com/stamped';
let stamps = 0;

/** Stamps its child with something that is new each time. */
@Controller(Secret, { name: 'stamper' })
@Owns(ConfigMap)
class Stamper {
  @Reconcile()
  async reconcile(secret: Secret, context: ReconcileContext): Promise<void> {
    const { name } = secret.metadata;
    if (!name.startsWith('stamped')) return;
    const child: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, annotations: { [stampAnnotation]: String(++stamps) } },
    };
    await context.apply(child);
  }
}

/** Answers each stamp until the signal comes, as a Deployment's controller answers each change of its pod template. */
async function answerStamps(client: Client, signal: AbortSignal): Promise<void> {
  try {
    for await (const { type, object } of client.watch(ConfigMap, { namespace: 'default', signal })) {
      const answered = object.metadata.annotations?.[stampAnnotation];
      if (type !== 'ADDED' && type !== 'MODIFIED') continue;
      if (answered === undefined || (object as ConfigMap).data?.['answered'] === answered) continue;
      await client.patch(ConfigMap, ObjectKey.of(object), { merge: { data: { answered } } });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

@Controller(Secret, { name: 'red' })
@Owns(ConfigMap)
class Red {
  @Reconcile()
  async reconcile(secret: Secret, context: ReconcileContext): Promise<void> {
    const { name } = secret.metadata;
    if (!name.startsWith('painted')) return;
    const child: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { color: 'red', note: secret.metadata.annotations?.['note'] ?? '' },
    };
    await context.apply(child);
  }
}

@Controller(ConfigMap, { name: 'blue' })
class Blue {
  @Reconcile()
  async reconcile({ metadata, data }: ConfigMap, { client }: ReconcileContext): Promise<void> {
    if (data?.['color'] !== 'red') return;
    await client.patch(ConfigMap, ObjectKey.of({ metadata }), { merge: { data: { color: 'blue' } } });
  }
}

describeOnEveryServer('a reconcile that causes itself', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;
  let clock: ManualClock;

  beforeAll(async () => {
    backend = await start();
  });

  afterEach(async () => {
    await operator?.manager.stop();
    operator = undefined;
  });

  afterAll(() => backend.stop());

  async function operating(...controllers: ConcreteClass[]): Promise<TestOperator> {
    clock = new ManualClock(new Date());
    operator = await TestOperator.start(backend, controllers, {
      clock: clock as Clock,
      metrics: { address: '127.0.0.1:0' },
    });
    return operator;
  }

  /** The loops of a controller that were found so far. */
  const loopsOf = (name: string) =>
    operator?.runs.flatMap((run) => (run.controller === name ? (run.loop ?? []) : [])) ?? [];
  const runsOf = (name: string): number => operator?.runs.filter((run) => run.controller === name).length ?? 0;

  it('is none where nobody answers what it writes, though that is new each time', async () => {
    const { client } = await operating(Stamper);
    await client.create(Secret, { metadata: { name: 'stamped-alone', namespace: 'default' } });
    await operator?.until('the run', () => operator?.outcomes('stamped-alone').length === 1);
    const written = await client.get(ConfigMap, 'default/stamped-alone');
    await client.patch(Secret, 'default/stamped-alone', { merge: { metadata: { labels: { again: 'yes' } } } });
    await operator?.until('the second run', () => operator?.outcomes('stamped-alone').length === 2);
    expect((await client.get(ConfigMap, 'default/stamped-alone')).metadata.annotations).not.toEqual(
      written.metadata.annotations,
    );
    expect(operator?.outcomes('stamped-alone')).toHaveLength(2);
    await client.delete(Secret, 'default/stamped-alone');
    await client.delete(ConfigMap, 'default/stamped-alone');
    await operator?.until('the end', () => operator?.outcomes('stamped-alone').at(-1) === 'gone');
  });

  it('is slowed, with the field that is new each time named in a log line, an Event, a metric and the run', async () => {
    const { client, manager, warnings } = await operating(Stamper);
    const answering = new AbortController();
    const answers = answerStamps(client, answering.signal);
    await client.create(Secret, { metadata: { name: 'stamped', namespace: 'default' } });
    await operator?.until('the loop', () => loopsOf('stamper').length === 1);
    const loop = {
      object: 'ConfigMap default/stamped',
      path: `metadata.annotations.${stampAnnotation}`,
      delayMs: 1000,
      isNew: true,
    };
    expect(loopsOf('stamper')).toEqual([loop]);
    expect(runsOf('stamper')).toBeLessThanOrEqual(12);
    expect(manager.metrics.text()).toContain(
      `\nevenkeel_reconcile_loops_total{controller="stamper",field="${loop.path}",kind="ConfigMap"} 1\n`,
    );
    expect(manager.health.controllers.find(({ name }) => name === 'stamper')?.looping).toEqual([
      { key: 'default/stamped', object: loop.object, path: loop.path },
    ]);
    expect(warnings.filter(({ message }) => message.includes('causes itself')).map(({ keys }) => keys)).toContainEqual({
      Secret: { name: 'stamped', namespace: 'default' },
      namespace: 'default',
      name: 'stamped',
      reconcileID: expect.any(String),
      writes: loop.object,
      path: loop.path,
      delayMs: 1000,
    });
    await operator?.until('the Event', async () => {
      const events = await client.list(Event, { namespace: 'default' });
      return events.items.some(
        ({ reason, regarding, note }) =>
          reason === 'ReconcileLoop' && regarding?.kind === 'Secret' && note?.includes(loop.path) === true,
      );
    });
    const before = runsOf('stamper');
    await clock.advance(900);
    expect(runsOf('stamper')).toBe(before);
    await clock.advance(200);
    await operator?.until('the next run', () => loopsOf('stamper').length === 2);
    expect(loopsOf('stamper')[1]).toEqual({ ...loop, delayMs: 2000, isNew: false });
    answering.abort();
    await answers;
  });

  it('is slowed where two controllers fight over a field, and a change from outside comes through at once', async () => {
    const { client } = await operating(Red, Blue);
    await client.create(Secret, { metadata: { name: 'painted', namespace: 'default' } });
    await operator?.until('the loop', () => loopsOf('red').length + loopsOf('blue').length > 0);
    const [loop] = [...loopsOf('red'), ...loopsOf('blue')];
    expect(loop).toEqual({ object: 'ConfigMap default/painted', path: 'data.color', delayMs: 1000, isNew: true });
    const note = 'from outside';
    await client.patch(Secret, 'default/painted', { merge: { metadata: { annotations: { note } } } });
    await operator?.object(ConfigMap, 'painted', ({ data }) => data?.['note'] === note);
  });
});
