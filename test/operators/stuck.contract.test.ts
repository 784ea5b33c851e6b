import { Controller, ManualClock, Reconcile } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

const release: Record<string, () => void> = {};
const signals: Record<string, AbortSignal> = {};

@Controller(ConfigMap, { name: 'slow' })
class Slow {
  @Reconcile({ timeout: '30s' })
  async reconcile({ metadata: { name } }: ConfigMap, { signal }: ReconcileContext): Promise<void> {
    if (!name.startsWith('slow')) return;
    signals[name] = signal;
    await new Promise<void>((resolve) => {
      release[name] = resolve;
    });
  }
}

describeOnEveryServer('a reconcile that exceeds its timeout', (start) => {
  it('gets an aborted signal, keeps its key and worker, and makes the manager not ready with a reason until it finishes', async () => {
    const backend = await start();
    const clock = new ManualClock(new Date());
    const operator = await TestOperator.start(backend, [Slow], { clock, metrics: { address: '127.0.0.1:0' } });
    const { client, manager } = operator;
    try {
      await client.create(ConfigMap, { metadata: { name: 'slow-a', namespace: 'default' } });
      await operator.until('the run', () => signals['slow-a'] !== undefined);
      await clock.advance(29_999);
      expect([signals['slow-a']?.aborted, manager.health.ready]).toEqual([false, true]);
      await clock.advance(1);
      expect(signals['slow-a']?.aborted).toBe(true);
      expect(manager.health).toMatchObject({
        ready: false,
        problems: ['controller slow has been reconciling default/slow-a for 30 s'],
      });
      expect(manager.metrics.text()).toContain('\nevenkeel_stuck_reconciles{controller="slow"} 1\n');
      expect(manager.metrics.text()).toContain('\ncontroller_runtime_reconcile_timeouts_total{controller="slow"} 1\n');
      await client.patch(ConfigMap, 'default/slow-a', { merge: { data: { more: 'x' } } });
      await client.create(ConfigMap, { metadata: { name: 'slow-b', namespace: 'default' } });
      await operator.object(ConfigMap, 'slow-b');
      await clock.advance(1000);
      expect([operator.outcomes('slow-a'), signals['slow-b']]).toEqual([[], undefined]);
      const { 'slow-a': first } = release;
      first?.();
      await operator.until('the worker to go on', () => signals['slow-b'] !== undefined);
      expect(manager.health).toMatchObject({ ready: true, problems: [] });
      expect(manager.metrics.text()).toContain('\nevenkeel_stuck_reconciles{controller="slow"} 0\n');
      release['slow-b']?.();
      await operator.until('the second run of the first', () => release['slow-a'] !== first);
      release['slow-a']?.();
      await operator.until('both ends', () => operator.outcomes('slow-a').length === 2);
    } finally {
      for (const name of ['slow-a', 'slow-b']) {
        delete signals[name];
        delete release[name];
      }
      await operator.manager.stop();
      await backend.stop();
    }
  });
});
