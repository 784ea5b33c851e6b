import { ApiServer } from '@evenkeel/apiserver';
import { Client } from '@evenkeel/client';
import { Controller, Reconcile } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { injectable } from 'inversify';
import { createManager } from '../manager/manager.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunnable } from './manager-runnable.ts';

@Controller(ConfigMap, { name: 'maps' })
class MapController {
  @Reconcile() reconcile(): void {}
}

let server: ApiServer;

beforeEach(async () => {
  server = await ApiServer.create({ controllers: false });
});

afterEach(() => server.close());

function manager(options: Partial<ManagerOptions>) {
  return createManager({ controllers: [MapController], transport: server.transport(), ...options });
}

function runnable(name: string, log: string[], overrides: Partial<ManagerRunnable> = {}): ManagerRunnable {
  return {
    name,
    start: async () => void log.push(`start ${name}`),
    stop: async () => void log.push(`stop ${name}`),
    ...overrides,
  };
}

describe('ManagerRunnable', () => {
  it('starts and stops with the manager; with onEveryReplica, it starts and stops first', async () => {
    const log: string[] = [];
    const started = await manager({
      runnables: [runnable('report', log), runnable('server', log, { onEveryReplica: true })],
    });
    await started.start();
    await started.waitUntilReady();
    expect(await started.stop()).toEqual({ drained: true });
    expect(log).toEqual(['start server', 'start report', 'stop server', 'stop report']);
  });

  it('can be a class with injected parameters, and can write with the client of start()', async () => {
    const made: unknown[] = [];
    @injectable()
    class Report implements ManagerRunnable {
      constructor(private readonly injected: Client) {}
      async start(_failed: (error: unknown) => void, client: Client): Promise<void> {
        made.push(this.injected instanceof Client, client === this.injected);
        await client.create(ConfigMap, { metadata: { name: 'report', namespace: 'default' } });
      }
      async stop(): Promise<void> {}
    }
    const started = await manager({ runnables: [Report] });
    await started.start();
    expect(made).toEqual([true, true]);
    expect(await started.client.get(ConfigMap, 'default/report')).toBeInstanceOf(ConfigMap);
    await started.stop();
  });

  it('starts after the runnables that are injected into it, also through services, and before controllers that need it', async () => {
    const log: string[] = [];
    const turns = async (count: number, entry: string): Promise<void> => {
      for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
      log.push(entry);
    };
    @injectable()
    class Store implements ManagerRunnable {
      start = () => turns(5, 'start store');
      stop = () => turns(0, 'stop store');
    }
    abstract class Orders {}
    @injectable()
    class StoredOrders extends Orders {
      constructor(readonly store: Store) {
        super();
      }
    }
    @injectable()
    class Server implements ManagerRunnable {
      constructor(readonly orders: Orders) {}
      start = () => turns(2, 'start server');
      stop = () => turns(5, 'stop server');
    }
    @Controller(ConfigMap, { name: 'served' })
    class ServedController {
      constructor(readonly server: Server) {}
      @Reconcile() reconcile(): void {
        if (!log.includes('reconcile')) log.push('reconcile');
      }
    }
    const started = await manager({
      controllers: [ServedController],
      runnables: [Server, Store],
      services: [{ provide: Orders, useClass: StoredOrders }],
    });
    await started.client.create(ConfigMap, { metadata: { name: 'one', namespace: 'default' } });
    await started.start();
    await started.waitUntilReady();
    while (!log.includes('reconcile')) await new Promise((resolve) => setImmediate(resolve));
    await started.stop();
    expect(log).toEqual(['start store', 'start server', 'reconcile', 'stop server', 'stop store']);
  });

  it('stops the manager if its start fails, and the manager cannot be started again', async () => {
    const log: string[] = [];
    const failing = runnable('broken', log, { start: () => Promise.reject(new Error('port in use')) });
    const broken = await manager({ runnables: [runnable('server', log, { onEveryReplica: true }), failing] });
    await expect(broken.start()).rejects.toThrow('port in use');
    expect(log).toEqual(['start server', 'stop server', 'stop broken']);
    await expect(broken.start()).rejects.toMatchObject({ code: 'manager-started-twice' });
    await expect(broken.waitUntilReady()).rejects.toThrow('the manager stops');
  });

  it('stops the manager if it fails later', async () => {
    const log: string[] = [];
    const fail = Promise.withResolvers<(error: unknown) => void>();
    const started = await manager({
      runnables: [runnable('server', log, { onEveryReplica: true, start: async (failed) => fail.resolve(failed) })],
    });
    await started.start();
    (await fail.promise)(new Error('the socket closed'));
    await expect(started.failure).resolves.toThrow('the socket closed');
    expect(await started.stop()).toEqual({ drained: true });
    expect(log).toEqual(['stop server']);
  });
});
