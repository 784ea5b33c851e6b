import { Controller, ListerOf, ManualClock, Reconcile, type Transport, Watches } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import type { Lister } from '../cache/index.ts';
import { parseScrape } from '../metrics/scrape.fixture.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import { type ReconcileResult, requeueAfter } from '../reconcile/reconcile-result.ts';
import { TestOperator } from './operator.fixture.ts';

/** Lets nothing through that watches of ConfigMaps bring while it is shut. */
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
        if (!/\/configmaps\?.*watch=/.test(request.path)) return response;
        const { status, headers, body } = response;
        return { status, headers, body: held(body, () => this.#open.promise) };
      },
      close: async () => {},
    };
  }
}

let valve: Valve;
let found: string[][];

/** Deletes its ConfigMaps in the first run that sees all three, and looks in the next. */
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
    const names = this.maps.list({ labels }).map(({ metadata }) => metadata.name);
    if (found.length === 0 && names.length < 3) return requeueAfter('1ms');
    found.push(names.toSorted());
    if (found.length > 1) return undefined;
    valve.shut();
    await client.deleteCollection(ConfigMap, { namespace: 'default', labels, fields: 'metadata.name!=kept' });
    return requeueAfter('1ms');
  }
}

/** What a run read of its child right after it had made it, changed it, and deleted it. */
let read: (string | undefined)[];

/** Makes a child with a name of the server's where it sees none. */
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
    if (this.maps.list({ labels }).length > 0) return undefined;
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

/** Makes its child in its first run, and then looks whether it sees it. */
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
    found.push(this.maps.list({ labels: { of: name } }).map(({ metadata }) => metadata.name));
    if (found.length > 1) return undefined;
    await client.create(ConfigMap, { metadata: { name: 'waited-for', namespace: 'default', labels: { of: name } } });
    return requeueAfter('1ms');
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

  /** For what is due and must not come. */
  async function aWhile(waiting: TestOperator): Promise<void> {
    const endMs = performance.now() + 100;
    await waiting.until('that time', () => performance.now() > endMs);
  }

  it.each([
    ['makes no second child while no cache has the first', 'generating'],
    ['makes none either where its owner was changed meanwhile', 'generating-changed'],
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

  it('is preceded by one that reads what it wrote as the server answered', async () => {
    operator = await TestOperator.start(backend, [GeneratingController], {
      transport: valve.over(backend.transport()),
    });
    valve.shut();
    await operator.client.create(Secret, secret('reading'));
    await operator.until('the run', () => read.length === 3);
    valve.open();
    expect(read).toEqual(['made', 'changed', undefined]);
  });

  it('comes after 5 s all the same, and that is told', async () => {
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
        message: 'a cache has not seen a write in time',
        keys: { kind: 'ConfigMap', object: 'default/waited-for', afterMs: 5000 },
      },
    ]);
    // The key goes on, and what comes late is seen.
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

  it('finds nothing more of a collection that was deleted, and waits for no more than that', async () => {
    operator = await TestOperator.start(backend, [SweepingController], { transport: valve.over(backend.transport()) });
    const { client, runs } = operator;
    for (const name of ['one', 'two', 'kept']) {
      await client.create(ConfigMap, { metadata: { name, namespace: 'default', labels: { of: 'swept' } } });
    }
    await client.patch(ConfigMap, 'default/two', { merge: { metadata: { finalizers: ['example.com/held'] } } });
    await client.create(Secret, { metadata: { name: 'swept', namespace: 'default' } });
    const sweep = () => runs.find(({ writes }) => writes.length > 0);
    await operator.until('the first run', () => sweep() !== undefined);
    // Time enough for the second, which is due.
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
});
