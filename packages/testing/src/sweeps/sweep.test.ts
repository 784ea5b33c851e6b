import { type Client, createClient } from '@evenkeel/client';
import { ignoreNotFound, isConflict } from '@evenkeel/core';
import { ConfigMap, Service } from '@evenkeel/kinds';
import { Environment } from '../environment.ts';
import { widget, widgetDefinition, widgets } from '../widget.fixture.ts';
import { crashSweep } from './crash-sweep.ts';
import { faultSweep } from './fault-sweep.ts';
import { foreignObjectSweep } from './foreign-object-sweep.ts';
import type { SweepConnection, SweepOptions, SweepRound } from './sweep.ts';

/** Makes what a Widget asks for; called again and again while it throws. */
type Make = (client: Client, namespace: string, size: number) => Promise<void>;

/** An operator without a framework: it looks at the Widgets of its namespace every few milliseconds. */
class PollingOperator {
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;

  constructor({ transport, namespaces: [namespace = ''], killed }: SweepConnection, make: Make, triesAgain = true) {
    this.#done = this.#run(createClient(transport, { fieldManager: 'polling' }), namespace, killed, make, triesAgain);
  }

  async #run(client: Client, namespace: string, killed: AbortSignal, make: Make, triesAgain: boolean): Promise<void> {
    const seen = new Map<string, string | undefined>();
    while (!this.#stopping.signal.aborted && !killed.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      try {
        for (const { metadata, ...rest } of (await client.list(widgets, { namespace })).items) {
          if (seen.get(metadata.name) === metadata.resourceVersion) continue;
          if (!triesAgain) seen.set(metadata.name, metadata.resourceVersion);
          await make(client, namespace, (rest['spec'] as { size: number }).size);
          seen.set(metadata.name, metadata.resourceVersion);
        }
      } catch {
        // The next look tries again.
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }
}

const map = (namespace: string, name: string, data: Record<string, string>) => ({
  metadata: { name, namespace },
  data,
});

/** Two children, each by an apply. */
const right: Make = async (client, namespace, size) => {
  await client.apply(ConfigMap, map(namespace, 'one', { size: String(size) }), { force: true });
  await client.apply(ConfigMap, map(namespace, 'two', { size: String(size) }), { force: true });
};

/** Two children, each created only where there is none. */
const careful: Make = async (client, namespace, size) => {
  for (const name of ['one', 'two']) {
    const { items } = await client.list(ConfigMap, { namespace, fields: { 'metadata.name': name } });
    if (items.length > 0) continue;
    await client.create(ConfigMap, map(namespace, name, { size: String(size) })).catch(() => undefined);
  }
};

const scenario = async ({ client, namespace, eventually }: SweepRound): Promise<void> => {
  await client.create(widgets, widget(namespace, 'swept', { size: 2 }));
  await eventually(async () => {
    const { items } = await client.list(ConfigMap, { namespace });
    expect(items.map(({ data }) => data?.['size'])).toEqual(['2', '2']);
  });
};

describe('sweeps', () => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await Environment.create({ kind: 'embedded', controllers: false, definitions: [widgetDefinition()] });
  });
  afterAll(() => environment.close());

  const options = (make: Make, triesAgain = true): SweepOptions => ({
    environment,
    operator: async (connection) => new PollingOperator(connection, make, triesAgain),
    scenario,
    kinds: [widgets, ConfigMap],
    concurrency: 8,
    quiet: '20ms',
  });

  it('pass an operator that concludes everything from what is there, and tell what it called', async () => {
    const crashes = await crashSweep(options(right));
    const writes = ['PATCH configmaps one', 'PATCH configmaps two'];
    // It sends what is there already, which changes nothing.
    expect(crashes).toMatchObject({ rounds: 4, writes, idleWrites: writes });
    expect(crashes.calls.at(0)).toBe('GET widgets.testing.example.com');
  });

  it('do not compare what the server assigns to a Service, nor where that is told', async () => {
    const serving: Make = async (client, namespace) => {
      const metadata = { name: 'swept', namespace };
      const spec = { type: 'NodePort' as const, selector: { app: 'swept' }, ports: [{ port: 80 }] };
      const service = await client.apply(Service, { metadata, spec }, { force: true });
      const headless = { metadata: { name: 'headless', namespace }, spec: { ...spec, type: 'ClusterIP' as const } };
      await client.apply(Service, { ...headless, spec: { ...headless.spec, clusterIP: 'None' } }, { force: true });
      await client.apply(ConfigMap, map(namespace, 'one', { address: service.spec?.clusterIP ?? '' }), { force: true });
    };
    const masked: string[] = [];
    const { rounds } = await crashSweep({
      ...options(serving),
      kinds: [widgets, ConfigMap, Service],
      scenario: async ({ client, namespace, eventually }) => {
        await client.create(widgets, widget(namespace, 'swept', { size: 2 }));
        await eventually(async () => client.get(ConfigMap, `${namespace}/one`));
      },
      mask: ({ kind, metadata }) => masked.push(`${kind} ${metadata.name}`),
    });
    expect(rounds).toBe(6);
    expect(masked).toContain('Service headless');
  });

  it('find an operator that makes a second child where it died before it had noted the first', async () => {
    const generated: Make = async (client, namespace, size) => {
      const { items } = await client.list(ConfigMap, { namespace, labels: 'noted' });
      if (items.length > 0) return;
      const { metadata } = await client.create(ConfigMap, {
        metadata: { generateName: 'child-', namespace },
        data: { size: String(size) },
      });
      await client.patch(ConfigMap, `${namespace}/${metadata.name}`, {
        merge: { metadata: { labels: { noted: '' } } },
      });
    };
    const once = options(generated);
    const sweep = crashSweep({
      ...once,
      scenario: async ({ client, namespace, eventually }) => {
        await client.create(widgets, widget(namespace, 'swept', { size: 2 }));
        await eventually(async () => {
          expect((await client.list(ConfigMap, { namespace, labels: 'noted' })).items).toHaveLength(1);
        });
      },
      // A name of chance.
      mask: (object) => {
        object.metadata.name = object.metadata.name.replace(/^child-.*/, 'child');
        delete object.metadata.generateName;
      },
    });
    await expect(sweep).rejects.toMatchObject({ code: 'sweep-diverged' });
    await expect(sweep).rejects.toThrow(
      /killed after write 1 of 2 \(POST configmaps\): .*2 configmaps were created, in a good run 1/,
    );
    await expect(sweep).rejects.not.toThrow('killed before write 1');
  });

  it('find an operator that deletes and makes again what is there already', async () => {
    const rebuilding: Make = async (client, namespace, size) => {
      for (const name of ['one', 'two']) {
        const child = map(namespace, name, { size: String(size) });
        const there = await ignoreNotFound(client.get(ConfigMap, `${namespace}/${name}`));
        if (there !== undefined && name === 'one' && there.metadata.annotations?.['done'] === undefined) {
          await client.delete(ConfigMap, `${namespace}/${name}`);
        } else if (there !== undefined) continue;
        await client.create(ConfigMap, child);
        await client.patch(ConfigMap, `${namespace}/${name}`, { merge: { metadata: { annotations: { done: '' } } } });
      }
    };
    await expect(crashSweep(options(rebuilding))).rejects.toThrow(
      /killed after write 1 of 4 \(POST configmaps\): .*1 configmaps were deleted, in a good run 0/,
    );
  });

  it('find an operator that acts on an event once, and not again where that failed', async () => {
    const sweep = faultSweep({ ...options(right, false), faults: ['internal-error', 'answer-lost'], timeout: '1s' });
    await expect(sweep).rejects.toThrow(
      /internal-error at call \d+ of \d+ \(PATCH configmaps one\): not so within [\d.]+ s/,
    );
    await expect(sweep).rejects.toThrow(/answer-lost at call \d+ of \d+ \(PATCH configmaps one\)/);
  });

  it('find an operator that takes a conflict for success', async () => {
    const careless: Make = async (client, namespace, size) => {
      for (const name of ['one', 'two']) {
        const child = map(namespace, name, { size: String(size) });
        await client.apply(ConfigMap, child, { force: true }).catch((error: unknown) => {
          if (!isConflict(error)) throw error;
        });
      }
    };
    await expect(faultSweep({ ...options(careless), faults: ['conflict'], timeout: '1s' })).rejects.toThrow(
      /^the operator did not come to the same end\nconflict at call \d+ of \d+ \(PATCH configmaps (?:one|two)\)/,
    );
    await expect(faultSweep({ ...options(right), faults: ['conflict'] })).resolves.toMatchObject({
      rounds: 2,
      writes: ['PATCH configmaps one', 'PATCH configmaps two'],
    });
  });

  it('strike in each round, also where an operator gets by with a call less now and then', async () => {
    const namespaces = new Set<string>();
    const sparing: Make = async (client, namespace, size) => {
      await right(client, namespace, size);
      namespaces.add(namespace);
      // Changes nothing.
      if (namespaces.size % 2 === 1) await client.patch(ConfigMap, `${namespace}/two`, { merge: {} });
    };
    const { rounds, writes } = await crashSweep({ ...options(sparing), concurrency: 1 });
    expect([rounds, writes.length]).toEqual([4, 2]);
  });

  it('say of a round that never came to the call that was to be struck that it did not', async () => {
    const namespaces = new Set<string>();
    const tiring: Make = async (client, namespace, size) => {
      await right(client, namespace, size);
      namespaces.add(namespace);
      if (namespaces.size <= 2) await client.patch(ConfigMap, `${namespace}/two`, { merge: {} });
    };
    const sweep = crashSweep({ ...options(tiring), concurrency: 1 });
    await expect(sweep).rejects.toMatchObject({ code: 'sweep-diverged' });
    await expect(sweep).rejects.toThrow(
      /killed before write 3 of 3 \(PATCH configmaps two\): nothing was struck in 4 tries: the last came to \d+ calls and 2 writes/,
    );
    await expect(sweep).rejects.not.toThrow('write 2 of 3');
  });

  it('say of an operator that writes where everything is done that it does', async () => {
    const restless: Make = async (client, namespace, size) => {
      await right(client, namespace, size);
      await client.patch(ConfigMap, `${namespace}/one`, { merge: { data: { at: String(performance.now()) } } });
    };
    await expect(crashSweep(options(restless))).rejects.toThrow(
      /without any fault: started again with nothing to do, it changed ConfigMap one: resourceVersion is/,
    );
  });

  it('say of a scenario that two good runs end differently, and where', async () => {
    const chance: Make = async (client, namespace, size) => {
      const { items } = await client.list(ConfigMap, { namespace });
      if (items.length === 2) return;
      for (const name of ['one', 'two']) {
        await client.create(ConfigMap, map(namespace, name, { size: String(size), at: String(performance.now()) }));
      }
    };
    await expect(crashSweep(options(chance))).rejects.toThrow(
      /two runs without any fault: ConfigMap one: data\.at is "[\d.]+" and should be "[\d.]+"; .*take out with mask what may differ/,
    );
  });

  it('say of an operator that does not start that it does not', async () => {
    const sweep = crashSweep({
      ...options(right),
      operator: () => Promise.reject(new Error('no such controller')),
    });
    await expect(sweep).rejects.toThrow('without any fault: no such controller');
  });

  it('find an operator that takes over what has the name of a child', async () => {
    const sweep = foreignObjectSweep(options(right));
    await expect(sweep).rejects.toMatchObject({ code: 'sweep-diverged' });
    for (const name of ['one', 'two']) {
      await expect(sweep).rejects.toThrow(
        `configmaps ${name} owned by nobody: the operator wrote it (PATCH configmaps`,
      );
      await expect(sweep).rejects.toThrow(`configmaps ${name} controlled by another object: the operator wrote it`);
    }
  });

  it('find an operator that deletes what has the name of a child', async () => {
    const replacing: Make = async (client, namespace, size) => {
      for (const { metadata } of (await client.list(ConfigMap, { namespace })).items) {
        const isForeign = metadata.managedFields?.some(({ manager }) => manager !== 'polling') === true;
        if (isForeign && ['one', 'two'].includes(metadata.name))
          await client.deleteCollection(ConfigMap, { namespace });
      }
      await careful(client, namespace, size);
    };
    await expect(foreignObjectSweep(options(replacing))).rejects.toThrow(
      /configmaps one owned by nobody: it was changed: it: metadata\.uid is/,
    );
  });

  it('pass an operator that leaves alone what has the name of a child, and tell what its children are', async () => {
    expect(await foreignObjectSweep(options(careful))).toEqual({
      rounds: 6,
      children: ['configmaps one', 'configmaps two'],
    });
  });

  it('find an operator that never looks for what has the name of a child', async () => {
    const namespaces = new Set<string>();
    const once: Make = async (client, namespace, size) => {
      namespaces.add(namespace);
      if (namespaces.size <= 1) await careful(client, namespace, size);
    };
    await expect(foreignObjectSweep({ ...options(once), timeout: '300ms' })).rejects.toThrow(
      'the operator never asked for it, nor tried to write it',
    );
  });
});
