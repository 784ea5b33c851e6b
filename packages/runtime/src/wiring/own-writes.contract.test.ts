import { Controller, ListerOf, Reconcile, type Transport, Watches } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { jest } from '@jest/globals';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import type { Lister } from '../cache/index.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import { type ReconcileResult, requeueAfter } from '../reconcile/reconcile-result.ts';
import { TestOperator } from './operator.fixture.ts';

jest.setTimeout(60_000);

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

describeOnEveryServer('a run after one that wrote', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;

  beforeAll(async () => {
    backend = await start();
  });

  afterAll(async () => {
    await operator?.manager.stop();
    await backend.stop();
  });

  it('finds nothing more of a collection that was deleted, and waits for no more than that', async () => {
    valve = new Valve();
    found = [];
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
    const endMs = performance.now() + 100;
    await operator.until('that time', () => performance.now() > endMs);
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
