import { Client } from '@evenkeel/client';
import {
  type ConcreteClass,
  Controller,
  Inject,
  ListerOf,
  Logger,
  type LogKeys,
  ObjectKey,
  Reconcile,
  SilentLogger,
  token,
} from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { inject, injectable, LazyServiceIdentifier, postConstruct, preDestroy } from 'inversify';
import { controllerFor } from '../builder/controller-for.ts';
import { listerOf } from '../builder/injected.ts';
import { provider } from '../builder/provider.ts';
import { Lister } from '../cache/index.ts';
import { mistakeOf as mistake, unconnectedManager } from '../manager/unconnected-manager.fixture.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { ReconcileContext } from '../reconcile/reconcile-context.ts';

/** The mistake, with the places of providers and tokens as file names without folders and lines. */
async function mistakeOf(controllers: readonly ConcreteClass[], options: Partial<ManagerOptions>): Promise<string> {
  const { code, message } = await mistake(controllers, options);
  return `${code}: ${message.replaceAll(/\(\S+\/([^/]+\.ts):\d+\)/g, '($1:LINE)')}`;
}

abstract class Dns {
  abstract add(host: string): string;
}

@injectable()
class CloudDns extends Dns {
  constructor(@Inject(() => dnsUrl) readonly url: string) {
    super();
  }

  add(host: string): string {
    return `${this.url}/${host}`;
  }
}

const dnsUrl = token<string>('dnsUrl');
const retries = token<number>('retries');

let made: unknown[];
let events: string[];

beforeEach(() => {
  made = [];
  events = [];
});

@Controller(ConfigMap)
class MapController {
  constructor(
    dns: Dns,
    @Inject(retries) count: number,
    @Inject(dnsUrl) url: string,
    @ListerOf(ConfigMap) maps: Lister<ConfigMap>,
  ) {
    made.push(dns, count, url, maps);
  }
  @Reconcile() reconcile(): void {}
}

class ErrorLog extends SilentLogger {
  override error(message = '', { class: name, error }: LogKeys = {}): void {
    events.push(`${message}: ${String(name).replace(/\(.*\)/, '(PLACE)')}: ${(error as Error).message}`);
  }

  override child(): Logger {
    return this;
  }
}

describe('providers', () => {
  const url = provider({ provide: dnsUrl, useValue: 'https://dns' });
  const count = provider({ provide: retries, inject: [dnsUrl], useFactory: async (given) => given.length });
  const dns = provider({ provide: Dns, useClass: CloudDns });

  it('give an abstract class, a value and the result of an asynchronous factory to a constructor', async () => {
    await unconnectedManager([MapController], { services: [dns, url, count] });
    const [first, ...others] = made;
    expect(first).toBeInstanceOf(CloudDns);
    expect((first as Dns).add('a')).toBe('https://dns/a');
    expect(others).toEqual([11, 'https://dns', expect.any(Lister)]);
  });

  it('give them to functions', async () => {
    let given: unknown;
    const made = controllerFor(ConfigMap)
      .inject({ dns: Dns, url: dnsUrl, count: retries, maps: listerOf(ConfigMap) })
      .channel(async function* all(_signal, { dns, url, count, maps }) {
        const text: string = url;
        const sum: number = count + text.length;
        given = [dns.add(text), sum, maps.list().length];
        yield new ObjectKey('a', 'default');
      })
      .reconcile(() => {});
    const manager = await unconnectedManager([made], { services: [dns, url, count] });
    expect(manager.health.controllers).toHaveLength(1);
    const Made = made as new (...values: unknown[]) => { all(signal: AbortSignal): AsyncIterable<unknown> };
    for await (const _ of new Made(new CloudDns('u'), 'url', 1, { list: () => [] }).all(AbortSignal.abort()));
    expect(given).toEqual(['u/url', 4, 0]);
  });

  it('may be plain objects, and accept the decorators of inversify', async () => {
    @injectable()
    class Plain {
      constructor(
        @inject(dnsUrl) readonly url: string,
        @inject(new LazyServiceIdentifier(() => Dns)) readonly dns: Dns,
      ) {
        made.push(url, dns);
      }
    }
    @Controller(ConfigMap)
    class PlainController {
      constructor(readonly plain: Plain) {}
      @Reconcile() reconcile(): void {}
    }
    await unconnectedManager([PlainController], {
      services: [
        Plain,
        { provide: dnsUrl, useValue: 'u' },
        { provide: Dns, inject: [dnsUrl, Client], useFactory: (given: string) => new CloudDns(given) },
      ],
    });
    expect(made).toEqual(['u', expect.any(CloudDns)]);
    expect((made[1] as CloudDns).url).toBe('u');
  });

  it('create one instance of a class for all that it provides, and replace a class in the list', async () => {
    abstract class Reader {
      abstract read(): string;
    }
    @Controller(ConfigMap)
    class BothController {
      constructor(reader: Reader, dns: Dns, cloud: CloudDns) {
        made.push(reader, dns, cloud);
      }
      @Reconcile() reconcile(): void {}
    }
    const read = { provide: Reader, useClass: CloudDns };
    await unconnectedManager([BothController], { services: [Dns as never, CloudDns, dns, read, url] });
    expect(made[0]).toBeInstanceOf(CloudDns);
    expect(new Set(made).size).toBe(1);
  });

  it('pass listers and values of the manager to factories', async () => {
    const summary = token<string>('summary');
    const controller = controllerFor(ConfigMap)
      .inject({ summary })
      .reconcile(() => {});
    await unconnectedManager([controller], {
      services: [
        provider({
          provide: summary,
          inject: [listerOf(ConfigMap), Client, Logger],
          useFactory: (maps, client, logger) => {
            made.push(maps, client, logger);
            return `${maps.list().length}`;
          },
        }),
      ],
    });
    expect(made).toEqual([expect.any(Lister), expect.any(Client), expect.any(Logger)]);
  });

  it('are not called if nothing needs them', async () => {
    const unneeded = provider({
      provide: Dns,
      useFactory: () => {
        throw new Error('called');
      },
    });
    await expect(unconnectedManager([], { services: [unneeded] })).resolves.toBeDefined();
  });

  it('is checked by the compiler', () => {
    // @ts-expect-error a number is not a string
    provider({ provide: dnsUrl, useValue: 5 });
    // @ts-expect-error not a Dns
    provider({ provide: Dns, useClass: Lister });
    // @ts-expect-error the factory returns a number
    provider({ provide: dnsUrl, useFactory: () => 5 });
    // @ts-expect-error the url is a string
    provider({ provide: retries, inject: [dnsUrl], useFactory: (given) => given + 1 });
    // @ts-expect-error it is a string, which has no close()
    provider({ provide: dnsUrl, useFactory: () => 'u', dispose: (given) => given.close() });
    expect(
      provider({ provide: Dns, useFactory: async () => new CloudDns('u'), dispose: ({ add }) => void add }),
    ).toEqual({ provide: Dns, useFactory: expect.any(Function), dispose: expect.any(Function) });
  });
});

describe('overrides', () => {
  const services = [
    provider({
      provide: Dns,
      useFactory: (): Dns => {
        throw new Error('the real one was called');
      },
    }),
    provider({ provide: dnsUrl, useValue: 'real' }),
    provider({ provide: retries, useValue: 3 }),
  ];
  const fake: Dns = { add: (host) => `fake ${host}` };

  it('replace a provider, and do not call what they replace', async () => {
    await unconnectedManager([MapController], {
      services,
      overrides: [provider({ provide: Dns, useValue: fake }), provider({ provide: dnsUrl, useValue: 'test' })],
    });
    expect(made.slice(0, 3)).toEqual([fake, 3, 'test']);
  });

  it('replace a listed class, a class of a provider, and a runnable', async () => {
    @injectable()
    class Server {
      constructor(readonly dns: CloudDns) {}
      async start(): Promise<void> {}
      async stop(): Promise<void> {}
    }
    const log: string[] = [];
    const quiet = { start: async () => void log.push('start'), stop: async () => void log.push('stop') };
    const { message } = await mistake([], { services: [CloudDns], runnables: [Server] });
    expect(message).toMatch(/^CloudDns: parameter 1 of its constructor asks for the token "dnsUrl"/);
    const manager = await unconnectedManager([], {
      services: [CloudDns],
      runnables: [Server],
      overrides: [
        { provide: CloudDns, useValue: fake },
        { provide: Server, useValue: quiet },
      ],
    });
    await manager.start();
    await manager.waitUntilReady();
    await manager.stop();
    expect(log).toEqual(['start', 'stop']);
  });

  it('must replace something', async () => {
    const overrides = [provider({ provide: CloudDns, useValue: fake as CloudDns })];
    expect(await mistakeOf([MapController], { services, overrides })).toBe(
      'unknown-override: overrides: the provider of CloudDns (providers.test.ts:LINE): nothing in `services` provides CloudDns, so there is nothing to replace; override the class or token that a constructor asks for, or remove the override',
    );
    expect(await mistakeOf([], { overrides: [CloudDns as never] })).toBe(
      'invalid-option: createManager(): the option "overrides" is invalid: entry 1 of 1 is the class CloudDns; say what it replaces, as in { provide: TheClass, useClass: CloudDns }',
    );
  });
});

describe('a mistake', () => {
  const text = provider({ provide: retries, useValue: 1 });

  it('of a missing provider names the parameter, the token with its line, and the fix', async () => {
    expect(await mistakeOf([MapController], { services: [text] })).toBe(
      [
        'parameter-not-injectable: MapController: parameter 1 of its constructor is a Dns, which is not provided; add Dns to `services`, or { provide: Dns, useClass: ... } if it is abstract',
        'MapController: parameter 3 of its constructor asks for the token "dnsUrl" (providers.test.ts:LINE), which is not provided; add a provider for it to `services`, such as { provide: theToken, useValue: ... }',
      ].join('\n'),
    );
  });

  it('of a missing port names the class that could provide it', async () => {
    const services = [text, CloudDns, provider({ provide: dnsUrl, useValue: 'u' })];
    expect(await mistakeOf([MapController], { services })).toBe(
      'parameter-not-injectable: MapController: parameter 1 of its constructor is a Dns, which is not provided; CloudDns extends it, so add { provide: Dns, useClass: CloudDns } to `services`',
    );
  });

  it('of another token of the same name names both', async () => {
    const same = token<string>('dnsUrl');
    const controller = controllerFor(ConfigMap)
      .inject({ url: dnsUrl })
      .reconcile(() => {});
    expect(await mistakeOf([controller], { services: [provider({ provide: same, useValue: 'u' })] })).toBe(
      'parameter-not-injectable: controllerFor(ConfigMap) (providers.test.ts:LINE): "url" of .inject asks for the token "dnsUrl" (providers.test.ts:LINE), which is not provided; the token "dnsUrl" (providers.test.ts:LINE), which is provided, is another token of the same name, so create it once and import it',
    );
  });

  it('of an undefined token names the import cycle', async () => {
    @Controller(ConfigMap)
    class Cyclic {
      constructor(@Inject(undefined as never as typeof dnsUrl) readonly url: string) {}
      @Reconcile() reconcile(): void {}
    }
    @injectable()
    class CyclicService {
      constructor(@inject(undefined as never) readonly url: string) {}
    }
    expect(await mistakeOf([Cyclic], { services: [CyclicService] })).toBe(
      ['CyclicService', 'Cyclic']
        .map(
          (name) =>
            `${name}: parameter 1 of its constructor has @Inject(undefined), because an import cycle used the class or token before it was defined; write @Inject(() => theToken), or move it to its own module`,
        )
        .join('\n')
        .replace(/^/, 'parameter-not-injectable: '),
    );
  });

  it('of something that is not a token is reported', async () => {
    @Controller(ConfigMap)
    class Wrong {
      constructor(
        @Inject('dnsUrl' as never as typeof dnsUrl) _one: string,
        @Inject({} as never as typeof dnsUrl) _two: string,
      ) {}
      @Reconcile() reconcile(): void {}
    }
    expect(await mistakeOf([Wrong], {})).toBe(
      [
        'parameter-not-injectable: Wrong: parameter 1 of its constructor asks for "dnsUrl", which is not provided; add a provider for it to `services`, such as { provide: theToken, useValue: ... }',
        'Wrong: parameter 2 of its constructor asks for [object Object], which is not a class or a token; pass a class, or a token from token()',
      ].join('\n'),
    );
  });

  it.each<[string, object, string]>([
    [
      'an undefined class',
      { provide: undefined, useValue: 1 },
      'undefined: "provide" is undefined, because an import cycle used it before it was defined; move the class or token to its own module',
    ],
    [
      'a name instead of a token',
      { provide: 'dns', useValue: 1 },
      '"dns": "provide" is "dns"; pass a class, or a token from token()',
    ],
    ['nothing to use', { provide: Dns }, 'Dns: it does not say how; add useClass, useValue or useFactory'],
    [
      'two ways',
      { provide: Dns, useClass: CloudDns, useValue: 1 },
      'Dns: it has useClass and useValue; keep one of them',
    ],
    [
      'a misspelt way',
      { provide: Dns, useclass: CloudDns },
      'Dns: unknown option "useclass"; did you mean "useClass"?\nDns: it does not say how; add useClass, useValue or useFactory',
    ],
    [
      'an undefined useClass',
      { provide: Dns, useClass: undefined },
      'Dns: "useClass" is undefined, because an import cycle used it before it was defined; move the class or token to its own module',
    ],
    ['an instance as useClass', { provide: Dns, useClass: 5 }, 'Dns: "useClass" is 5; pass the class itself'],
    ['a class as factory', { provide: Dns, useFactory: CloudDns }, 'Dns: "useFactory" is a class; write useClass'],
    [
      'a value as factory',
      { provide: Dns, useFactory: 5 },
      'Dns: "useFactory" is 5; pass a function that returns the value',
    ],
    [
      'too few dependencies',
      { provide: Dns, inject: [Client], useFactory: (a: unknown, b: unknown) => [a, b] },
      'Dns: useFactory has 2 parameters, but "inject" lists 1; list a class or token for each',
    ],
    [
      'dependencies of a value',
      { provide: Dns, inject: [], useValue: 1 },
      'Dns: "inject" has no effect without useFactory; remove it',
    ],
    [
      'an unknown scope',
      { provide: Dns, useClass: CloudDns, scope: 'request' },
      'Dns: "scope" is "request"; use "singleton" or "run"',
    ],
    [
      'a value for each run',
      { provide: Dns, useValue: 1, scope: 'run' },
      'Dns: a value cannot have the scope "run"; write useFactory, which is called in each run',
    ],
  ])('of a provider with %s is reported', async (_, given, message) => {
    expect(await mistakeOf([], { services: [given as never] })).toBe(
      `invalid-provider: ${message.replaceAll(/^/gm, 'the provider of ')}`,
    );
  });

  it('of duplicate providers names both', async () => {
    const services = [text, provider({ provide: retries, useValue: 2 })];
    expect(await mistakeOf([], { services })).toBe(
      'duplicate-provider: the provider of the token "retries" (providers.test.ts:LINE): the provider of the token "retries" (providers.test.ts:LINE) provides it too; remove one of them',
    );
    expect(await mistakeOf([], { services: [text, text] })).toBe(
      'invalid-option: createManager(): the option "services" contains an object twice; remove one of them',
    );
    expect(await mistakeOf([], { services: [{ provide: Client, useValue: 1 }] })).toBe(
      'duplicate-provider: the provider of Client: the manager itself provides Client; remove the provider, and use the options of the manager, such as `clock` or `logger`',
    );
    const port = { provide: Dns, useClass: CloudDns, scope: 'run' } as const;
    const other = { provide: CloudDns, useClass: CloudDns };
    const url = { provide: dnsUrl, useValue: 'u' };
    abstract class Other extends Dns {}
    expect(await mistakeOf([], { services: [url, port, { provide: Other, useClass: CloudDns }] })).toBe(
      'duplicate-provider: the provider of Other gives CloudDns the scope "singleton", but the provider of Dns gives it the scope "run"; use one scope, or two classes',
    );
    await expect(unconnectedManager([], { services: [url, port, other] })).resolves.toBeDefined();
  });

  it('of a dependency of a factory names the entry', async () => {
    const services = [
      provider({
        provide: Dns,
        inject: [retries, listerOf(Secret), undefined as never],
        useFactory: () => new CloudDns(''),
      }),
    ];
    const dns = 'the provider of Dns (providers.test.ts:LINE): entry';
    expect(await mistakeOf([], { services })).toBe(
      [
        `parameter-not-injectable: ${dns} 1 of its "inject" asks for the token "retries" (providers.test.ts:LINE), which is not provided; add a provider for it to \`services\`, such as { provide: theToken, useValue: ... }`,
        `${dns} 2 of its "inject" asks for Secret, which no controller reconciles, owns or watches; add @Owns or @Watches for it, or read it with the Client`,
        `${dns} 3 of its "inject" has @Inject(undefined), because an import cycle used the class or token before it was defined; write @Inject(() => theToken), or move it to its own module`,
      ].join('\n'),
    );
  });

  it('of providers that need each other names the way', async () => {
    const services = [
      provider({ provide: dnsUrl, inject: [Dns], useFactory: (dns) => dns.add('') }),
      provider({ provide: Dns, useClass: CloudDns }),
    ];
    const way = (start: string) => `${start} (providers.test.ts:LINE)`;
    const url = way('the provider of the token "dnsUrl"');
    expect(await mistakeOf([], { services })).toBe(
      `circular-dependency: CloudDns: it needs itself (${url} -> ${way('the provider of Dns')} -> CloudDns -> ${url}); move the code that both need to a third class`,
    );
  });

  it('of a singleton that needs a value of a run names the parameter', async () => {
    @Controller(ConfigMap)
    class Early {
      constructor(
        readonly dns: Dns,
        readonly context: ReconcileContext,
      ) {}
      @Reconcile() reconcile(): void {}
    }
    @injectable()
    class Service {
      constructor(readonly dns: Dns) {}
    }
    const services = [
      Service,
      provider({ provide: Dns, useFactory: () => new CloudDns(''), scope: 'run' }),
      provider({ provide: dnsUrl, inject: [Dns], useFactory: (dns) => dns.add('') }),
    ];
    expect(await mistakeOf([Early], { services })).toBe(
      [
        'run-scoped-dependency: Service: parameter 1 of its constructor asks for Dns, which exists only during a run, but Service is created once for all runs; give its provider the scope "run" too, or pass the value to its methods',
        'the provider of the token "dnsUrl" (providers.test.ts:LINE): entry 1 of its "inject" asks for Dns, which exists only during a run, but its value is created once for all runs; give its provider the scope "run" too, or pass the value to its methods',
        'Early: parameter 1 of its constructor asks for Dns, which exists only during a run, but Early is created once for all runs; move it to the parameters of the reconcile method, after the context',
        'Early: parameter 2 of its constructor asks for a ReconcileContext, which exists only during a run, but Early is created once for all runs; move it to the parameters of the reconcile method, after the context',
      ].join('\n'),
    );
  });
});

describe('start and stop', () => {
  function opening(name: string): ConcreteClass {
    @injectable()
    class Opening {
      @postConstruct() async open(): Promise<void> {
        await Promise.resolve();
        events.push(`${name} open`);
      }
      @preDestroy() async close(): Promise<void> {
        await Promise.resolve();
        events.push(`${name} closed`);
      }
    }
    return Opening;
  }
  const Pool = opening('pool');
  const store = token<string>('store');
  const stored = provider({
    provide: store,
    inject: [Pool],
    useFactory: async () => {
      await Promise.resolve();
      events.push('store open');
      return 'store';
    },
    dispose: async (value) => {
      await Promise.resolve();
      events.push(`${value} closed`);
    },
  });

  it('follow the dependencies, through factories and classes', async () => {
    @Controller(ConfigMap)
    class StoreController {
      constructor(@Inject(store) readonly given: string) {
        events.push(`controller made with ${given}`);
      }
      @Reconcile() reconcile(): void {}
      @preDestroy() end(): void {
        events.push('controller ended');
      }
    }
    const manager = await unconnectedManager([StoreController], { services: [stored, Pool] });
    expect(events).toEqual(['pool open', 'store open', 'controller made with store']);
    events = [];
    await manager.stop();
    expect(events).toEqual(['controller ended', 'store closed', 'pool closed']);
  });

  it('end what was started in reverse order after a factory has failed, and report errors of ends besides the first', async () => {
    const last = token<string>('last');
    const broken = provider({
      provide: last,
      inject: [store],
      useFactory: async (): Promise<string> => {
        throw new Error('connection refused');
      },
      dispose: () => void events.push('never started'),
    });
    const clinging = provider({
      provide: dnsUrl,
      useFactory: () => 'url',
      dispose: () => {
        throw new Error('still in use');
      },
    });
    const controller = controllerFor(ConfigMap)
      .inject({ url: dnsUrl, last })
      .reconcile(() => {});
    expect(await mistakeOf([controller], { services: [stored, Pool, clinging, broken], logger: new ErrorLog() })).toBe(
      'factory-failed: the provider of the token "last" (providers.test.ts:LINE): useFactory failed: connection refused (providers.test.ts:LINE)',
    );
    expect(events).toEqual([
      'pool open',
      'store open',
      'store closed',
      'pool closed',
      'a dispose method failed: the provider of the token "dnsUrl" (PLACE): still in use',
    ]);
  });

  it('end what was started if the manager cannot start for another reason', async () => {
    const server = { start: () => Promise.reject(new Error('no port')), stop: async () => {} };
    const controller = controllerFor(ConfigMap)
      .inject({ store })
      .reconcile(() => {});
    const manager = await unconnectedManager([controller], { services: [stored, Pool], runnables: [server] });
    await expect(manager.start()).rejects.toThrow('no port');
    expect(events).toEqual(['pool open', 'store open', 'store closed', 'pool closed']);
  });

  it('does not call @preDestroy of a service whose @postConstruct failed', async () => {
    @injectable()
    class Broken {
      @postConstruct() open(): void {
        throw new Error('no route');
      }
      @preDestroy() close(): void {
        events.push('never opened');
      }
    }
    const controller = controllerFor(ConfigMap)
      .inject({ store, broken: Broken })
      .reconcile(() => {});
    expect(await mistakeOf([controller], { services: [stored, Pool, Broken] })).toBe(
      'hook-failed: Broken could not be created: its open() failed: no route (providers.test.ts:LINE)',
    );
    expect(events).toEqual(['pool open', 'store open', 'store closed', 'pool closed']);
  });

  it('report a factory that returns nothing', async () => {
    const controller = controllerFor(ConfigMap)
      .inject({ url: dnsUrl })
      .reconcile(() => {});
    const empty = provider({ provide: dnsUrl, useFactory: (() => {}) as unknown as () => string });
    expect(await mistakeOf([controller], { services: [empty] })).toBe(
      'invalid-provider: the provider of the token "dnsUrl" (providers.test.ts:LINE): useFactory returned undefined; return the value',
    );
  });
});
