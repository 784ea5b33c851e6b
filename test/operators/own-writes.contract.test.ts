import {
  Controller,
  Index,
  ListerOf,
  ManualClock,
  ObjectKey,
  Owns,
  Reconcile,
  type Transport,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, Deployment, Secret } from '@evenkeel/kinds';
import type { Lister } from '../../packages/runtime/src/cache/index.ts';
import { parseScrape } from '../../packages/runtime/src/metrics/scrape.fixture.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ReconcileResult, requeueAfter } from '../../packages/runtime/src/reconcile/reconcile-result.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** Holds back the events of watches of ConfigMaps and Deployments while it is closed. */
class Valve {
  #open = Promise.withResolvers<void>();

  constructor() {
    this.#open.resolve();
  }

  shut(): void {
    this.#open = Promise.withResolvers();
  }

  open(): void {
    this.#open.resolve();
  }

  over(inner: Transport): Transport {
    const held = (body: AsyncIterable<Uint8Array>, whenOpen: () => Promise<void>) =>
      (async function* () {
        for await (const chunk of body) {
          await whenOpen();
          yield chunk;
        }
      })();
    return {
      request: async (request) => {
        const response = await inner.request(request);
        if (!/\/(configmaps|deployments)\?.*watch=/.test(request.path)) return response;
        const { status, headers, body } = response;
        return { status, headers, body: held(body, () => this.#open.promise) };
      },
      close: async () => {},
    };
  }
}

let valve: Valve;
let found: string[][];

/** Deletes its ConfigMaps in the first run that sees all three, and reads in the next run. */
@Controller(Secret, { name: 'sweeping' })
class SweepingController {
  constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}

  @Watches(ConfigMap)
  onMap(): [] {
    return [];
  }

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, { client }: ReconcileContext): Promise<ReconcileResult | undefined> {
    if (name !== 'swept') return undefined;
    const labels = { of: name };
    const names = this.maps.list({ namespace: 'default', labels }).map(({ metadata }) => metadata.name);
    if (found.length === 0 && names.length < 3) return requeueAfter('1ms');
    found.push(names.toSorted());
    if (found.length > 1) return undefined;
    valve.shut();
    await client.deleteCollection(ConfigMap, { namespace: 'default', labels, fields: 'metadata.name!=kept' });
    return requeueAfter('1ms');
  }
}

/** The results of reading the child right after its creation, its change and its deletion in a run. */
let read: (string | undefined)[];

/** Creates a child with a name that the server generates, if it sees none. */
@Controller(Secret, { name: 'generating' })
class GeneratingController {
  constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}

  @Watches(ConfigMap)
  onMap(): [] {
    return [];
  }

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { client } = context;
    if (!name.startsWith('generating') && name !== 'reading') return undefined;
    const labels = { of: name };
    if (this.maps.list({ namespace: 'default', labels }).length > 0) return undefined;
    const { metadata } = await client.create(ConfigMap, {
      metadata: { generateName: `${name}-`, namespace: 'default', labels },
      data: { is: 'made' },
    });
    if (name !== 'reading') return requeueAfter('1ms');
    const child = `default/${metadata.name}`;
    const look = () => read.push(this.maps.get(child)?.data?.['is']);
    look();
    await client.patch(ConfigMap, child, { merge: { data: { is: 'changed' } } });
    look();
    await client.delete(ConfigMap, child);
    look();
    return undefined;
  }
}

/** Creates its child in its first run, and then checks whether it sees the child. */
@Controller(Secret, { name: 'waiting' })
class WaitingController {
  constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}

  @Watches(ConfigMap)
  onMap(): [] {
    return [];
  }

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, { client }: ReconcileContext): Promise<ReconcileResult | undefined> {
    if (name !== 'waiting') return undefined;
    found.push(this.maps.list({ namespace: 'default', labels: { of: name } }).map(({ metadata }) => metadata.name));
    if (found.length > 1) return undefined;
    await client.create(ConfigMap, { metadata: { name: 'waited-for', namespace: 'default', labels: { of: name } } });
    return requeueAfter('1ms');
  }
}

/** In its first run, removes an object from the selection of its watch and adds another; reads in between and in the next run. */
@Controller(Secret, { name: 'leaving' })
class LeavingController {
  constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}

  @Watches(ConfigMap, { labels: { in: 'yes' } })
  onMap(): [] {
    return [];
  }

  @Index('is', ConfigMap)
  whatItIs({ data }: ConfigMap): string[] {
    return Object.values(data ?? {});
  }

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, { client }: ReconcileContext): Promise<ReconcileResult | undefined> {
    if (name !== 'left') return undefined;
    const names = (maps: readonly ConfigMap[]) => maps.map(({ metadata }) => metadata.name).toSorted();
    const inDefault = { namespace: 'default' };
    const look = () => {
      const gotten = ['default/goes', 'default/comes', 'default/passes'].flatMap((key) => this.maps.get(key) ?? []);
      const read = [gotten, this.maps.list(inDefault), this.maps.byIndex('is', 'old'), this.maps.byIndex('is', 'new')];
      found.push(read.map((maps) => names(maps).join()));
    };
    if (found.length === 0 && this.maps.list(inDefault).length === 0) return requeueAfter('1ms');
    look();
    if (found.length > 1) return undefined;
    valve.shut();
    const labels = { in: 'yes' };
    const data = { is: 'new' };
    await client.patch(ConfigMap, 'default/goes', { merge: { metadata: { labels: { in: null } }, data } });
    await client.create(ConfigMap, { metadata: { name: 'comes', namespace: 'default', labels }, data });
    await client.create(ConfigMap, { metadata: { name: 'passes', namespace: 'default', labels }, data });
    await client.patch(ConfigMap, 'default/passes', { merge: { metadata: { labels: { in: null } } } });
    look();
    return requeueAfter('1ms');
  }
}

/** Changes the one ConfigMap that it watches. */
@Controller(Secret, { name: 'settled' })
class SettledController {
  constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}

  @Watches(ConfigMap, { fields: { 'metadata.name': 'settings' } })
  onMap(): [] {
    return [];
  }

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, { client }: ReconcileContext): Promise<ReconcileResult | undefined> {
    if (name !== 'settled') return undefined;
    const settings = this.maps.get('default/settings');
    if (settings === undefined) return requeueAfter('1ms');
    found.push([settings.data?.['is'] ?? '']);
    if (found.length > 1) return undefined;
    valve.shut();
    await client.patch(ConfigMap, 'default/settings', { merge: { data: { is: 'new' } } });
    return requeueAfter('1ms');
  }
}

/** Scales its Deployment in the first run that sees it, and reads in the next run. */
@Controller(Secret, { name: 'scaling' })
class ScalingController {
  constructor(@ListerOf(Deployment) readonly deployments: Lister<Deployment>) {}

  @Watches(Deployment)
  onDeployment(): ObjectKey[] {
    return [new ObjectKey('scaled', 'default')];
  }

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, { client }: ReconcileContext): Promise<ReconcileResult | undefined> {
    const key = 'default/scaled';
    const deployment = this.deployments.get(key);
    if (name !== 'scaled' || deployment === undefined) return undefined;
    found.push([String(deployment.spec?.replicas)]);
    if (found.length > 1) return undefined;
    valve.shut();
    await client.subresource(Deployment, key, 'scale').patch({ merge: { spec: { replicas: 5 } } });
    return requeueAfter('1ms');
  }
}

/** Claims objects with its name as a label, and runs again at once after a release, during which it closes the valve. */
@Controller(Secret, { name: 'releasing' })
@Owns(ConfigMap)
class ReleasingController {
  constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}

  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    if (name !== 'releasing') return undefined;
    const releases = this.maps.get('default/released')?.metadata.labels?.['set'] === 'other';
    if (releases) valve.shut();
    const claimed = await context.claim(ConfigMap, { matchLabels: { set: name } });
    found.push([...claimed.map(({ metadata }) => metadata.name), ...(releases ? ['let go'] : [])]);
    return releases ? requeueAfter('1ms') : undefined;
  }
}

describeOnEveryServer('a run after one that wrote', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;

  beforeAll(async () => {
    backend = await start();
  });

  beforeEach(() => {
    valve = new Valve();
    found = [];
    read = [];
  });

  afterEach(async () => {
    await operator?.manager.stop();
    operator = undefined;
  });

  afterAll(() => backend.stop());

  const secret = (name: string) => ({ metadata: { name, namespace: 'default' } });

  /** The time to wait for an event that must not come. */
  async function aWhile(waiting: TestOperator): Promise<void> {
    const endMs = performance.now() + 100;
    await waiting.until('that time', () => performance.now() > endMs);
  }

  it.each([
    ['creates no second child before a cache has the first one', 'generating'],
    ['creates no second child if its owner changed in the meantime', 'generating-changed'],
  ])('%s', async (_, name) => {
    operator = await TestOperator.start(backend, [GeneratingController], {
      transport: valve.over(backend.transport()),
    });
    const { client, runs } = operator;
    valve.shut();
    await client.create(Secret, secret(name));
    const ofIt = () => runs.filter(({ key }) => key.name === name);
    await operator.until('the first run', () => ofIt().length > 0);
    if (name === 'generating-changed') {
      await client.patch(Secret, `default/${name}`, { merge: { metadata: { annotations: { changed: 'yes' } } } });
    }
    await aWhile(operator);
    expect(ofIt()).toHaveLength(1);
    valve.open();
    await operator.until('the second run', () => ofIt().length > 1);
    expect((await client.list(ConfigMap, { namespace: 'default', labels: { of: name } })).items).toHaveLength(1);
    expect(ofIt().flatMap(({ writes }) => writes.map(({ effect }) => effect))).toEqual(['created']);
    expect(operator.warnings).toEqual([]);
    expect(operator.manager.health.lateWrites).toBe(0);
  });

  it('follows a run that reads its own writes as in the response of the server', async () => {
    operator = await TestOperator.start(backend, [GeneratingController], {
      transport: valve.over(backend.transport()),
    });
    valve.shut();
    await operator.client.create(Secret, secret('reading'));
    await operator.until('the run', () => read.length === 3);
    valve.open();
    expect(read).toEqual(['made', 'changed', undefined]);
  });

  it('starts after 5 s at the latest, and the delay is reported', async () => {
    const clock = new ManualClock(new Date());
    operator = await TestOperator.start(backend, [WaitingController], {
      transport: valve.over(backend.transport()),
      metrics: { address: '127.0.0.1:0' },
      clock,
    });
    const { client, manager, warnings } = operator;
    const lateWrites = () => [
      manager.health.lateWrites,
      parseScrape(manager.metrics.text()).value('evenkeel_late_writes_total'),
    ];
    valve.shut();
    await client.create(Secret, secret('waiting'));
    await operator.until('the first run', () => operator?.outcomes('waiting').length === 1);
    await clock.advance(4900);
    await aWhile(operator);
    expect([found.length, ...lateWrites()]).toEqual([1, 0, 0]);
    await clock.advance(200);
    await operator.until('the second run', () => found.length === 2);
    expect(found).toEqual([[], []]);
    expect(lateWrites()).toEqual([1, 1]);
    expect(warnings).toMatchObject([
      {
        message: 'a cache did not receive a write in time',
        keys: { kind: 'ConfigMap', object: 'default/waited-for', afterMs: 5000 },
      },
    ]);
    // The key continues, and a late event is seen.
    valve.open();
    const seen = async (): Promise<boolean> => {
      const merge = { metadata: { annotations: { at: String(found.length) } } };
      await client.patch(Secret, 'default/waiting', { merge });
      return found.at(-1)?.join() === 'waited-for';
    };
    await operator.until('a run that sees it', seen);
    expect(lateWrites()).toEqual([1, 1]);
    expect(warnings).toHaveLength(1);
  });

  it('does not see the deleted objects of a collection, and waits only for their deletion', async () => {
    operator = await TestOperator.start(backend, [SweepingController], { transport: valve.over(backend.transport()) });
    const { client, runs } = operator;
    for (const name of ['one', 'two', 'kept']) {
      await client.create(ConfigMap, { metadata: { name, namespace: 'default', labels: { of: 'swept' } } });
    }
    await client.patch(ConfigMap, 'default/two', { merge: { metadata: { finalizers: ['example.com/held'] } } });
    await client.create(Secret, { metadata: { name: 'swept', namespace: 'default' } });
    const sweep = () => runs.find(({ writes }) => writes.length > 0);
    await operator.until('the first run', () => sweep() !== undefined);
    // Enough time for the second run, which is due.
    await aWhile(operator);
    expect(found).toEqual([['kept', 'one', 'two']]);
    valve.open();
    await operator.until('the second run', () => found.length === 2);
    expect(found[1]).toEqual(['kept', 'two']);
    expect(
      sweep()
        ?.writes.map(({ verb, key }) => `${verb} ${key.name}`)
        .toSorted(),
    ).toEqual(['delete one', 'delete two']);
    expect(operator.warnings).toEqual([]);
  });

  it('does not see objects that were removed from the selection of a watch, but sees added ones', async () => {
    operator = await TestOperator.start(backend, [LeavingController], { transport: valve.over(backend.transport()) });
    const { client } = operator;
    const metadata = { name: 'goes', namespace: 'default', labels: { in: 'yes' } };
    await client.create(ConfigMap, { metadata, data: { is: 'old' } });
    await client.create(Secret, secret('left'));
    await operator.until('the first run', () => found.length > 1);
    await aWhile(operator);
    expect(found).toEqual([
      ['goes', 'goes', 'goes', ''],
      ['comes', 'comes', '', 'comes'],
    ]);
    valve.open();
    await operator.until('the second run', () => found.length > 2);
    expect(found[2]).toEqual(['comes', 'comes', '', 'comes']);
    expect(operator.manager.health.lateWrites).toBe(0);
  });

  it('sees the write if a field selector names the object', async () => {
    operator = await TestOperator.start(backend, [SettledController], { transport: valve.over(backend.transport()) });
    const { client } = operator;
    await client.create(ConfigMap, { metadata: { name: 'settings', namespace: 'default' }, data: { is: 'old' } });
    await client.create(Secret, secret('settled'));
    await operator.until('the first run', () => found.length > 0);
    await aWhile(operator);
    expect(found).toEqual([['old']]);
    valve.open();
    await operator.until('the second run', () => found.length > 1);
    expect(found).toEqual([['old'], ['new']]);
    expect(operator.manager.health.lateWrites).toBe(0);
  });

  it('sees a write through a subresource, which does not trigger it', async () => {
    operator = await TestOperator.start(backend, [ScalingController], { transport: valve.over(backend.transport()) });
    const { client, runs } = operator;
    const labels = { app: 'scaled' };
    await client.create(Deployment, {
      metadata: { name: 'scaled', namespace: 'default' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
    });
    await client.create(Secret, secret('scaled'));
    await operator.until('the first run', () => found.length > 0);
    await aWhile(operator);
    expect(found).toEqual([['1']]);
    valve.open();
    await operator.until('the second run', () => found.length > 1);
    await aWhile(operator);
    expect(found).toEqual([['1'], ['5']]);
    const ofIt = runs.filter(({ key }) => key.name === 'scaled');
    const after = ofIt.slice(ofIt.findIndex(({ writes }) => writes.length > 0));
    expect(after.map(({ writes, triggers }) => [writes.length, triggers.map(({ verb }) => verb)])).toEqual([
      [1, expect.anything()],
      [0, ['requeued']],
    ]);
    expect(after[0]?.writes).toMatchObject([{ subresource: 'scale', effect: 'changed', uid: expect.any(String) }]);
    expect(operator.manager.health.lateWrites).toBe(0);
  });

  it('does not release an object twice', async () => {
    operator = await TestOperator.start(backend, [ReleasingController], {
      transport: valve.over(backend.transport()),
    });
    const { client } = operator;
    const metadata = { name: 'released', namespace: 'default', labels: { set: 'releasing' } };
    await client.create(ConfigMap, { metadata });
    await client.create(Secret, secret('releasing'));
    await operator.until('the claim', () => found.flat().includes('released'));
    await client.patch(ConfigMap, 'default/released', { merge: { metadata: { labels: { set: 'other' } } } });
    await operator.until('the release', () => found.flat().includes('let go'));
    await aWhile(operator);
    valve.open();
    await operator.until('the next run', () => found.at(-1)?.length === 0);
    await operator.until('its end', () => (operator?.outcomes('releasing') ?? []).length >= found.length);
    expect(found.filter((names) => names.length > 0)).toEqual([['released'], ['let go']]);
    expect(new Set(operator.outcomes('releasing'))).toEqual(new Set(['await-change', 'requeue-after']));
    expect(operator.manager.health.lateWrites).toBe(0);
  });
});
