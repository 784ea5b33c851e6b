import { type LogKeys, ManualClock, SilentLogger } from '@evenkeel/core';
import type { Runnable } from './runnable.ts';
import { RunnableGroups } from './runnable-groups.ts';

function groupsOn(clock = new ManualClock(), logger = new SilentLogger()): RunnableGroups {
  return new RunnableGroups({ clock, logger, gracePeriodMs: 30_000 });
}

const untilAborted = (abort: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (abort.aborted) resolve();
    abort.addEventListener('abort', () => resolve());
  });

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
  it("starts and stops in controller-runtime's order", async () => {
    const log: string[] = [];
    const groups = groupsOn();
    for (const group of ['leader', 'others', 'events', 'election', 'servers', 'caches'] as const) {
      groups.add(group, recorder(log, group));
    }
    await groups.start();
    await groups.allStarted;
    expect(await groups.stop()).toEqual({ drained: true });
    expect(log).toEqual([
      'start servers',
      'start events',
      'start caches',
      'start others',
      'start election',
      'start leader',
      'stop others',
      'stop leader',
      'stop caches',
      'stop election',
      'stop events',
      'stop servers',
    ]);
  });

  it('starts the leader group only after the election, and resolves start() before', async () => {
    const log: string[] = [];
    const elected = Promise.withResolvers<void>();
    const groups = groupsOn();
    groups.add('others', recorder(log, 'server'));
    groups.add('election', recorder(log, 'election', { start: () => elected.promise }));
    groups.add('leader', recorder(log, 'controller'));
    await groups.start();
    expect(log).toEqual(['start server']);
    elected.resolve();
    await groups.allStarted;
    expect(log).toEqual(['start server', 'start controller']);
  });

  it('does not start the leader group if it is stopped before or during the election', async () => {
    const log: string[] = [];
    const elected = Promise.withResolvers<void>();
    const groups = groupsOn();
    groups.add('election', recorder(log, 'election', { start: () => elected.promise }));
    groups.add('leader', recorder(log, 'controller'));
    await groups.start();
    elected.resolve();
    expect(await groups.stop()).toEqual({ drained: true });
    expect(log).toEqual(['stop election']);
  });

  it('aborts immediately if the election is lost, also during a stop', async () => {
    const log: string[] = [];
    const clock = new ManualClock();
    const lose = Promise.withResolvers<(error: unknown) => void>();
    const groups = groupsOn(clock);
    groups.add('election', recorder(log, 'election', { start: async (failed) => lose.resolve(failed) }));
    groups.add('leader', recorder(log, 'controller', { stop: untilAborted }));
    await groups.start();
    await groups.allStarted;
    const stopped = groups.stop();
    (await lose.promise)(new Error('lost'));
    expect(await stopped).toEqual({ drained: false });
    expect(await groups.failure).toEqual(new Error('lost'));
    expect(clock.monotonic()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('abandons runnables that do not stop when they are aborted, and logs their names', async () => {
    const clock = new ManualClock();
    const names: unknown[] = [];
    const logger = Object.assign(new SilentLogger(), {
      warn: (_message: string, keys?: LogKeys) => names.push(keys?.['runnable']),
    });
    const log: string[] = [];
    const groups = groupsOn(clock, logger);
    groups.add('caches', recorder(log, 'cache'));
    groups.add('leader', recorder([], 'deaf', { stop: () => new Promise(() => {}) }));
    await groups.start();
    const stopped = groups.stop();
    await clock.advance(30_999);
    expect(log).toEqual(['start cache']);
    await clock.advance(1);
    expect(await stopped).toEqual({ drained: false });
    expect(log).toEqual(['start cache', 'stop cache']);
    expect(names).toEqual(['deaf']);
  });

  it('stops runnables that have not started immediately and logs their names, except a waiting election', async () => {
    const lines: unknown[] = [];
    const logger = Object.assign(new SilentLogger(), {
      warn: (message: string, keys?: LogKeys) => lines.push([message, keys?.['runnable']]),
    });
    const log: string[] = [];
    const clock = new ManualClock();
    const groups = groupsOn(clock, logger);
    groups.add('caches', recorder(log, 'cache'));
    groups.add('others', recorder(log, 'slow', { start: () => new Promise(() => {}) }));
    void groups.start();
    await clock.advance(0);
    expect(await groups.stop()).toEqual({ drained: true });
    expect(log).toEqual(['start cache', 'stop slow', 'stop cache']);
    expect(lines).toEqual([['stopped before it had started', 'slow']]);
    const standby = groupsOn(clock, logger);
    standby.add('election', recorder(log, 'election', { start: () => new Promise(() => {}) }));
    await standby.start();
    expect(await standby.stop()).toEqual({ drained: true });
    expect(lines).toHaveLength(1);
    expect(clock.monotonic()).toBe(0);
  });

  it('starts a runnable of a group after those that it needs, and stops it before them', async () => {
    const log: string[] = [];
    const groups = groupsOn();
    const isReady = Promise.withResolvers<void>();
    const isDrained = Promise.withResolvers<void>();
    const store = recorder(log, 'store', {
      start: async () => {
        await isReady.promise;
        log.push('start store');
      },
    });
    const server = recorder(log, 'server', {
      stop: async () => {
        await isDrained.promise;
        log.push('stop server');
      },
    });
    for (const runnable of [server, recorder(log, 'other'), store]) groups.add('leader', runnable);
    groups.order(server, [store]);
    const started = groups.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['start other']);
    isReady.resolve();
    await started;
    const stopped = groups.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['start other', 'start store', 'start server', 'stop other']);
    isDrained.resolve();
    expect(await stopped).toEqual({ drained: true });
    expect(log.slice(-2)).toEqual(['stop server', 'stop store']);
  });

  it('neither starts nor stops a runnable if one that it needs fails to start', async () => {
    const log: string[] = [];
    const groups = groupsOn();
    const store = recorder(log, 'store', { start: () => Promise.reject(new Error('no disk')) });
    const server = recorder(log, 'server');
    for (const runnable of [server, store]) groups.add('leader', runnable);
    groups.order(server, [store]);
    await expect(groups.start()).rejects.toThrow('no disk');
    expect(log).toEqual(['stop store']);
  });

  it('does not start a runnable that waits for another one when the groups are stopped', async () => {
    const log: string[] = [];
    const groups = groupsOn();
    const isReady = Promise.withResolvers<void>();
    const store = recorder(log, 'store', { start: () => isReady.promise });
    const server = recorder(log, 'server');
    for (const runnable of [server, store]) groups.add('leader', runnable);
    groups.order(server, [store]);
    const started = groups.start();
    await new Promise((resolve) => setImmediate(resolve));
    await groups.stop();
    isReady.resolve();
    await started;
    expect(log).toEqual(['stop store']);
  });

  it('stops a runnable at the end of the grace period even if one that needs it does not stop', async () => {
    const clock = new ManualClock();
    const log: string[] = [];
    const groups = groupsOn(clock);
    const store = recorder(log, 'store');
    const server = recorder(log, 'server', { stop: () => new Promise(() => {}) });
    for (const runnable of [server, store]) groups.add('leader', runnable);
    groups.order(server, [store]);
    await groups.start();
    const stopped = groups.stop();
    await clock.advance(29_999);
    expect(log).toEqual(['start store', 'start server']);
    await clock.advance(1);
    expect(log.at(-1)).toBe('stop store');
    await clock.advance(1000);
    expect(await stopped).toEqual({ drained: false });
  });

  it('stops all groups if a runnable fails', async () => {
    const log: string[] = [];
    const fail = Promise.withResolvers<(error: unknown) => void>();
    const groups = groupsOn();
    groups.add('caches', recorder(log, 'cache', { start: async (failed) => fail.resolve(failed) }));
    groups.add('leader', recorder(log, 'controller'));
    await groups.start();
    (await fail.promise)(new Error('boom'));
    expect(await groups.stop()).toEqual({ drained: true });
    expect(log).toEqual(['start controller', 'stop controller', 'stop cache']);
  });

  it('does not stop the caches before the controllers have drained', async () => {
    const log: string[] = [];
    const drained = Promise.withResolvers<void>();
    const groups = groupsOn();
    groups.add('caches', recorder(log, 'cache'));
    groups.add('leader', recorder(log, 'controller', { stop: () => drained.promise }));
    await groups.start();
    const stopped = groups.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).not.toContain('stop cache');
    drained.resolve();
    await stopped;
    expect(log).toContain('stop cache');
  });

  it('aborts the remaining runnables when the grace period is over, and reports it', async () => {
    const clock = new ManualClock();
    const groups = groupsOn(clock);
    groups.add('leader', recorder([], 'controller', { stop: untilAborted }));
    await groups.start();
    const stopped = groups.stop();
    await clock.advance(30_000);
    expect(await stopped).toEqual({ drained: false });
    expect(clock.pending).toBe(0);
  });

  it('starts nothing after a group that failed, and stops the started groups', async () => {
    const log: string[] = [];
    const groups = groupsOn();
    groups.add('caches', recorder(log, 'cache', { start: () => Promise.reject(new Error('no cache')) }));
    groups.add('leader', recorder(log, 'controller'));
    await expect(groups.start()).rejects.toThrow('no cache');
    expect(log).toEqual(['stop cache']);
  });

  it('reports the first failure of a started runnable', async () => {
    const groups = groupsOn();
    let failed: (error: unknown) => void = () => {};
    groups.add(
      'leader',
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

  it('can be started only once', async () => {
    const groups = groupsOn();
    await groups.start();
    await expect(groups.start()).rejects.toThrow('the manager was already started; create another manager');
  });
});
