import { ManualClock } from '@evenkeel/core';
import type { Runnable } from './runnable.ts';
import { RunnableGroups } from './runnable-groups.ts';

function recorder(log: string[], name: string, overrides: Partial<Runnable> = {}): Runnable {
  return {
    name,
    start: async () => {
      log.push(`start ${name}`);
    },
    stop: async () => {
      log.push(`stop ${name}`);
    },
    ...overrides,
  };
}

describe('RunnableGroups', () => {
  it('starts group after group and stops them the other way round', async () => {
    const log: string[] = [];
    const groups = new RunnableGroups(new ManualClock());
    groups.add('controllers', recorder(log, 'controller'));
    groups.add('events', recorder(log, 'recorder'));
    groups.add('caches', recorder(log, 'cache'));
    await groups.start();
    expect(await groups.stop(30_000)).toEqual({ drained: true });
    expect(log).toEqual([
      'start recorder',
      'start cache',
      'start controller',
      'stop controller',
      'stop cache',
      'stop recorder',
    ]);
  });

  it('does not stop the caches before the controllers have drained', async () => {
    const log: string[] = [];
    const drained = Promise.withResolvers<void>();
    const groups = new RunnableGroups(new ManualClock());
    groups.add('caches', recorder(log, 'cache'));
    groups.add('controllers', recorder(log, 'controller', { stop: () => drained.promise }));
    await groups.start();
    const stopped = groups.stop(30_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).not.toContain('stop cache');
    drained.resolve();
    await stopped;
    expect(log).toContain('stop cache');
  });

  it('aborts what is left when the grace period is over, and says so', async () => {
    const clock = new ManualClock();
    const groups = new RunnableGroups(clock);
    groups.add(
      'controllers',
      recorder([], 'controller', {
        stop: (abort) => new Promise((resolve) => abort.addEventListener('abort', () => resolve())),
      }),
    );
    await groups.start();
    const stopped = groups.stop(30_000);
    await clock.advance(30_000);
    expect(await stopped).toEqual({ drained: false });
    expect(clock.pending).toBe(0);
  });

  it('starts nothing after a group that failed', async () => {
    const log: string[] = [];
    const groups = new RunnableGroups(new ManualClock());
    groups.add('caches', recorder(log, 'cache', { start: () => Promise.reject(new Error('no cache')) }));
    groups.add('controllers', recorder(log, 'controller'));
    await expect(groups.start()).rejects.toThrow('no cache');
    await groups.stop(0);
    expect(log).toEqual(['stop cache']);
  });

  it('tells the first failure of what runs', async () => {
    const groups = new RunnableGroups(new ManualClock());
    let failed: (error: unknown) => void = () => {};
    groups.add(
      'controllers',
      recorder([], 'controller', {
        start: async (report) => {
          failed = report;
        },
      }),
    );
    await groups.start();
    failed(new Error('first'));
    failed(new Error('second'));
    expect(await groups.failure).toEqual(new Error('first'));
  });

  it('starts once', async () => {
    const groups = new RunnableGroups(new ManualClock());
    await groups.start();
    await expect(groups.start()).rejects.toThrow('a manager starts once; create another one to run it again');
  });
});
