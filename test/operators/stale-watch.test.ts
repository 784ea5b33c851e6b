import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { Controller, ManualClock, Reconcile } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { createManager, type Manager } from '../../packages/runtime/src/manager/manager.ts';
import { FaultProxy } from '../fault-proxy.fixture.ts';

@Controller(ConfigMap, { name: 'maps' })
class Maps {
  @Reconcile() reconcile(): void {}
}

@Controller(Secret, { name: 'secrets', wholeCluster: true })
class Secrets {
  @Reconcile() reconcile(): void {}
}

/** The interval of checks for an expected event. Each check advances the clock by it. */
const stepMs = 1000;

describe('a watch with an open connection that receives nothing', () => {
  let server: ApiServer;
  let proxy: FaultProxy;
  let manager: Manager;
  let clock: ManualClock;

  beforeEach(async () => {
    server = await ApiServer.create({ controllers: false });
    proxy = await FaultProxy.start(server.transport());
    clock = new ManualClock(new Date());
    manager = await createManager({ connection: proxy.connection, controllers: [Maps, Secrets], clock });
    await manager.start();
    await manager.waitUntilReady(AbortSignal.timeout(90_000));
  });

  afterEach(async () => {
    await manager.stop();
    await proxy.close();
    await server.close();
  });

  /** Advances the clock until the condition is true; returns the elapsed time of the clock. */
  async function until(what: string, holds: () => boolean, longestMs: number): Promise<number> {
    const startMs = clock.monotonic();
    while (!holds()) {
      if (clock.monotonic() - startMs > longestMs) throw new Error(`${what}: not within ${longestMs} ms`);
      await clock.advance(stepMs);
      // Let the sockets run.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return clock.monotonic() - startMs;
  }

  const watchOf = (resource: string) => manager.health.watches.find((watch) => watch.resource === resource);

  it('is restarted after 70 s, and the process is not ready, but is live for 10 minutes', async () => {
    proxy.isSilent = true;
    const restarted = await until('the restart', () => watchOf('configmaps')?.restarts === 1, 120_000);
    expect(restarted).toBeGreaterThanOrEqual(69_000);
    expect(restarted).toBeLessThan(75_000);
    expect(manager.health).toMatchObject({ live: true });
    await until('not ready', () => !manager.health.ready, 120_000);
    expect(manager.health.live).toBe(true);
    await until('not live', () => !manager.health.live, 600_000);
    const { heardAgeMs = 0, restarts = 0 } = watchOf('configmaps') ?? {};
    expect(heardAgeMs).toBeGreaterThan(600_000);
    expect(restarts).toBeGreaterThan(3);
    expect(manager.health.problems.join('\n')).toContain('restart this process');

    proxy.isSilent = false;
    await until('received again', () => manager.health.live && manager.health.ready, 120_000);
    expect(manager.health.problems).toEqual([]);
    await createClient(server.transport()).create(ConfigMap, { metadata: { name: 'after', namespace: 'default' } });
    await until('the object', () => manager.health.cached.some(({ objects }) => objects === 1), 60_000);
  });

  it('keeps the process live while the server responds to nothing, and ready again when the server is back', async () => {
    await proxy.stopListening();
    await until('not ready', () => !manager.health.ready, 300_000);
    await until('a long time', () => (watchOf('secrets')?.heardAgeMs ?? 0) > 3_600_000, 4_000_000);
    expect(manager.health.live).toBe(true);
    await proxy.listenAgain();
    // The maximum backoff.
    expect(await until('back', () => manager.health.ready, 60_000)).toBeLessThan(35_000);
  });
});
