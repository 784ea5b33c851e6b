import { ApiServer } from '@evenkeel/apiserver';
import { Client } from '@evenkeel/client';
import {
  type AnyClass,
  Clock,
  Controller,
  ListerOf,
  Logger,
  type LogKeys,
  Random,
  Reconcile,
  SilentLogger,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { inject, injectable, named, optional, postConstruct, preDestroy } from 'inversify';
import { Lister } from '../cache/index.ts';
import { EventRecorder } from '../event/event-recorder.ts';
import { createManager, type Manager } from '../manager/manager.ts';
import type { ManagerOptions } from '../options/manager-options.ts';

let events: string[];

beforeEach(() => {
  events = [];
});

/** Does nothing, but any decorator makes the compiler record the parameters of the constructor. */
function recorded(_: AnyClass): void {}

class ErrorLog extends SilentLogger {
  override error(message = '', { class: name, error }: LogKeys = {}): void {
    events.push(`${message}: ${String(name)}: ${(error as Error).message}`);
  }

  override child(): Logger {
    return this;
  }
}

/** A service that must be opened and closed. */
@injectable()
class Database {
  @postConstruct()
  async open(): Promise<void> {
    await Promise.resolve();
    events.push('database open');
  }

  @preDestroy()
  async close(): Promise<void> {
    await Promise.resolve();
    events.push('database closed');
  }
}

@injectable()
class Orders {
  constructor(readonly database: Database) {
    events.push('orders made');
  }

  @preDestroy()
  close(): void {
    events.push('orders closed');
  }
}

class Unneeded {
  constructor() {
    events.push('never made');
  }
}

const unreachable = {
  request: () => Promise.reject(new Error('nothing may be sent')),
  close: async () => {},
};

function manager(options: Partial<ManagerOptions>): Promise<Manager> {
  return createManager({
    transport: unreachable,
    services: [Orders, Database, Unneeded],
    logger: new ErrorLog(),
    controllers: [],
    ...options,
  });
}

describe('LifeCycle', () => {
  @Controller(ConfigMap)
  class MapController {
    constructor(
      readonly orders: Orders,
      @ListerOf(ConfigMap) readonly maps: Lister<ConfigMap>,
    ) {
      events.push('controller made');
    }

    @postConstruct()
    async ready(): Promise<void> {
      events.push(`controller ready, ${this.maps.list().length} maps`);
    }

    @preDestroy()
    async end(): Promise<void> {
      events.push('controller ended');
    }

    @Reconcile()
    reconcile(): void {}
  }

  const started = ['database open', 'orders made', 'controller made', 'controller ready, 0 maps'];
  const ended = ['controller ended', 'orders closed', 'database closed'];

  it('creates dependencies first and destroys them last, even if the manager never starts', async () => {
    const made = await manager({ controllers: [MapController] });
    expect(events).toEqual(started);
    await made.stop();
    await made.stop();
    expect(events).toEqual([...started, ...ended]);
  });

  it('works the same in a container of inversify, for classes that inject names or symbols', async () => {
    @injectable()
    class Named {
      constructor(
        @inject(Orders) readonly orders: Orders,
        @inject(Symbol('nobody')) @optional() @named('primary') readonly other: unknown,
      ) {
        events.push(`named made with ${orders.constructor.name} and ${String(other)}`);
      }

      @postConstruct()
      async open(): Promise<void> {
        events.push('named open');
      }

      @preDestroy()
      async close(): Promise<void> {
        events.push('named closed');
      }
    }

    @Controller(ConfigMap)
    class NamedController extends MapController {
      constructor(
        orders: Orders,
        @ListerOf(ConfigMap) maps: Lister<ConfigMap>,
        readonly name: Named,
      ) {
        super(orders, maps);
      }
    }
    const made = await manager({ controllers: [NamedController], services: [Orders, Database, Named] });
    expect(events).toEqual([
      'database open',
      'orders made',
      'named made with Orders and undefined',
      'named open',
      ...started.slice(2),
    ]);
    events = [];
    await made.stop();
    expect(events).toEqual(['controller ended', 'named closed', 'orders closed', 'database closed']);
  });

  it('opens services before the caches start, and closes them after the last run, while the client still works', async () => {
    const server = await ApiServer.create({ controllers: false });
    const released = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();

    @injectable()
    class Journal {
      constructor(readonly client: Client) {}

      @preDestroy()
      async close(): Promise<void> {
        const { items } = await this.client.list(ConfigMap, { namespace: 'default' });
        events.push(`journal closed with ${items.length} maps to read`);
      }
    }

    @Controller(ConfigMap)
    class SlowController {
      constructor(readonly journal: Journal) {}

      @Reconcile()
      async reconcile({ metadata }: ConfigMap): Promise<void> {
        if (metadata.name !== 'slow') return;
        entered.resolve();
        await released.promise;
        events.push('reconciled');
      }

      @preDestroy()
      end(): void {
        events.push('controller ended');
      }
    }
    const operator = await manager({
      transport: server.transport(),
      controllers: [SlowController],
      services: [Journal],
      namespaces: ['default'],
    });
    await operator.start();
    await operator.client.create(ConfigMap, { metadata: { name: 'slow', namespace: 'default' } });
    await entered.promise;
    const stopped = operator.stop();
    released.resolve();
    expect(await stopped).toEqual({ drained: true });
    expect(events).toEqual(['reconciled', 'controller ended', 'journal closed with 1 maps to read']);
    await server.close();
  });

  it('names the class whose @postConstruct method fails, and destroys the instances created before', async () => {
    @injectable()
    class Broken {
      constructor(readonly orders: Orders) {}

      @postConstruct()
      async open(): Promise<void> {
        throw new Error('no route to host');
      }
    }
    @Controller(ConfigMap)
    class BrokenController {
      constructor(readonly broken: Broken) {}
      @Reconcile() reconcile(): void {}
    }
    const making = manager({ controllers: [BrokenController], services: [Orders, Database, Broken] });
    await expect(making).rejects.toMatchObject({
      code: 'hook-failed',
      message: expect.stringMatching(
        /^Broken could not be created: its open\(\) failed: no route to host \(packages\/runtime\/src\/injection\/life-cycle\.test\.ts:\d+\)$/,
      ),
    });
    expect(events.slice(-2)).toEqual(['orders closed', 'database closed']);
  });

  it('names the service whose constructor throws, not the class that needs it', async () => {
    @recorded
    class Broken {
      constructor() {
        throw new Error('no licence');
      }
    }
    @Controller(ConfigMap)
    class BrokenController {
      constructor(readonly broken: Broken) {}
      @Reconcile() reconcile(): void {}
    }
    await expect(manager({ controllers: [BrokenController], services: [Broken] })).rejects.toThrow(
      'Broken could not be created: no licence',
    );
  });

  it('logs a @preDestroy method that throws, and continues', async () => {
    @injectable()
    class Broken {
      constructor(readonly database: Database) {}
      @preDestroy()
      async close(): Promise<void> {
        throw new Error('it is closed already');
      }
    }
    @Controller(ConfigMap)
    class BrokenController {
      constructor(readonly broken: Broken) {}
      @Reconcile() reconcile(): void {}
    }
    const made = await manager({ controllers: [BrokenController], services: [Database, Broken] });
    expect(await made.stop()).toEqual({ drained: true });
    expect(events).toEqual([
      'database open',
      'a @preDestroy method failed: Broken: it is closed already',
      'database closed',
    ]);
  });

  it('calls the hooks of base classes first, and an overridden hook once', async () => {
    class Base {
      @postConstruct()
      first(): void {
        events.push('base first');
      }
      @postConstruct()
      second(): void {
        events.push('base second');
      }
      @preDestroy()
      last(): void {
        events.push('base last');
      }
    }
    @Controller(ConfigMap)
    class DerivedController extends Base {
      override first(): void {
        events.push('derived first');
      }
      @postConstruct()
      third(): void {
        events.push('derived third');
      }
      @preDestroy()
      end(): void {
        events.push('derived end');
      }
      @Reconcile() reconcile(): void {}
    }
    @Controller(ConfigMap, { name: 'sibling' })
    class Sibling extends Base {
      @Reconcile() reconcile(): void {}
    }
    await (await manager({ controllers: [DerivedController] })).stop();
    const all = ['derived first', 'base second', 'derived third', 'derived end', 'base last'];
    expect(events).toEqual(all);
    events = [];
    await (await manager({ controllers: [Sibling] })).stop();
    expect(events).toEqual(['base first', 'base second', 'base last']);
  });

  it('injects the same values into services as into controllers', async () => {
    const given: unknown[] = [];
    @injectable()
    class Service {
      constructor(
        client: Client,
        clock: Clock,
        random: Random,
        logger: Logger,
        recorder: EventRecorder,
        @ListerOf(ConfigMap) maps: Lister<ConfigMap>,
      ) {
        given.push(client, clock, random, logger, recorder, maps);
      }
    }
    @Controller(ConfigMap)
    class ServedController {
      constructor(readonly service: Service) {}
      @Reconcile() reconcile(): void {}
    }
    await manager({ controllers: [ServedController], services: [Service] });
    const types = [Client, Clock, Random, Logger, EventRecorder, Lister];
    for (const [index, type] of types.entries()) expect(given[index]).toBeInstanceOf(type);
  });
});
