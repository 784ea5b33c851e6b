import { type Client, createClient } from '@evenkeel/client';
import { ignoreNotFound, isConflict } from '@evenkeel/core';
import { ConfigMap, Lease, PersistentVolumeClaim, Service } from '@evenkeel/kinds';
import { Environment } from '../environment.ts';
import { widget, widgetDefinition, widgets } from '../widget.fixture.ts';
import { crashSweep } from './crash-sweep.ts';
import { faultSweep } from './fault-sweep.ts';
import { foreignObjectSweep } from './foreign-object-sweep.ts';
import type { SweepConnection, SweepOptions, SweepRound } from './sweep-options.ts';

/** Creates the children of a Widget; called again while it throws. */
type Make = (client: Client, namespace: string, size: number) => Promise<void>;

/** An operator without a framework: it polls the Widgets of its namespace every few milliseconds. */
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
        // The next poll tries again.
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

/** Two children, each applied. */
const right: Make = async (client, namespace, size) => {
  await client.apply(ConfigMap, map(namespace, 'one', { size: String(size) }), { force: true });
  await client.apply(ConfigMap, map(namespace, 'two', { size: String(size) }), { force: true });
};

/** Two children, each created only if it is missing. */
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

  it('accept an operator that depends only on the current state, and report its calls', async () => {
    const crashes = await crashSweep(options(right));
    const writes = ['PATCH configmaps one', 'PATCH configmaps two'];
    // It sends the existing state, which changes nothing.
    expect(crashes).toMatchObject({ rounds: 6, writes, idleWrites: writes });
    expect(crashes.calls.at(0)).toBe('GET widgets.testing.example.com');
  });

  it('kill an operator when it has the response of a write, also if it sends nothing more', async () => {
    const steps: string[][] = [];
    const { rounds } = await crashSweep({
      ...options(right),
      operator: async (connection) => {
        const own: string[] = [];
        steps.push(own);
        return new PollingOperator(connection, async (client, namespace, size) => {
          for (const name of ['one', 'two']) {
            await client.apply(ConfigMap, map(namespace, name, { size: String(size) }), { force: true });
            own.push(`wrote ${name} ${connection.killed.aborted ? 'when it was killed' : ''}`.trim());
          }
        });
      },
    });
    expect(rounds).toBe(6);
    const count = (...wanted: string[]): number => steps.filter((own) => String(own) === String(wanted)).length;
    // Killed before or during write 1. Killed after write 1, and before or during write 2.
    expect([count(), count('wrote one')]).toEqual([2, 3]);
    // Killed after write 2, six operators that continue, and two that are started twice.
    expect(count('wrote one', 'wrote two')).toBe(1 + 6 + 4);
  });

  it('do not compare values that the server assigns to a Service, wherever they are', async () => {
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
    expect(rounds).toBe(9);
    expect(masked).toContain('Service headless');
  });

  it('give mask instances of the classes that the client returns, with their types', async () => {
    const timed: Make = async (client, namespace, size) => {
      const { items } = await client.list(ConfigMap, { namespace });
      if (items.length > 0) return;
      const data = { size: String(size), at: String(performance.now()) };
      await client.apply(ConfigMap, map(namespace, 'one', data), { force: true });
    };
    const classes = new Set<unknown>();
    const { operator } = options(timed);
    const { rounds } = await crashSweep({
      environment,
      operator,
      scenario: async ({ client, namespace, eventually }) => {
        await client.create(widgets, widget(namespace, 'swept', { size: 2 }));
        await eventually(() => client.get(ConfigMap, `${namespace}/one`));
      },
      kinds: [ConfigMap, Service],
      mask: (object) => {
        classes.add(object.constructor);
        if (object instanceof ConfigMap) delete object.data?.['at'];
        // @ts-expect-error: no kind has this field
        else delete object.spec?.unknown;
      },
      quiet: '20ms',
    });
    expect(rounds).toBe(3);
    expect([...classes]).toEqual([ConfigMap]);
  });

  it('find an operator that creates a second child if it is killed before it records the first', async () => {
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
      // A random name.
      mask: (object) => {
        object.metadata.name = object.metadata.name.replace(/^child-.*/, 'child');
        delete object.metadata.generateName;
      },
    });
    await expect(sweep).rejects.toMatchObject({ code: 'sweep-diverged' });
    await expect(sweep).rejects.toThrow(
      /killed during write 1 of 2 \(POST configmaps\): .*created 2 configmaps instead of 1/,
    );
    await expect(sweep).rejects.not.toThrow('killed before write 1');
  });

  it('find an operator that keeps a lock when it is killed, if Leases are among the kinds', async () => {
    const locked: Make = async (client, namespace, size) => {
      const lease = await client.create(Lease, { metadata: { generateName: 'lock-', namespace } });
      await careful(client, namespace, size);
      await client.delete(Lease, `${namespace}/${lease.metadata.name}`);
    };
    expect((await crashSweep(options(locked))).writes).toEqual(['POST configmaps', 'POST configmaps']);
    const kinds = [widgets, ConfigMap, Lease];
    const mask = ({ kind, metadata }: { kind: string; metadata: { name: string } }): void => {
      if (kind === 'Lease') metadata.name = 'lock';
    };
    await expect(crashSweep({ ...options(locked), kinds, mask })).rejects.toThrow('Lease lock exists but should not');
    // A Lease is no child: its name is usually taken by another holder.
    const { children } = await foreignObjectSweep({ ...options(locked), kinds });
    expect(children).toEqual(['configmaps one', 'configmaps two']);
  });

  it('find an operator that deletes and recreates existing children', async () => {
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
      /killed during write 1 of 4 \(POST configmaps\): .*deleted 1 configmaps instead of 0/,
    );
  });

  it('find an operator that does not retry after a failed event', async () => {
    const sweep = faultSweep({ ...options(right, false), faults: ['internal-error', 'answer-lost'], timeout: '1s' });
    await expect(sweep).rejects.toThrow(
      /internal-error at call \d+ of \d+ \(PATCH configmaps one\): assertion still failing after [\d.]+ s/,
    );
    await expect(sweep).rejects.toThrow(/answer-lost at call \d+ of \d+ \(PATCH configmaps one\)/);
  });

  it('find an operator that treats a conflict as success', async () => {
    const careless: Make = async (client, namespace, size) => {
      for (const name of ['one', 'two']) {
        const child = map(namespace, name, { size: String(size) });
        await client.apply(ConfigMap, child, { force: true }).catch((error: unknown) => {
          if (!isConflict(error)) throw error;
        });
      }
    };
    await expect(faultSweep({ ...options(careless), faults: ['conflict'], timeout: '1s' })).rejects.toThrow(
      /^the operator did not reach the same end state\nconflict at call \d+ of \d+ \(PATCH configmaps (?:one|two)\)/,
    );
    await expect(faultSweep({ ...options(right), faults: ['conflict'] })).resolves.toMatchObject({
      rounds: 2,
      writes: ['PATCH configmaps one', 'PATCH configmaps two'],
    });
  });

  it('apply a fault in each round, even if an operator sometimes makes one call less', async () => {
    const namespaces = new Set<string>();
    const sparing: Make = async (client, namespace, size) => {
      await right(client, namespace, size);
      namespaces.add(namespace);
      // Changes nothing.
      if (namespaces.size % 2 === 1) await client.patch(ConfigMap, `${namespace}/two`, { merge: {} });
    };
    const { rounds, writes } = await crashSweep({ ...options(sparing), concurrency: 1 });
    expect([rounds, writes.length]).toEqual([6, 2]);
  });

  it('report a round that never reached the call of its fault', async () => {
    const namespaces = new Set<string>();
    const tiring: Make = async (client, namespace, size) => {
      await right(client, namespace, size);
      namespaces.add(namespace);
      if (namespaces.size <= 2) await client.patch(ConfigMap, `${namespace}/two`, { merge: {} });
    };
    const sweep = crashSweep({ ...options(tiring), concurrency: 1 });
    await expect(sweep).rejects.toMatchObject({ code: 'sweep-not-repeatable' });
    await expect(sweep).rejects.toThrow(
      /^the fault did not happen in 3 of 9 rounds, because the operator made fewer calls than in the rounds without a fault; let the scenario wait until the operator is done, .*All other rounds reached the same end state\n/,
    );
    await expect(sweep).rejects.toThrow(
      /killed before write 3 of 3 \(PATCH configmaps two\): the fault did not happen in 4 attempts: the last had \d+ calls and 2 writes/,
    );
    await expect(sweep).rejects.not.toThrow('write 2 of 3');
  });

  it('report other end states first, and then the rounds without their fault', async () => {
    const namespaces = new Set<string>();
    const both: Make = async (client, namespace, size) => {
      namespaces.add(namespace);
      await right(client, namespace, namespaces.size === 3 ? size + 1 : size);
      if (namespaces.size <= 2) await client.patch(ConfigMap, `${namespace}/two`, { merge: {} });
    };
    const waiting = async ({ client, namespace, eventually }: SweepRound): Promise<void> => {
      await client.create(widgets, widget(namespace, 'swept', { size: 2 }));
      await eventually(async () => expect((await client.list(ConfigMap, { namespace })).items).toHaveLength(2));
    };
    const sweep = crashSweep({ ...options(both), scenario: waiting, concurrency: 1 });
    await expect(sweep).rejects.toMatchObject({ code: 'sweep-diverged' });
    await expect(sweep).rejects.toThrow(/^the operator did not reach the same end state\nkilled before write 1 of 3/);
    await expect(sweep).rejects.toThrow('\nkilled after write 3 of 3 (PATCH configmaps two): the fault did not happen');
  });

  it('report an operator that writes when there is nothing to do', async () => {
    const restless: Make = async (client, namespace, size) => {
      await right(client, namespace, size);
      await client.patch(ConfigMap, `${namespace}/one`, { merge: { data: { at: String(performance.now()) } } });
    };
    await expect(crashSweep(options(restless))).rejects.toThrow(
      /without a fault: a restarted operator with nothing to do changed ConfigMap one: resourceVersion is/,
    );
  });

  /** Each Widget once: the child `two` is missing if the process dies between the two writes. */
  const forgetful: Make = async (client, namespace, size) => {
    if ((await client.list(ConfigMap, { namespace })).items.length > 0) return;
    for (const name of ['one', 'two']) await client.create(ConfigMap, map(namespace, name, { size: String(size) }));
  };
  const deleting =
    (isCompared: boolean): SweepOptions['scenario'] =>
    async ({ client, namespace, eventually, compare }) => {
      await client.create(widgets, widget(namespace, 'swept', { size: 2 }));
      await eventually(async () => {
        const { items } = await client.list(ConfigMap, { namespace });
        expect(items.map(({ metadata: { name } }) => name)).toContain('one');
      });
      if (isCompared) await compare();
      await client.delete(widgets, `${namespace}/swept`);
      await client.deleteCollection(ConfigMap, { namespace });
    };

  it('compare the objects before a scenario deletes them', async () => {
    await expect(crashSweep({ ...options(forgetful), scenario: deleting(true), timeout: '4s' })).rejects.toThrow(
      'at compare() 1: ConfigMap two is missing',
    );
    const { rounds } = await crashSweep({ ...options(right), scenario: deleting(true) });
    expect(rounds).toBe(6);
  });

  it('reject a scenario that leaves nothing to compare', async () => {
    await expect(crashSweep({ ...options(forgetful), scenario: deleting(false) })).rejects.toMatchObject({
      code: 'sweep-compares-nothing',
      message: expect.stringContaining('call compare() before the scenario deletes the objects'),
    });
  });

  it('report a deleted object whose finalizer the operator does not remove', async () => {
    const deleting = async (round: SweepRound): Promise<void> => {
      const { client, namespace } = round;
      await scenario(round);
      const merge = { metadata: { finalizers: ['testing.example.com/forgotten'] } } as never;
      await client.patch(widgets, `${namespace}/swept`, { merge });
      await client.delete(widgets, `${namespace}/swept`);
    };
    await expect(crashSweep({ ...options(right), scenario: deleting })).rejects.toThrow(
      'without a fault: Widget swept was deleted, but still has the finalizers testing.example.com/forgotten, although a restarted operator runs; fix the operator that must remove them, and wait in the scenario until',
    );
  });

  it('report that something else changed an object after the scenario', async () => {
    const slow: Make = async (client, namespace, size) => {
      const before = await client.list(ConfigMap, { namespace });
      await careful(client, namespace, size);
      if (before.items.length < 2) return;
      // Another controller, which the operator's restart finds still at work.
      await environment.client.patch(ConfigMap, `${namespace}/one`, {
        merge: { data: { at: String(performance.now()) } },
      });
    };
    await expect(crashSweep(options(slow))).rejects.toThrow(
      /without a fault: something else changed ConfigMap one: resourceVersion is .*wrote nothing; wait in the scenario until/,
    );
  });

  it('report that two runs without a fault differ, and where', async () => {
    const chance: Make = async (client, namespace, size) => {
      const { items } = await client.list(ConfigMap, { namespace });
      if (items.length === 2) return;
      for (const name of ['one', 'two']) {
        await client.create(ConfigMap, map(namespace, name, { size: String(size), at: String(performance.now()) }));
      }
    };
    await expect(crashSweep(options(chance))).rejects.toThrow(
      /two runs without a fault differ: ConfigMap one: data\.at is "[\d.]+" and should be "[\d.]+"; .*remove such values with mask.*does not notice if a fault changes them/,
    );
  });

  it('report a problem of many rounds once, with their number', async () => {
    const namespaces = new Set<string>();
    const operator: SweepOptions['operator'] = async (connection) => {
      const [namespace = ''] = connection.namespaces;
      namespaces.add(namespace);
      if (namespaces.size > 2) throw new Error(`the operator of ${namespace} runs twice`);
      return new PollingOperator(connection, right);
    };
    const error: unknown = await crashSweep({ ...options(right), operator }).catch((thrown: unknown) => thrown);
    expect((error as Error).message.split('\n').slice(0, 3)).toEqual([
      'the operator did not reach the same end state',
      expect.stringMatching(
        /^killed .*, killed .*, killed (?:before|during|after) write \d of 2 \(PATCH configmaps \w+\) and 3 more rounds: the operator of <namespace> runs twice; the last writes: none$/,
      ),
      expect.not.stringContaining('killed'),
    ]);
  });

  it('report an operator that does not start, and stop the scenario', async () => {
    const begun = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<unknown>();
    const sweep = crashSweep({
      ...options(right),
      operator: async () => {
        await begun.promise;
        throw new Error('no such controller');
      },
      scenario: (round) => {
        begun.resolve();
        return scenario(round).catch((error: unknown) => {
          stopped.resolve(error);
          throw error;
        });
      },
    });
    await expect(sweep).rejects.toThrow('without a fault: no such controller');
    expect(await stopped.promise).toMatchObject({ message: expect.stringMatching(/^the round in test-\w+ is over$/) });
  });

  it('find an operator that takes over an object with the name of a child', async () => {
    const sweep = foreignObjectSweep(options(right));
    await expect(sweep).rejects.toMatchObject({ code: 'sweep-diverged' });
    for (const name of ['one', 'two']) {
      await expect(sweep).rejects.toThrow(
        `configmaps ${name} without an owner: the operator wrote it (PATCH configmaps`,
      );
      await expect(sweep).rejects.toThrow(`configmaps ${name} controlled by another object: the operator wrote it`);
    }
  });

  it('find an operator that deletes an object with the name of a child', async () => {
    const replacing: Make = async (client, namespace, size) => {
      for (const { metadata } of (await client.list(ConfigMap, { namespace })).items) {
        const isForeign = metadata.managedFields?.some(({ manager }) => manager !== 'polling') === true;
        if (isForeign && ['one', 'two'].includes(metadata.name))
          await client.deleteCollection(ConfigMap, { namespace });
      }
      await careful(client, namespace, size);
    };
    await expect(foreignObjectSweep(options(replacing))).rejects.toThrow(
      /configmaps one without an owner: it was changed: it: metadata\.uid is/,
    );
  });

  it('accept an operator that does not change objects with the names of children, and report its children', async () => {
    expect(await foreignObjectSweep(options(careful))).toEqual({
      rounds: 6,
      children: ['configmaps one', 'configmaps two'],
    });
  });

  it('accept that the cluster assigns a volume to a claim with the name of a child', async () => {
    const claiming: Make = async (client, namespace) => {
      const { items } = await client.list(PersistentVolumeClaim, { namespace, fields: { 'metadata.name': 'data' } });
      if (items.length > 0) return;
      const spec = { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: '1Gi' } } };
      await client.create(PersistentVolumeClaim, { metadata: { name: 'data', namespace }, spec });
    };
    const report = await foreignObjectSweep({
      ...options(claiming),
      kinds: [widgets, PersistentVolumeClaim],
      scenario: async ({ client, namespace, eventually }) => {
        await client.create(widgets, widget(namespace, 'swept', { size: 2 }));
        await eventually(() => client.get(PersistentVolumeClaim, `${namespace}/data`));
        await client.patch(PersistentVolumeClaim, `${namespace}/data`, { merge: { spec: { volumeName: 'pv-1' } } });
      },
    });
    expect(report).toEqual({ rounds: 3, children: ['persistentvolumeclaims data'] });
  });

  it('find an operator that never reads an object with the name of a child', async () => {
    const namespaces = new Set<string>();
    const once: Make = async (client, namespace, size) => {
      namespaces.add(namespace);
      if (namespaces.size <= 1) await careful(client, namespace, size);
    };
    await expect(foreignObjectSweep({ ...options(once), timeout: '300ms' })).rejects.toThrow(
      'the operator never read it and never tried to write it',
    );
  });
});
