import { ApiServer } from '@evenkeel/apiserver';
import { Client } from '@evenkeel/client';
import {
  type ConcreteClass,
  Controller,
  Finalizer,
  Inject,
  Logger,
  type LogKeys,
  Reconcile,
  SilentLogger,
  token,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { injectable, postConstruct, preDestroy } from 'inversify';
import { controllerFor } from '../builder/controller-for.ts';
import { listerOf } from '../builder/injected.ts';
import { provider } from '../builder/provider.ts';
import { createManager, type Manager } from '../manager/manager.ts';
import { mistakeOf } from '../manager/unconnected-manager.fixture.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';

let server: ApiServer;
let events: string[];
let manager: Manager | undefined;
let runs: ReconcileRun[];
let ranAll: PromiseWithResolvers<void>;

class EventLog extends SilentLogger {
  override error(message = '', { class: name, error }: LogKeys = {}): void {
    if (message.startsWith('a ')) events.push(`${message}: ${String(name)}: ${(error as Error).message}`);
  }

  override child(): Logger {
    return this;
  }
}

beforeEach(async () => {
  server = await ApiServer.create({ controllers: false });
  events = [];
  runs = [];
  ranAll = Promise.withResolvers();
});

afterEach(async () => {
  await manager?.stop();
  manager = undefined;
  await server.close();
});

/** Runs the controllers until each of these maps was reconciled. */
async function reconcileAll(
  controllers: readonly ConcreteClass[],
  names: readonly string[],
  options: Partial<ManagerOptions>,
): Promise<Manager> {
  const transport = server.transport();
  manager = await createManager({
    controllers,
    transport,
    namespaces: ['default'],
    logger: new EventLog(),
    observer: (run) => {
      runs.push(run);
      if (names.every((name) => runs.some(({ key }) => key.name === name))) ranAll.resolve();
    },
    ...options,
  });
  for (const name of names) await manager.client.create(ConfigMap, { metadata: { name, namespace: 'default' } });
  await manager.start();
  await ranAll.promise;
  return manager;
}

const region = token<string>('region');

/** Created in each run, with a dependency that is created once. */
@injectable()
class Tenant {
  readonly name: string;
  constructor(
    context: ReconcileContext,
    @Inject(region) readonly where: string,
  ) {
    this.name = context.key.name;
  }
  @postConstruct() async open(): Promise<void> {
    await Promise.resolve();
    events.push(`${this.name} open`);
  }
  @preDestroy() async close(): Promise<void> {
    await Promise.resolve();
    events.push(`${this.name} closed`);
  }
}

const tenants = provider({ provide: Tenant, useClass: Tenant, scope: 'run' });
const regions = provider({
  provide: region,
  useFactory: async () => {
    events.push('region made');
    return 'eu';
  },
});

describe('a value with the scope run', () => {
  it('is created for each run from its context, and ends after the method', async () => {
    @Controller(ConfigMap)
    class MapController {
      @Reconcile() reconcile(_map: ConfigMap, _context: ReconcileContext, tenant: Tenant, @Inject(region) at: string) {
        events.push(`${tenant.name} in ${at}${tenant.where}`);
      }
    }
    await reconcileAll([MapController], ['a', 'b'], { services: [tenants, regions] });
    const once = (name: string) => [`${name} open`, `${name} in eueu`, `${name} closed`];
    expect(events).toEqual(['region made', ...once('a'), ...once('b')]);
  });

  it('belongs to one of several concurrent runs', async () => {
    const bothIn = Promise.withResolvers<void>();
    const seen = new Map<string, Tenant>();
    @Controller(ConfigMap)
    class MapController {
      @Reconcile({ maxConcurrent: 2 })
      async reconcile(map: ConfigMap, _context: ReconcileContext, tenant: Tenant) {
        seen.set(map.metadata.name, tenant);
        if (seen.size === 2) bothIn.resolve();
        await bothIn.promise;
        expect(tenant.name).toBe(map.metadata.name);
      }
    }
    await reconcileAll([MapController], ['a', 'b'], { services: [tenants, regions] });
    expect([...seen].map(([name, tenant]) => [name, tenant.name]).sort()).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    expect(runs.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(events.slice().sort()).toEqual(['a closed', 'a open', 'b closed', 'b open', 'region made']);
  });

  it('is created once in a run for everything that needs it', async () => {
    const session = token<{ readonly of: string }>('session');
    const first = token<{ readonly of: string }>('first');
    let count = 0;
    const services = [
      provider({
        provide: session,
        scope: 'run',
        inject: [ReconcileContext, listerOf(ConfigMap), Client],
        useFactory: async (context, maps) => {
          count++;
          await Promise.resolve();
          return { of: maps.get(context.key)?.metadata.name ?? 'nobody' };
        },
        dispose: ({ of }) => void events.push(`session of ${of} ended`),
      }),
      provider({ provide: first, scope: 'run', inject: [session], useFactory: (given) => given }),
    ];
    const controller = controllerFor(ConfigMap)
      .inject({ session, first })
      .reconcile(async (_map, _context, given) => {
        events.push(`same: ${given.session === given.first}, of ${given.session.of}`);
      });
    await reconcileAll([controller], ['a'], { services });
    expect(events).toEqual(['same: true, of a', 'session of a ended']);
    expect(count).toBe(1);
  });

  it('reaches finalizers, and functions of runs only', async () => {
    let outside: unknown;
    const deleted = Promise.withResolvers<void>();
    const controller = controllerFor(ConfigMap)
      .inject({ tenant: Tenant, region })
      .index('all', (_map, services) => {
        try {
          return services.tenant.name;
        } catch (error) {
          outside = error;
          return services.region;
        }
      })
      .finalizer('example.com/late', async (_map, _context, { tenant, region: at }) => {
        events.push(`${tenant.name} finalized in ${at}`);
        deleted.resolve();
      })
      .reconcile(async function publish(_map, _context, { tenant }) {
        events.push(`${tenant.name} reconciled`);
      });
    const { client } = await reconcileAll([controller], ['a'], { services: [tenants, regions] });
    await client.delete(ConfigMap, 'default/a');
    await deleted.promise;
    await manager?.stop();
    expect(events).toEqual([
      'region made',
      ...['a open', 'a reconciled', 'a closed'],
      ...['a open', 'a finalized in eu', 'a closed'],
    ]);
    expect(outside).toMatchObject({ code: 'run-scoped-dependency' });
    expect((outside as Error).message.replace(/\(\/.*?\)/, '(PLACE)')).toBe(
      'controllerFor(ConfigMap) (PLACE): "tenant" of .inject exists only during a run; use it only in the functions of .reconcile and .finalizer',
    );
  });

  it('reaches decorated finalizers', async () => {
    const deleted = Promise.withResolvers<void>();
    @Controller(ConfigMap)
    class MapController {
      @Reconcile() reconcile(): void {}
      @Finalizer('example.com/late') late(_map: ConfigMap, _context: ReconcileContext, tenant: Tenant): void {
        events.push(`${tenant.name} finalized`);
        deleted.resolve();
      }
    }
    const { client } = await reconcileAll([MapController], ['a'], { services: [tenants, regions] });
    await client.delete(ConfigMap, 'default/a');
    await deleted.promise;
    await manager?.stop();
    expect(events).toEqual(['region made', 'a open', 'a finalized', 'a closed']);
  });

  it('fails only its run if it cannot be created, and what was created ends', async () => {
    const broken = token<string>('broken');
    let attempts = 0;
    const services = [
      tenants,
      regions,
      provider({
        provide: broken,
        scope: 'run',
        inject: [Tenant],
        useFactory: async () => {
          if (attempts++ === 0) throw new Error('no session');
          return 'fine';
        },
        dispose: () => {
          throw new Error('cannot end');
        },
      }),
    ];
    const controller = controllerFor(ConfigMap)
      .inject({ broken })
      .reconcile(async (_map, { key }, given) => {
        events.push(`${key.name} ${given.broken}`);
      });
    await reconcileAll([controller], ['a', 'b'], { services });
    const [first, second] = runs;
    expect(first).toMatchObject({ outcome: 'failed', error: { message: 'no session' } });
    expect(second?.outcome).toBe('await-change');
    // On a slow machine, the retry of the first is before the other object.
    const name = second?.key.name;
    expect(events.slice(0, 6).map((event) => event.replace(/\(.*\)/, '(PLACE)'))).toEqual([
      'region made',
      ...['a open', 'a closed'],
      ...[
        `${name} open`,
        `${name} fine`,
        'a dispose method failed: the provider of the token "broken" (PLACE): cannot end',
      ],
    ]);
  });

  it('works with a class that needs a container of inversify', async () => {
    const { inject, optional } = await import('inversify');
    @injectable()
    class Optional {
      constructor(
        @inject(region) readonly at: string,
        @inject(Symbol('none')) @optional() readonly none: unknown,
      ) {}
    }
    @Controller(ConfigMap)
    class MapController {
      constructor(readonly other: Optional) {}
      @Reconcile() reconcile(_map: ConfigMap, _context: ReconcileContext, tenant: Tenant): void {
        events.push(`${tenant.name} in ${tenant.where} and ${this.other.at}`);
      }
    }
    await reconcileAll([MapController], ['a'], { services: [tenants, regions, Optional] });
    expect(events).toEqual(['region made', 'a open', 'a in eu and eu', 'a closed']);
  });

  it('is reported at the start if nothing provides it, or the compiler did not record it', async () => {
    @Controller(ConfigMap)
    class Unprovided {
      @Reconcile() reconcile(_map: ConfigMap, _context: ReconcileContext, _tenant: Tenant, _limit = 5): void {}
    }
    class Unrecorded {
      reconcile(_map: unknown, _context: unknown, _tenant: unknown): void {}
    }
    Reconcile()(Unrecorded.prototype, 'reconcile');
    Controller(ConfigMap, { name: 'unrecorded' })(Unrecorded);
    expect(await mistakeOf([Unprovided, Unrecorded])).toEqual({
      code: 'parameter-not-injectable',
      message: [
        'Unprovided.reconcile: parameter 3 is a Tenant, which is not provided; add Tenant to `services`, or { provide: Tenant, useClass: ... } if it is abstract',
        'Unrecorded.reconcile: the compiler did not record the types of its parameters; set "emitDecoratorMetadata": true in its tsconfig.json, or write @Inject(TheClass) before each parameter after the context',
      ].join('\n'),
    });
  });
});
