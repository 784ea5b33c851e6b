import { ManualClock, ObjectKey } from '@evenkeel/core';
import type { ControllerState, RunningController } from '../controller/running-controller.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { Workqueue } from '../workqueue/index.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { MetricsRegistry } from './metrics-registry.ts';
import { parseScrape, type Scrape } from './scrape.fixture.ts';

const quiet: ControllerState = {
  name: 'web',
  maxConcurrent: 2,
  synced: true,
  sources: [],
  running: [],
  looping: [],
  timeouts: 0,
  lastRunAt: undefined,
};

function measured(state: Partial<ControllerState> = {}) {
  const registry = new MetricsRegistry();
  const clock = new ManualClock();
  const controllers: RunningController[] = [];
  const metrics = new ControllerMetrics(registry, clock, () => controllers);
  const queue = new Workqueue({ clock, observer: metrics.observer('web').queue });
  controllers.push({ state: { ...quiet, ...state }, queue } as unknown as RunningController);
  const ended = (run: Partial<ReconcileRun>): void =>
    metrics.runEnded({
      ...{ controller: 'web', kind: 'Web', key: new ObjectKey('a'), triggers: [], writes: [], durationMs: 7 },
      ...{ outcome: 'await-change', ...run },
    });
  return { clock, queue, ended, scrape: (): Scrape => parseScrape(registry.text()) };
}

const labels = { name: 'web', controller: 'web' };

describe('ControllerMetrics', () => {
  it.each([
    ['a read of a field of undefined', 1, () => (undefined as unknown as { x: number }).x],
    ['a length that no list has', 1, () => new Array(-1)],
    [
      'a call without an end',
      1,
      function deep(): void {
        deep();
      },
    ],
    ['an error of the reconcile', 0, () => Promise.reject(new Error('no'))],
    ['an error of Node', 0, () => new URL('no')],
    ['an error of fetch', 0, () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }))],
    ['what is no error', 0, () => Promise.reject('text')],
  ])('counts %s as %i panics', async (_what, panics, run: () => unknown) => {
    const { ended, scrape } = measured();
    let error: unknown;
    try {
      await run();
    } catch (caught) {
      error = caught;
    }
    ended({ outcome: 'failed', error });
    expect(scrape().value('controller_runtime_reconcile_panics_total', { controller: 'web' })).toBe(panics);
    expect(scrape().value('controller_runtime_reconcile_errors_total', { controller: 'web' })).toBe(1);
  });

  it('counts a loop once when it is detected, by kind and field and never by object', () => {
    const { ended, scrape } = measured();
    const loop = { object: 'Deployment default/web', path: 'spec.replicas', delayMs: 1000, isNew: true };
    ended({ loop });
    ended({ loop: { ...loop, isNew: false } });
    expect(scrape().labels('evenkeel_reconcile_loops_total')).toEqual([
      { controller: 'web', kind: 'Deployment', field: 'spec.replicas' },
    ]);
    expect(
      scrape().value('evenkeel_reconcile_loops_total', {
        controller: 'web',
        kind: 'Deployment',
        field: 'spec.replicas',
      }),
    ).toBe(1);
  });

  it('has at most 51 series of loops, even for maps with many keys', () => {
    const { ended, scrape } = measured();
    for (let at = 0; at < 500; at++) {
      ended({ loop: { object: 'ConfigMap x', path: `metadata.annotations.at-${at}`, delayMs: 1, isNew: true } });
    }
    expect(scrape().labels('evenkeel_reconcile_loops_total')).toHaveLength(51);
  });

  it('counts stuck reconciles, delayed keys and timeouts', () => {
    const running = [
      { key: 'a', forMs: 5, stuck: false },
      { key: 'b', forMs: 50_000, stuck: true },
    ];
    const looping = [{ key: 'c', object: 'ConfigMap c', path: 'data.x' }];
    const sources = [
      { synced: false, problem: 'cannot watch pods', degraded: true },
    ] as unknown as ControllerState['sources'];
    const seen = measured({ running, looping, sources, timeouts: 4, synced: false }).scrape();
    const value = (name: string): number | undefined => seen.value(name, { controller: 'web' });
    expect(value('evenkeel_stuck_reconciles')).toBe(1);
    expect(value('evenkeel_slowed_keys')).toBe(1);
    expect(value('evenkeel_controller_synced')).toBe(0);
    expect(value('evenkeel_controller_degraded')).toBe(1);
    expect(measured().scrape().value('evenkeel_controller_degraded', { controller: 'web' })).toBe(0);
    expect(value('controller_runtime_active_workers')).toBe(2);
    expect(value('controller_runtime_max_concurrent_reconciles')).toBe(2);
    expect(value('controller_runtime_reconcile_timeouts_total')).toBe(4);
  });

  it('measures a queue: its depth by priority, waits, processing times and unfinished work', async () => {
    const { clock, queue, scrape } = measured();
    queue.add('a');
    queue.add('b', { priority: -100 });
    queue.add('c', { afterMs: 60_000 });
    queue.add('a');
    expect(scrape().value('workqueue_depth', { ...labels, priority: '0' })).toBe(1);
    expect(scrape().value('workqueue_depth', { ...labels, priority: '-100' })).toBe(1);
    expect(scrape().value('workqueue_adds_total', labels)).toBe(2);
    expect(scrape().value('workqueue_retries_total', labels)).toBe(1);
    await clock.advance(2000);
    expect(await queue.get()).toBe('a');
    await clock.advance(1000);
    expect(await queue.get()).toBe('b');
    await clock.advance(500);
    expect(scrape().value('workqueue_queue_duration_seconds_sum', labels)).toBe(5);
    expect(scrape().value('workqueue_unfinished_work_seconds', labels)).toBe(2);
    expect(scrape().value('workqueue_longest_running_processor_seconds', labels)).toBe(1.5);
    queue.done('a');
    expect(scrape().value('workqueue_longest_running_processor_seconds', labels)).toBe(0.5);
    queue.done('b');
    expect(scrape().value('workqueue_unfinished_work_seconds', labels)).toBe(0);
    expect(scrape().value('workqueue_longest_running_processor_seconds', labels)).toBe(0);
    expect(scrape().value('workqueue_work_duration_seconds_sum', labels)).toBe(2);
    expect(scrape().value('workqueue_depth', { ...labels, priority: '0' })).toBe(0);
    await queue.shutDown();
  });
});
