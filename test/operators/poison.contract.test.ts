import { createClient } from '@evenkeel/client';
import type { ConcreteClass } from '@evenkeel/core';
import {
  Channel,
  Controller,
  Index,
  ListerOf,
  type Logger,
  type LogKeys,
  ObjectKey,
  Reconcile,
  SilentLogger,
  type Transport,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import type { Lister } from '../../packages/runtime/src/cache/index.ts';
import type { ManagerOptions } from '../../packages/runtime/src/options/manager-options.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** A transport that turns objects with the name `poison` into invalid JSON. */
function garbling(inner: Transport): Transport {
  const marks = /"name":"poison"/g;
  return {
    request: async (request) => {
      const response = await inner.request(request);
      if (request.method !== 'GET') return response;
      return {
        ...response,
        body: (async function* () {
          // Chunks of lines. None is split within a name, because these objects are small and sent one by one.
          for await (const chunk of response.body) {
            yield new TextEncoder().encode(new TextDecoder().decode(chunk).replace(marks, '"name":"poison'));
          }
        })(),
      };
    },
    close: async () => {},
  };
}

/** Records warnings with their keys, except that of a blocked event loop, which a busy machine can cause too. */
class NamingLogger extends SilentLogger {
  readonly lines: { readonly message: string; readonly keys: LogKeys }[];
  readonly #keys: LogKeys;

  constructor(keys: LogKeys = {}, lines: NamingLogger['lines'] = []) {
    super();
    this.#keys = keys;
    this.lines = lines;
  }

  override warn(message = '', keys: LogKeys = {}): void {
    if (message.startsWith('the event loop was blocked')) return;
    this.lines.push({ message, keys: { ...this.#keys, ...keys } });
  }

  override child(keys: LogKeys = {}): Logger {
    return new NamingLogger({ ...this.#keys, ...keys }, this.lines);
  }
}

describeOnEveryServer('a poisonous object', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;
  let reconciled: string[];

  beforeAll(async () => {
    backend = await start();
  });

  beforeEach(() => {
    reconciled = [];
  });

  afterEach(async () => {
    const { items } = (await operator?.client.list(ConfigMap, { namespace: 'default' })) ?? { items: [] };
    for (const { metadata } of items) {
      if (!metadata.name.startsWith('kube-')) await operator?.client.delete(ConfigMap, ObjectKey.of({ metadata }));
    }
    await operator?.manager.stop();
    operator = undefined;
  });

  afterAll(() => backend.stop());

  async function operating(controller: ConcreteClass, options: Partial<ManagerOptions> = {}): Promise<TestOperator> {
    operator = await TestOperator.start(backend, [controller], options);
    return operator;
  }

  async function create(...names: string[]): Promise<void> {
    for (const name of names) {
      await operator?.client.create(ConfigMap, { metadata: { name, namespace: 'default' }, data: { of: name } });
    }
  }

  const until = (...names: string[]): Promise<void> | undefined =>
    operator?.until(`reconciles of ${names}`, () => names.every((name) => reconciled.includes(name)));

  /** The messages with their keys. */
  const logged = (message: string): unknown[] =>
    (operator?.warnings ?? []).filter((line) => line.message === message).map(({ keys }) => keys);

  it('does not affect other keys if a mapper throws because of it', async () => {
    const answers: Record<string, () => unknown> = {
      throwing: () => {
        throw new Error('odd');
      },
      undefined: () => undefined,
      string: () => 'default/sound',
      waiting: () => Promise.resolve([]),
      nameless: () => [{ namespace: 'default' }, new ObjectKey('by-nameless', 'default')],
      homeless: () => [new ObjectKey('sound')],
      sound: () => [new ObjectKey('by-sound', 'default')],
      early: () => 'default/sound',
    };
    // Objects that exist at the start are handled like later ones.
    const metadata = { name: 'early', namespace: 'default' };
    await createClient(backend.transport(), { fieldManager: 'test' }).create(ConfigMap, { metadata });
    @Controller(Secret, { name: 'mapped' })
    class Mapped {
      @Reconcile()
      reconcile({ metadata }: Secret): void {
        reconciled.push(metadata.name);
      }

      @Watches(ConfigMap)
      onMap({ metadata }: ConfigMap): ObjectKey[] {
        return (answers[metadata.name]?.() ?? []) as ObjectKey[];
      }
    }
    const { client } = await operating(Mapped);
    for (const name of ['by-sound', 'by-nameless']) {
      await client.create(Secret, { metadata: { name, namespace: 'default' } });
    }
    await until('by-sound', 'by-nameless');
    reconciled = [];
    await create(...Object.keys(answers).filter((name) => name !== 'early'));
    await until('by-sound', 'by-nameless');
    const failures = logged('a mapper failed; keys that it did not return are not enqueued') as {
      event: string;
      member: string;
    }[];
    // The first, the second and the fourth of six failures.
    expect(failures).toMatchObject([
      { member: 'Mapped.onMap', event: 'ConfigMap default/early', count: 1 },
      { member: 'Mapped.onMap', event: 'ConfigMap default/throwing', count: 2, error: { message: 'odd' } },
      { member: 'Mapped.onMap', event: 'ConfigMap default/waiting', count: 4 },
    ]);
    for (const name of ['by-sound', 'by-nameless']) await client.delete(Secret, new ObjectKey(name, 'default'));
  });

  it('does not affect other keys if a reconcile method or an index function throws because of it', async () => {
    let found: string[] = [];
    @Controller(ConfigMap, { name: 'throwing' })
    class Throwing {
      constructor(@ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>) {}

      @Index('of')
      of({ metadata, data }: ConfigMap): string {
        if (metadata.name === 'poison') throw new Error('no value');
        return data?.['of'] ?? '';
      }

      @Index('later')
      later(): string {
        return Promise.resolve('never') as never;
      }

      @Reconcile()
      reconcile({ metadata }: ConfigMap): void {
        if (metadata.name === 'poison') throw new Error('cannot be reconciled');
        reconciled.push(metadata.name);
        found = this.maps.byIndex('of', 'second').map((map) => map.metadata.name);
      }
    }
    await operating(Throwing);
    await create('first', 'poison', 'second');
    await until('first', 'second');
    await operator?.until('a second try', () => operator?.outcomes('poison').slice(0, 2).join() === 'failed,failed');
    expect(found).toEqual(['second']);
    const failures = logged('an index function failed; the index does not contain the object') as { error: Error }[];
    expect(failures).toContainEqual({
      member: 'Throwing.of',
      event: 'ConfigMap default/poison',
      error: new Error('no value'),
      count: 1,
    });
    expect(failures.map(({ error }) => error.message)).toContain(
      'Throwing.later gave a promise; give a text, a list of texts, or nothing, and do not wait',
    );
    expect(logged('reconcile failed')[0]).toMatchObject({
      namespace: 'default',
      name: 'poison',
      error: { message: 'cannot be reconciled' },
    });
  });

  describe.each([
    ['comes later', false],
    ['exists at the first list', true],
  ])('that %s', (_, isFirst) => {
    const names = ['first', 'poison', 'second'];

    async function operatingOn(controller: ConcreteClass, options: Partial<ManagerOptions>): Promise<void> {
      const client = createClient(backend.transport());
      const createAll = async (): Promise<void> => {
        for (const name of names) await client.create(ConfigMap, { metadata: { name, namespace: 'default' } });
      };
      if (isFirst) await createAll();
      await operating(controller, options);
      if (!isFirst) await createAll();
      await until('first', 'second');
    }

    it('does not affect other keys if it violates the schema, and is logged', async () => {
      @Controller(ConfigMap, { name: 'choosy' })
      class Choosy {
        @Reconcile()
        reconcile({ metadata }: ConfigMap): void {
          reconciled.push(metadata.name);
        }
      }
      const logger = new NamingLogger();
      await operatingOn(Choosy, {
        logger,
        validator: {
          validate: ({ metadata }) =>
            metadata.name === 'poison' ? [{ path: 'data', message: 'it is not allowed' }] : [],
        },
      });
      await operator?.until('the refusal', () => operator?.outcomes('poison').at(-1) === 'invalid');
      expect(reconciled).not.toContain('poison');
      expect(logger.lines).toEqual([
        {
          message: 'object is invalid; it is not reconciled until it changes',
          keys: expect.objectContaining({
            controller: 'choosy',
            ConfigMap: { name: 'poison', namespace: 'default' },
            findings: 'data: it is not allowed',
          }),
        },
      ]);
    });

    it('does not affect other keys if it cannot be parsed, and is logged', async () => {
      @Controller(ConfigMap, { name: 'reading' })
      class Reading {
        @Reconcile()
        reconcile({ metadata }: ConfigMap): void {
          reconciled.push(metadata.name);
        }
      }
      await operatingOn(Reading, { transport: garbling(backend.transport()) });
      expect(reconciled).not.toContain('poison');
      expect(operator?.manager.health.ready).toBe(true);
      expect(operator?.warnings).toEqual([
        {
          message: 'skipped a watch event that cannot be read',
          keys: {
            resource: 'configmaps',
            error: expect.objectContaining({ message: expect.stringContaining(' that name default/poison') }),
          },
        },
      ]);
    });
  });

  it('does not affect other keys if an observer or a channel throws', async () => {
    const signal = Promise.withResolvers<void>();
    let opened = 0;
    @Controller(ConfigMap, { name: 'observed' })
    class Observed {
      @Reconcile()
      reconcile({ metadata }: ConfigMap): void {
        reconciled.push(metadata.name);
      }

      @Channel()
      async *odd(): AsyncGenerator<ObjectKey> {
        // It is opened again after a second, which may be before the test has checked the log of the first failure.
        if (opened > 0) return;
        yield new ObjectKey('nobody-else', undefined);
        await signal.promise;
        opened++;
        throw new Error('the line is dead');
      }
    }
    await operating(Observed, {
      observer: () => {
        throw new Error('cannot look');
      },
    });
    await create('first');
    await until('first');
    signal.resolve();
    await operator?.until('the channel', () => opened > 0);
    await create('second');
    await until('second');
    expect(logged('reconcile observer threw')).not.toEqual([]);
    expect(logged('a channel failed; it will be reopened')).toMatchObject([{ channel: 'Observed.odd' }]);
    expect(logged('a channel yielded an invalid key; it is skipped')).toMatchObject([{ channel: 'Observed.odd' }]);
  });
});
