import {
  Channel,
  Controller,
  Every,
  ManualClock,
  ObjectKey,
  Owns,
  Reconcile,
  SeededRandom,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, Secret, ServiceAccount } from '@evenkeel/kinds';
import { annotationsChanged, labelsChanged } from '../../packages/runtime/src/predicate/change-predicates.ts';
import { allOf, anyOf, not } from '../../packages/runtime/src/predicate/combined-predicates.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

describeOnEveryServer('the events that trigger a reconcile', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;

  beforeAll(async () => {
    backend = await start();
  });

  afterEach(async () => {
    await operator?.manager.stop();
    operator = undefined;
  });

  afterAll(() => backend.stop());

  const causes = (name: string): string[] =>
    (operator?.runs ?? []).filter(({ key }) => key.name === name).flatMap(({ triggers }) => triggers.map(String));

  it('are those that the predicates of the same declaration accept', async () => {
    @Controller(Secret, { name: 'declared', predicates: [anyOf(labelsChanged, annotationsChanged)] })
    @Owns(ConfigMap, { predicates: [not(labelsChanged), ({ verb }) => verb !== 'added'] })
    class Declared {
      @Reconcile()
      async reconcile({ metadata: { name } }: Secret, context: ReconcileContext): Promise<void> {
        if (name !== 'declared') return;
        await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } } as ConfigMap);
      }

      @Watches(ServiceAccount, {
        predicates: [allOf<ServiceAccount>(({ object }) => object.metadata.name === 'declared')],
      })
      onAccount(account: ServiceAccount): ObjectKey[] {
        return [ObjectKey.of(account)];
      }
    }
    operator = await TestOperator.start(backend, [Declared]);
    const { client } = operator;
    const key = 'default/declared';
    const metadata = { name: 'declared', namespace: 'default' };
    await client.create(Secret, { metadata });
    await operator.until('the first run', () => causes('declared').length === 1);
    await client.patch(Secret, key, { merge: { stringData: { a: 'b' } } });
    await client.patch(Secret, key, { merge: { metadata: { labels: { a: 'b' } } } });
    await operator.until('the run for the label', () => causes('declared').length === 2);
    await client.patch(ConfigMap, key, { merge: { metadata: { labels: { a: 'b' } } } });
    await client.patch(ConfigMap, key, { merge: { data: { a: 'b' } } });
    await operator.until('the run for the child', () => causes('declared').length === 3);
    await client.create(ServiceAccount, { metadata: { ...metadata, name: 'other' } });
    await client.create(ServiceAccount, { metadata });
    await operator.until('the run for the account', () => causes('declared').length === 4);
    expect(causes('declared')).toEqual([
      'Secret default/declared added',
      'Secret default/declared updated (metadata.labels)',
      'ConfigMap default/declared updated (data)',
      'ServiceAccount default/declared added',
    ]);
    expect(causes('other')).toEqual([]);
  });

  it('enqueue the keys that the mapper returns for the old and for the new object', async () => {
    @Controller(Secret, { name: 'mapped' })
    class Mapped {
      @Reconcile() reconcile(): void {}

      @Watches(ConfigMap)
      onMap({ metadata: { labels } }: ConfigMap): ObjectKey[] {
        return labels?.['of'] === undefined ? [] : [new ObjectKey(labels['of'], 'default')];
      }
    }
    operator = await TestOperator.start(backend, [Mapped]);
    const { client } = operator;
    const names = ['former', 'later', 'bystander'];
    for (const name of names) await client.create(Secret, { metadata: { name, namespace: 'default' } });
    await operator.until('the first runs', () => names.every((name) => causes(name).length === 1));
    await client.create(ConfigMap, { metadata: { name: 'moved', namespace: 'default', labels: { of: 'former' } } });
    await operator.until('the run of the former', () => causes('former').length === 2);
    expect(causes('later')).toHaveLength(1);
    await client.patch(ConfigMap, 'default/moved', { merge: { metadata: { labels: { of: 'later' } } } });
    await operator.until('both runs', () => causes('former').length === 3 && causes('later').length === 2);
    const moved = 'ConfigMap default/moved updated (metadata.labels.of)';
    expect([causes('former').at(-1), causes('later').at(-1)]).toEqual([moved, moved]);
    expect(causes('bystander')).toHaveLength(1);
  });

  it('are accepted if a predicate throws, and do not affect other events', async () => {
    @Controller(Secret, {
      name: 'odd',
      predicates: [
        ({ object }) => {
          if (object.metadata.name === 'poison') throw new Error('odd');
          return true;
        },
      ],
    })
    class Odd {
      @Reconcile() reconcile(): void {}
    }
    operator = await TestOperator.start(backend, [Odd]);
    const { client } = operator;
    await client.create(Secret, { metadata: { name: 'poison', namespace: 'default' } });
    await client.create(Secret, { metadata: { name: 'sound', namespace: 'default' } });
    await operator.until('both runs', () => causes('poison').length + causes('sound').length === 2);
    expect(operator.warnings.map(({ message }) => message)).toContain('a predicate threw; the event passes');
  });

  it('include the periods of @Every and the keys of a @Channel', async () => {
    const signals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    @Controller(Secret, { name: 'periodic' })
    class Periodic {
      @Every('10m') @Reconcile() reconcile(): void {}

      @Channel()
      async *payments(): AsyncGenerator<ObjectKey> {
        for (const signal of signals) {
          await signal.promise;
          yield new ObjectKey('periodic', 'default');
        }
      }
    }
    const clock = new ManualClock(new Date());
    const random = new SeededRandom(1);
    operator = await TestOperator.start(backend, [Periodic], { clock, random });
    await operator.client.create(Secret, { metadata: { name: 'periodic', namespace: 'default' } });
    await operator.until('the first run', () => causes('periodic').length === 1);
    signals[0]?.resolve();
    await operator.until('the signalled run', () => causes('periodic').length === 2);
    await clock.advance(11 * 60_000);
    await operator.until('the periodic run', () => causes('periodic').length === 3);
    expect(causes('periodic')).toEqual([
      'Secret default/periodic added',
      'Secret default/periodic signalled',
      'Secret default/periodic periodic',
    ]);
    signals[1]?.resolve();
  });
});
