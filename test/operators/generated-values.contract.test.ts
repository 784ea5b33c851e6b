import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '@evenkeel/client';
import {
  Controller,
  CustomResource,
  KubernetesObject,
  ListerOf,
  type ObjectKey,
  Owns,
  Reconcile,
  resourceOf,
  Spec,
  Status,
  type Transport,
} from '@evenkeel/core';
import { CustomResourceDefinition, Event, Secret } from '@evenkeel/kinds';
import type { Lister } from '../../packages/runtime/src/cache/lister.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

class Nothing {}

@CustomResource({ group: 'generated.example.com', version: 'v1', kind: 'Account' })
class Account extends KubernetesObject {
  @Spec() spec!: Nothing;
  @Status() status!: Nothing;
}

const label = 'evenkeel.dev/controller';
const generate = (): string => randomBytes(12).toString('base64');

/** Decides by the cache, against the advice of the guide. */
@Controller(Account, { name: 'by-cache' })
@Owns(Secret)
class CacheController {
  constructor(@ListerOf(Secret) private readonly secrets: Lister<Secret>) {}

  @Reconcile()
  async reconcile({ metadata: { name } }: Account, context: ReconcileContext): Promise<void> {
    const password = this.secrets.get(`default/${name}`)?.data?.['password'] ?? generate();
    await context.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { password } });
  }
}

@Controller(Account, { name: 'derived' })
@Owns(Secret)
class DerivedController {
  @Reconcile()
  async reconcile({ metadata: { name } }: Account, context: ReconcileContext): Promise<void> {
    await context.applyFrom(Secret, name, (stored) => ({
      data: { password: stored?.data?.['password'] ?? generate() },
    }));
  }
}

describeOnEveryServer('generated values of children', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;
  let client: Client;
  let count = 0;

  async function run(controller: Parameters<typeof TestOperator.start>[1][number], transport?: Transport) {
    await operator?.manager.stop();
    operator = await TestOperator.start(
      transport === undefined ? backend : { ...backend, transport: () => transport },
      [controller],
    );
    client = operator.client;
    return operator;
  }

  beforeAll(async () => {
    backend = await start();
    operator = await TestOperator.start(backend, []);
    client = operator.client;
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    await client.create(CustomResourceDefinition, definitionOf(Account, { spec: open, status: open }) as never);
    await TestOperator.until('the kind', async () => (await client.list(Account).catch(() => undefined)) !== undefined);
  });

  afterAll(async () => {
    await operator?.manager.stop();
    await backend?.stop();
  });

  async function create(): Promise<{ name: string; key: string }> {
    const name = `account-${++count}`;
    await client.create(Account, { metadata: { name, namespace: 'default' }, spec: {} } as never);
    return { name, key: `default/${name}` };
  }

  const stored = async (key: string | ObjectKey): Promise<Secret> => client.get(Secret, key);

  const warningsAbout = async (name: string): Promise<(string | undefined)[]> =>
    (await client.list(Event)).items
      .filter(({ regarding, reason, type }) => {
        return regarding?.name === name && type === 'Warning' && reason === 'ChildNotCached';
      })
      .map(({ note }) => note);

  it.each([
    [
      'lost',
      null,
      (): string => `the child had lost the label ${label}=by-cache`,
      'restored',
      'find the program that removes the label',
    ],
    [
      'changed',
      'someone',
      (): string => `the child had the label ${label}=someone of the controller someone`,
      'changed to by-cache',
      'the controllers someone and by-cache apply the same child: let only one of them apply it, or use a different name in each',
    ],
  ])(
    'stay if a child %s its label, even if the controller reads them from the cache',
    async (_, value, found, done, fix) => {
      const running = await run(CacheController);
      const { name, key } = await create();
      await running.until('the Secret', () => running.outcomes(name).includes('await-change'));
      const before = await stored(key);
      expect(before.data?.['password']).toHaveLength(16);
      await client.patch(Secret, key, { merge: { metadata: { labels: { [label]: value } } } as never });
      await running.until('the label', async () => (await stored(key)).metadata.labels?.[label] === 'by-cache');
      await running.until('a run that succeeds', () => running.outcomes(name).at(-1) === 'await-change');
      expect((await stored(key)).data).toEqual(before.data);
      const failed = running.runs.filter((one) => one.key.name === name && one.outcome === 'failed');
      expect(failed.map(({ error }) => (error as { code?: string }).code)).toEqual(['child-not-cached']);
      await running.until('the Event', async () => (await warningsAbout(name)).length > 0);
      expect(await warningsAbout(name)).toEqual([
        `Account ${key}: did not apply Secret ${key}: ${found()}, so this run may have computed the child as if it did not exist; the label was ${done} and the run is retried. If this repeats, ${fix}`,
      ]);
      expect(running.warnings.some(({ message }) => message.includes('reconcile failed'))).toBe(true);
    },
  );

  it('stay with applyFrom() if a child loses its label, without a failed run', async () => {
    const running = await run(DerivedController);
    const { name, key } = await create();
    await running.until('the Secret', () => running.outcomes(name).includes('await-change'));
    const before = await stored(key);
    await client.patch(Secret, key, { merge: { metadata: { labels: null } } });
    await running.until('the label', async () => (await stored(key)).metadata.labels?.[label] === 'derived');
    expect((await stored(key)).data).toEqual(before.data);
    expect(running.outcomes(name)).not.toContain('failed');
    expect(await warningsAbout(name)).toEqual([]);
  });

  it('are repaired by applyFrom() if someone deletes the value, and follow a value that someone sets', async () => {
    const running = await run(DerivedController);
    const { name, key } = await create();
    await running.until('the Secret', () => running.outcomes(name).includes('await-change'));
    await client.patch(Secret, key, { merge: { data: { password: 'cm90YXRlZA==' } } });
    await running.until('a run', () => running.outcomes(name).length > 1);
    expect((await stored(key)).data).toEqual({ password: 'cm90YXRlZA==' });
    await client.patch(Secret, key, { merge: { data: null } as never });
    await running.until('a new value', async () => (await stored(key)).data?.['password'] !== undefined);
    expect((await stored(key)).data?.['password']).not.toBe('cm90YXRlZA==');
  });

  it.each([
    ['apply()', CacheController, 'by-cache'],
    ['applyFrom()', DerivedController, 'derived'],
  ] as const)(
    'are not overwritten by %s if another process of the operator creates the child between the read and the write',
    async (_, controller, manager) => {
      const inner = backend.transport();
      const rivals = new Map<string, Secret>();
      const racing: Transport = {
        async request(request) {
          const name = /\/secrets\/(account-\d+)\?/.exec(request.path)?.[1];
          if (request.method === 'PATCH' && name !== undefined && !rivals.has(name)) {
            const { metadata } = await client.get(Account, `default/${name}`);
            const reference = {
              apiVersion: 'generated.example.com/v1',
              kind: resourceOf(Account).kind,
              name,
              uid: metadata.uid ?? '',
              controller: true,
              blockOwnerDeletion: true,
            };
            const child = {
              metadata: {
                name,
                namespace: 'default',
                labels: { [label]: manager },
                ownerReferences: [reference],
              },
              data: { password: 'cml2YWw=' },
            };
            rivals.set(name, await client.apply(Secret, child, { fieldManager: manager, force: true }));
          }
          return inner.request(request);
        },
        close: async () => undefined,
      };
      const running = await run(controller, racing);
      // The rival is another process, whose requests do not pass the transport above.
      client = createClient(inner, { fieldManager: 'test' });
      const { name, key } = await create();
      await running.until('a run that succeeds', () => running.outcomes(name).at(-1) === 'await-change');
      expect(rivals.get(name)?.data).toEqual({ password: 'cml2YWw=' });
      expect((await stored(key)).data).toEqual({ password: 'cml2YWw=' });
    },
  );
});
