import type { Client } from '@evenkeel/client';
import type { ConcreteClass } from '@evenkeel/core';
import { type Clock, Controller, ListerOf, ManualClock, ObjectKey, Owns, Reconcile, Watches } from '@evenkeel/core';
import { ConfigMap, Event, Secret, ServiceAccount } from '@evenkeel/kinds';
import type { Lister } from '../../packages/runtime/src/cache/index.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import type { LoopFinding } from '../../packages/runtime/src/reconcile/reconcile-run.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

const stampAnnotation = 'example.com/stamped';
let stamps = 0;

/** Writes a new value into its child in each run. */
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

/**
 * Watches objects that follow from its child, like a controller that owns a Deployment and watches Pods. Writes a new value into
 * one child, and the number of objects into another.
 */
@Controller(Secret, { name: 'watching-stamper' })
@Owns(ConfigMap)
class WatchingStamper {
  constructor(@ListerOf(ServiceAccount) readonly accounts: Lister<ServiceAccount>) {}

  @Watches(ServiceAccount)
  onAccount(): ObjectKey[] {
    return ['stamped-watched', 'counted'].map((name) => new ObjectKey(name, 'default'));
  }

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, context: ReconcileContext): Promise<void> {
    if (name !== 'stamped-watched' && name !== 'counted') return;
    const stamp = name === 'counted' ? this.accounts.list({ namespace: 'default' }).length : ++stamps;
    const child: ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, annotations: { [stampAnnotation]: String(stamp) } },
    };
    await context.apply(child);
  }
}

/** Reacts to each new value in two steps until the signal is aborted, and creates or deletes an account in between. */
async function followStamps(client: Client, signal: AbortSignal): Promise<void> {
  try {
    let count = 0;
    for await (const { type, object } of client.watch(ConfigMap, { namespace: 'default', signal })) {
      const answered = object.metadata.annotations?.[stampAnnotation];
      if ((type !== 'ADDED' && type !== 'MODIFIED') || answered === undefined) continue;
      const step = async (data: Record<string, string>): Promise<void> => {
        await client.patch(ConfigMap, ObjectKey.of(object as ConfigMap), { merge: { data } });
      };
      const data = (object as ConfigMap).data ?? {};
      if (data['answered'] !== answered) await step({ answered });
      else if (data['done'] !== answered && object.metadata.name === 'stamped-watched') {
        count++;
        if (count % 3 === 0) await client.delete(ServiceAccount, `default/follower-${count - 1}`);
        else await client.create(ServiceAccount, { metadata: { name: `follower-${count}`, namespace: 'default' } });
        await step({ done: answered });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Reacts to each new value until the signal is aborted, like a Deployment's controller to a change of its pod template. */
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

/** Changes the color to another one until the signal is aborted. */
async function repaint(client: Client, signal: AbortSignal): Promise<void> {
  try {
    for await (const { type, object } of client.watch(ConfigMap, { namespace: 'default', signal })) {
      if ((type !== 'ADDED' && type !== 'MODIFIED') || (object as ConfigMap).data?.['color'] !== 'red') continue;
      await client.patch(ConfigMap, ObjectKey.of(object), { merge: { data: { color: 'green' } } });
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

/** Writes a new value into its own object in each run. */
@Controller(Secret, { name: 'self-stamper' })
class SelfStamper {
  @Reconcile()
  async reconcile({ metadata }: Secret, { client, key }: ReconcileContext): Promise<void> {
    if (metadata.name !== 'stamping-itself') return;
    const annotations = { [stampAnnotation]: String(++stamps) };
    await client.patch(Secret, key, { merge: { metadata: { annotations } } });
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

describeOnEveryServer('a reconcile that triggers itself', (start, { overHttps }) => {
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

  /** The loops of a controller that have been found so far. */
  const loopsOf = (name: string) =>
    operator?.runs.flatMap((run) => (run.controller === name ? (run.loop ?? []) : [])) ?? [];
  const runsOf = (name: string): number => operator?.runs.filter((run) => run.controller === name).length ?? 0;

  /** Expects that a log line, a metric and an Event report a loop, each with the path of the field. */
  async function expectTold(controller: string, name: string, { object, path }: LoopFinding): Promise<void> {
    if (operator === undefined) throw new Error('no operator');
    const { client, manager, warnings } = operator;
    const logged = warnings.filter(({ message }) => message.includes('triggers itself'));
    expect(logged.map(({ keys }) => keys)).toEqual([
      {
        Secret: { name, namespace: 'default' },
        namespace: 'default',
        name,
        reconcileID: expect.any(String),
        writes: object,
        path,
        delayMs: 1000,
      },
    ]);
    expect(manager.metrics.text()).toContain(
      `\nevenkeel_reconcile_loops_total{controller="${controller}",field="${path}",kind="${object.split(' ')[0]}"} 1\n`,
    );
    await operator.until('the Event', async () => {
      const { items } = await client.list(Event, { namespace: 'default' });
      return items.some(
        ({ reason, regarding, note }) =>
          reason === 'ReconcileLoop' && regarding?.name === name && note?.includes(path) === true,
      );
    });
  }

  it('is not a loop if no controller reacts to its writes, even if each run writes a new value', async () => {
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

  it('is slowed, and a log line, an Event, a metric and the run name the changing field', async () => {
    const { client, manager } = await operating(Stamper);
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
    // Ten runs count. A run whose reaction comes too late does not count, which happens on a busy machine.
    expect(runsOf('stamper')).toBeLessThanOrEqual(20);
    await expectTold('stamper', 'stamped', loop);
    expect(manager.health.controllers.find(({ name }) => name === 'stamper')?.looping).toEqual([
      { key: 'default/stamped', object: loop.object, path: loop.path },
    ]);
    const before = runsOf('stamper');
    await clock.advance(900);
    expect(runsOf('stamper')).toBe(before);
    await clock.advance(200);
    await operator?.until('the next run', () => loopsOf('stamper').length === 2);
    expect(loopsOf('stamper')[1]).toEqual({ ...loop, delayMs: 2000, isNew: false });
    answering.abort();
    await answers;
  });

  // In process, all of this happens in one turn of the event loop: the accounts are created while the child is written.
  const overSocket = overHttps ? it : it.skip;
  overSocket(
    'is slowed among events that follow from its writes, but not if it counts objects that are created and deleted',
    async () => {
      const { client, manager } = await operating(WatchingStamper);
      const following = new AbortController();
      const follower = followStamps(client, following.signal);
      await client.create(Secret, { metadata: { name: 'counted', namespace: 'default' } });
      await client.create(Secret, { metadata: { name: 'stamped-watched', namespace: 'default' } });
      await operator?.until('the loop', () => loopsOf('watching-stamper').length === 1);
      const path = `metadata.annotations.${stampAnnotation}`;
      const loop = { object: 'ConfigMap default/stamped-watched', path, delayMs: 1000, isNew: true };
      expect(loopsOf('watching-stamper')).toEqual([loop]);
      expect(operator?.outcomes('stamped-watched').length).toBeLessThanOrEqual(150);
      const looping = manager.health.controllers.flatMap((controller) => controller.looping.map(({ key }) => key));
      expect(looping).toEqual(['default/stamped-watched']);
      const counted = () =>
        operator?.runs.filter(({ key, writes }) => key.name === 'counted' && writes.length > 0) ?? [];
      expect(counted().length).toBeGreaterThan(1);
      following.abort();
      await follower;
      const before = counted().length;
      const { items } = await client.list(ServiceAccount, { namespace: 'default' });
      await client.create(ServiceAccount, { metadata: { name: 'one-more', namespace: 'default' } });
      const isCounted = ({ metadata }: ConfigMap): boolean =>
        metadata.annotations?.[stampAnnotation] === String(items.length + 1);
      await operator?.object(ConfigMap, 'counted', isCounted);
      await operator?.until('its run', () => counted().length > before);
      for (const name of ['stamped-watched', 'counted']) {
        await client.delete(Secret, `default/${name}`);
        await client.delete(ConfigMap, `default/${name}`);
      }
    },
  );

  it('is slowed if it writes a new value into its own object in each run', async () => {
    const { client } = await operating(SelfStamper);
    await client.create(Secret, { metadata: { name: 'stamping-itself', namespace: 'default' } });
    await operator?.until('the loop', () => loopsOf('self-stamper').length === 1);
    const path = `metadata.annotations.${stampAnnotation}`;
    const loop = { object: 'Secret default/stamping-itself', path, delayMs: 1000, isNew: true };
    expect(loopsOf('self-stamper')).toEqual([loop]);
    await expectTold('self-stamper', 'stamping-itself', loop);
    const before = runsOf('self-stamper');
    expect(before).toBeLessThanOrEqual(20);
    await clock.advance(900);
    expect(runsOf('self-stamper')).toBe(before);
    await clock.advance(200);
    await operator?.until('the next run', () => loopsOf('self-stamper').length === 2);
    await client.delete(Secret, 'default/stamping-itself');
  });

  it('is slowed if another client keeps changing a field of its child', async () => {
    const { client } = await operating(Red);
    const painting = new AbortController();
    const painter = repaint(client, painting.signal);
    await client.create(Secret, { metadata: { name: 'painted-over', namespace: 'default' } });
    await operator?.until('the loop', () => loopsOf('red').length === 1);
    const loop = { object: 'ConfigMap default/painted-over', path: 'data.color', delayMs: 1000, isNew: true };
    expect(loopsOf('red')).toEqual([loop]);
    await expectTold('red', 'painted-over', loop);
    const before = runsOf('red');
    await clock.advance(900);
    expect(runsOf('red')).toBe(before);
    painting.abort();
    await painter;
    await client.delete(Secret, 'default/painted-over');
    await client.delete(ConfigMap, 'default/painted-over');
  });

  it('is slowed if two controllers fight over a field, and still reacts to a change from outside at once', async () => {
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
