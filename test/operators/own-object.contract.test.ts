import { Controller, Finalizer, Reconcile } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** Takes one step in each run, like a controller that relies on being triggered by its own update. */
@Controller(ConfigMap, { name: 'steps' })
class StepController {
  @Reconcile()
  async reconcile({ metadata, data }: ConfigMap, { client, key }: ReconcileContext): Promise<void> {
    if (!metadata.name.startsWith('stepped')) return;
    const text = String(key);
    if (metadata.annotations?.['example.com/begun'] === undefined) {
      await client.patch(ConfigMap, text, { merge: { metadata: { annotations: { 'example.com/begun': 'yes' } } } });
    } else if (data?.['done'] === undefined) await client.patch(ConfigMap, text, { merge: { data: { done: 'yes' } } });
  }

  @Finalizer('example.com/steps')
  clean(): void {}
}

describeOnEveryServer(
  'a reconcile that writes its own object',
  (start) => {
    it('runs again after each write until it writes nothing more, but not after the write of its finalizer', async () => {
      const backend = await start();
      const operator = await TestOperator.start(backend, [StepController]);
      try {
        await operator.client.create(ConfigMap, { metadata: { name: 'stepped', namespace: 'default' } });
        await operator.object(ConfigMap, 'stepped', ({ data }) => data?.['done'] === 'yes');
        await operator.until('the last run', () => operator.runs.at(-1)?.writes.length === 0);
        const ofIt = operator.runs.filter(({ key }) => key.name === 'stepped');
        // The cached object before a write may be older than the previous write.
        const stepOf = (changed: readonly string[]): string =>
          ['data', 'metadata.annotations', 'metadata.finalizers'].find((path) => changed.includes(path)) ??
          changed.join();
        expect(ofIt.map(({ writes }) => writes.map(({ changed }) => stepOf(changed)))).toEqual([
          ['metadata.finalizers', 'metadata.annotations'],
          ['data'],
          [],
        ]);
      } finally {
        await operator.manager.stop();
        await backend.stop();
      }
    });
  },
  { embedded: 'in process' },
);
