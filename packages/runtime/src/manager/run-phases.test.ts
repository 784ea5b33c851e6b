import { Client } from '@evenkeel/client';
import {
  Controller,
  EvenkeelError,
  type Logger,
  type LogKeys,
  ManualClock,
  Reconcile,
  SeededRandom,
  SilentLogger,
  type Transport,
  type TransportRequest,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { jest } from '@jest/globals';
import { inject, injectable, optional, postConstruct, preDestroy } from 'inversify';
import { type Fate, LeaseServer } from '../election/election.fixture.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import { defineOperator } from '../options/operator.ts';
import { FakeProcess } from '../process/fake-process.fixture.ts';
import type { ManagerRunnable } from '../runnable/manager-runnable.ts';
import { createManager, Manager } from './manager.ts';

const never = new Promise<never>(() => {});
const refused = new EvenkeelError('cluster-unreachable', 'cannot reach https://10.0.0.1: ECONNREFUSED');

/** An unreachable server. */
const away: Transport = { request: () => Promise.reject(refused), close: async () => {} };

/** A server that accepts the connection and never responds, except with 404 to paths that include `answered`. */
function silent(answered: string | undefined = undefined): Transport {
  return {
    request: ({ path, signal }: TransportRequest) => {
      if (answered !== undefined && path.includes(answered)) return Promise.resolve(notFound());
      return new Promise((_resolve, reject) => {
        if (signal?.aborted === true) reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
    close: async () => {},
  };
}

function notFound() {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 };
  return {
    status: 404,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield Buffer.from(JSON.stringify(status));
    })(),
  };
}

class Lines extends SilentLogger {
  readonly infos: string[] = [];
  readonly troubles: { readonly message: string; readonly keys: LogKeys }[] = [];

  override info(message = ''): void {
    this.infos.push(message);
  }

  override warn(message = '', keys: LogKeys = {}): void {
    this.troubles.push({ message, keys });
  }

  override error(message = '', keys: LogKeys = {}): void {
    this.troubles.push({ message, keys });
  }

  override child(): Logger {
    return this;
  }

  get messages(): string[] {
    return this.troubles.map(({ message }) => message);
  }
}

/** `Manager.run` with the process, clock and log of the test. */
function run(options: Partial<ManagerOptions>, clock = new ManualClock(), process = new FakeProcess()) {
  const logger = new Lines();
  const random = new SeededRandom(1);
  const all = { controllers: [], runnables: [runnable()], ...options };
  const { controllers, services, runnables, leaderElection, validator, ...others } = all;
  const operator = defineOperator({ name: 'tested', controllers, services, runnables, leaderElection, validator });
  const ended = Manager.run(operator, {
    ...{ process, clock, logger, random, arguments: [], environment: {}, transport: away },
    ...others,
  });
  const started = async (): Promise<void> => {
    for (let turns = 0; turns < 200 && !logger.infos.includes('manager started'); turns++) await clock.advance(0);
    expect(logger.infos).toContain('manager started');
  };
  return { process, clock, logger, ended, started };
}

/** Runs some turns of the event loop without advancing the time. */
async function turns(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await clock.advance(0);
}

function runnable(overrides: Partial<ManagerRunnable> = {}): ManagerRunnable {
  return { name: 'work', start: async () => {}, stop: async () => {}, ...overrides };
}

@Controller(ConfigMap, { name: 'maps' })
class MapController {
  @Reconcile() reconcile(): void {}
}

let events: string[];
/** The function that `open()` of the services awaits. */
let open: (client: Client) => Promise<unknown>;

@injectable()
class Ledger {
  @preDestroy()
  close(): void {
    events.push('ledger closed');
  }
}

@injectable()
class Stock {
  constructor(
    readonly ledger: Ledger,
    readonly client: Client,
  ) {}

  @postConstruct()
  async open(): Promise<void> {
    await open(this.client);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}

/** An optional parameter needs a container of inversify, which calls the hooks itself. */
@injectable()
class OptionalStock {
  constructor(
    readonly ledger: Ledger,
    readonly client: Client,
    @inject(Symbol('missing')) @optional() readonly other: unknown,
  ) {}

  @postConstruct()
  async open(): Promise<void> {
    await open(this.client);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}

/** Its `@preDestroy` method never finishes. */
@injectable()
class Clinging {
  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  @preDestroy()
  close(): Promise<void> {
    return never;
  }
}

beforeEach(() => {
  events = [];
  open = async () => {};
});

describe.each([
  ['@postConstruct', Stock],
  ['@postConstruct of an inversify container', OptionalStock],
])('%s', (_what, stock) => {
  const options = { services: [Ledger], runnables: [stock] };

  it('exits with 1 and one line if the server is unreachable, and destroys the instances created before', async () => {
    open = (client) => client.get(ConfigMap, 'default/stock');
    const { process, logger, ended } = run(options);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.troubles).toEqual([
      {
        message: `${stock.name} could not be created: its open() failed: cannot reach https://10.0.0.1: ECONNREFUSED`,
        keys: { code: 'hook-failed' },
      },
    ]);
    expect(events).toEqual(['ledger closed']);
  });

  it('is logged on SIGTERM if it never finishes, and the process exits with 0 at once', async () => {
    open = () => never;
    const { process, clock, logger, ended } = run(options);
    await turns(clock);
    expect(process.exits).toEqual([]);
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
    expect(logger.infos).toEqual(['stopping']);
    expect(logger.troubles).toEqual([
      {
        message: 'stopped while a factory or a @postConstruct method was running',
        keys: { hook: `${stock.name}.open()` },
      },
    ]);
    expect(events).toEqual(['ledger closed']);
    expect([clock.monotonic(), clock.pending]).toEqual([0, 0]);
  });

  it('exits with 1 on SIGTERM if it and the @preDestroy method of another instance never finish', async () => {
    open = () => never;
    const { process, clock, logger, ended } = run({ ...options, runnables: [Clinging, stock], gracePeriod: '5s' });
    await turns(clock);
    process.send('SIGTERM');
    await clock.advance(4999);
    expect(process.exits).toEqual([]);
    await clock.advance(1);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.troubles).toEqual([
      {
        message: 'stopped while a factory or a @postConstruct method was running',
        keys: { hook: `${stock.name}.open()` },
      },
      { message: 'a @preDestroy method did not finish within the grace period', keys: { class: 'Clinging' } },
      { message: 'not everything finished within the grace period', keys: {} },
    ]);
    expect(events).toEqual(['ledger closed']);
    expect(clock.pending).toBe(0);
  });
});

it('Manager.run() exits with 2 if a constructor throws', async () => {
  class Broken {
    constructor() {
      throw new Error('no licence');
    }
    async start(): Promise<void> {}
    async stop(): Promise<void> {}
  }
  const { process, logger, ended } = run({ runnables: [Broken] });
  await ended;
  expect(process.exits).toEqual([2]);
  expect(logger.messages).toEqual([
    expect.stringMatching(/^Broken could not be created: no licence \(\S+run-phases\.test\.ts:\d+\)$/),
  ]);
});

describe('Manager.run()', () => {
  it.each<[string, object, string]>([
    ['nothing to run', { runnables: [] }, 'option "controllers" is empty and there are no "webhooks" or "runnables"'],
    ['only a service', { runnables: undefined, services: [Ledger] }, 'so nothing would run; pass controllers'],
    ['missing controllers', { controllers: undefined }, 'option "controllers" is missing; pass a list'],
    ['controllers without a list', { controllers: MapController }, 'option "controllers" is not a list; pass a list'],
    ['invalid services', { services: [7] }, 'option "services" is invalid: entry 1 of 1 is a number'],
    ['an invalid validator', { validator: 7 }, 'option "validator" is not an ObjectValidator: it is a number'],
  ])('exits with 2 and an error that names defineOperator for %s', async (_what, options, message) => {
    const { process, logger, ended } = run(options as Partial<ManagerOptions>);
    await ended;
    expect(process.exits).toEqual([2]);
    expect(logger.troubles).toEqual([
      { message: expect.stringContaining(message), keys: { code: expect.stringMatching(/^invalid-option$/) } },
    ]);
    expect(logger.messages[0]).toMatch(/^defineOperator\(\): the option /);
    expect(logger.infos).toEqual([]);
  });

  it('keeps the process open until it stops, even if its runnables do not', async () => {
    const set = jest.spyOn(globalThis, 'setInterval');
    const clear = jest.spyOn(globalThis, 'clearInterval');
    try {
      const { process, ended, started } = run({});
      await started();
      const [timer] = set.mock.results.map(({ value }) => value as NodeJS.Timeout);
      expect(timer?.hasRef()).toBe(true);
      expect(clear).not.toHaveBeenCalled();
      process.send('SIGTERM');
      await ended;
      expect(clear.mock.calls).toEqual([[timer]]);
      expect(set).toHaveBeenCalledTimes(1);
    } finally {
      set.mockRestore();
      clear.mockRestore();
    }
  });

  it('exits with 2 while another Manager.run() is running in the process, and works again after it has stopped', async () => {
    const first = run({});
    const second = run({}, new ManualClock(), first.process);
    await second.ended;
    expect(first.process.exits).toEqual([2]);
    expect(second.logger.troubles).toEqual([
      {
        message: expect.stringMatching(
          /^Manager\.run\(\) is already running in this process; .* use createManager\(\) for more managers$/,
        ),
        keys: { code: 'manager-already-runs' },
      },
    ]);
    await first.started();
    first.process.send('SIGTERM');
    await first.ended;
    const third = run({}, new ManualClock(), first.process);
    await third.started();
    third.process.send('SIGTERM');
    await third.ended;
    expect(third.process.exits).toEqual([2, 0, 0]);
  });
});

describe('an unreachable server', () => {
  it.each([
    ['without an election', {}],
    ['with an election', { leaderElection: { name: 'nginx', namespace: 'default' } }],
  ])('causes one log line for each attempt until it responds, %s', async (_how, options) => {
    let isAway = true;
    const transport: Transport = {
      ...away,
      request: () => (isAway ? Promise.reject(refused) : Promise.resolve(notFound())),
    };
    const { process, clock, logger, ended, started } = run({ transport, ...options });
    await started();
    await clock.advance(120_000);
    const tries = logger.troubles.map(({ keys }) => keys['tries']);
    expect(tries.length).toBeGreaterThan(6);
    expect(tries).toEqual(tries.map((_, at) => at + 1));
    expect(new Set(logger.messages)).toEqual(new Set(['the API server cannot be reached']));
    isAway = false;
    await clock.advance(30_000);
    expect(logger.infos).toContain('reached the API server');
    process.send('SIGTERM');
    await turns(clock);
    await ended;
    expect(process.exits).toEqual([0]);
  });
});

describe('SIGTERM', () => {
  const election = { name: 'nginx', namespace: 'default' };

  it.each<[string, Partial<ManagerOptions>]>([
    ['the first response', { transport: silent() }],
    ['the first response, as a candidate', { transport: silent(), leaderElection: election }],
    ['a cache', { transport: silent('/selfsubjectreviews'), controllers: [MapController] }],
    ['an unreachable server', { transport: away, controllers: [MapController], leaderElection: election }],
  ])('exits with 0 at once while the manager waits for %s', async (_what, options) => {
    const { process, clock, ended, started } = run(options);
    await started();
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
    expect([clock.monotonic(), clock.pending]).toEqual([0, 0]);
  });

  it('exits with 0 at once while the manager waits for the fields of the CRDs', async () => {
    const asked: string[] = [];
    const server = silent('/selfsubjectreviews');
    const transport: Transport = {
      ...server,
      request: (request) => {
        asked.push(request.path);
        return server.request(request);
      },
    };
    const fields = { 'configmaps/v1': ['data'] };
    const { process, clock, ended, started } = run({ transport, controllers: [MapController], fields });
    await started();
    await turns(clock);
    expect(asked).toContain('/openapi/v3/api/v1');
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
    expect([clock.monotonic(), clock.pending]).toEqual([0, 0]);
  });

  it('exits with 0 at once while a candidate stands by', async () => {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    server.edit({ holderIdentity: 'other', leaseDurationSeconds: 3600 });
    const transport = server.transport('a', clock, () => ({}));
    const { process, logger, ended, started } = run({ transport, leaderElection: election }, clock);
    await started();
    await clock.advance(0);
    expect(logger.infos).toContain('standing by: another process leads');
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
    expect(server.lease?.spec?.holderIdentity).toBe('other');
    expect(clock.monotonic()).toBe(0);
  });

  it('exits with 0 at once while a runnable is starting, and logs its name', async () => {
    const { process, clock, logger, ended } = run({ runnables: [runnable({ start: () => never })] });
    await turns(clock);
    expect(logger.infos).toEqual([]);
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
    expect(logger.troubles.at(-1)).toEqual({
      message: 'stopped before it had started',
      keys: { runnable: 'work' },
    });
    expect(clock.monotonic()).toBe(0);
  });

  it.each<[string, Partial<ManagerOptions>, { message: string; keys: LogKeys }]>([
    [
      'stop() of a runnable',
      { runnables: [runnable({ stop: () => never })] },
      { message: 'did not stop when it was aborted', keys: { runnable: 'work' } },
    ],
    [
      'a @preDestroy method',
      { runnables: [Clinging] },
      { message: 'a @preDestroy method did not finish within the grace period', keys: { class: 'Clinging' } },
    ],
  ])('exits with 1 after the grace period if %s never finishes, and logs its name', async (_what, options, line) => {
    const { process, clock, logger, ended, started } = run({ gracePeriod: '5s', transport: silent('/'), ...options });
    await started();
    process.send('SIGTERM');
    await clock.advance(5000);
    expect(process.exits).toEqual([]);
    await clock.advance(1000);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.troubles.slice(-2)).toEqual([
      line,
      { message: 'not everything finished within the grace period', keys: {} },
    ]);
  });
});

it('stop() of a manager that never started leaves an unfinished @preDestroy method behind after the grace period', async () => {
  const clock = new ManualClock();
  const logger = new Lines();
  const options = { controllers: [], services: [Ledger], runnables: [Clinging, Stock], transport: away };
  const manager = await createManager({ ...options, clock, logger, gracePeriod: '5s' });
  const stopped = Promise.all([manager.stop(), manager.stop()]);
  await clock.advance(4999);
  // The instances are destroyed in reverse order.
  expect(events).toEqual(['ledger closed']);
  expect(logger.troubles).toEqual([]);
  await clock.advance(1);
  expect(await stopped).toEqual([{ drained: false }, { drained: false }]);
  expect(logger.troubles).toEqual([
    { message: 'a @preDestroy method did not finish within the grace period', keys: { class: 'Clinging' } },
  ]);
  expect(clock.pending).toBe(0);
});

describe('Manager.run() of a leader', () => {
  const leaderElection = { name: 'nginx', namespace: 'default' };

  /** Runs a leader. */
  async function leader(options: Partial<ManagerOptions> = {}, fate: () => Fate | Error = () => ({})) {
    const clock = new ManualClock();
    const server = new LeaseServer(clock);
    const transport = server.transport('a', clock, () => fate());
    const operator = run({ transport, leaderElection, gracePeriod: '5s', ...options }, clock);
    await operator.started();
    await clock.advance(0);
    expect(operator.logger.infos).toContain('became leader');
    return { ...operator, server };
  }

  it('releases its Lease after everything has stopped', async () => {
    const { process, clock, server, ended } = await leader({ runnables: [runnable()] });
    process.send('SIGTERM');
    await turns(clock);
    await ended;
    expect(process.exits).toEqual([0]);
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('does not wait for an unreachable server to release its Lease', async () => {
    let fate: Fate | Error = {};
    const { process, clock, logger, server, ended } = await leader({}, () => fate);
    fate = refused;
    process.send('SIGTERM');
    await turns(clock);
    await ended;
    expect(process.exits).toEqual([0]);
    expect(clock.monotonic()).toBe(0);
    expect(logger.messages).toContain('could not release the lease; the next leader waits for its end');
    expect(server.lease?.spec?.holderIdentity).not.toBe('');
  });

  it('keeps its Lease if something that may still write did not finish within the grace period', async () => {
    const { process, clock, server, ended } = await leader({ runnables: [runnable({ stop: () => never })] });
    const holder = server.lease?.spec?.holderIdentity;
    expect(holder).toMatch(/_/);
    process.send('SIGTERM');
    await clock.advance(6000);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(server.lease?.spec?.holderIdentity).toBe(holder);
  });

  it.each<[string, Partial<ManagerOptions>]>([
    ['everything stops', { runnables: [runnable()] }],
    ['a stop() fails', { runnables: [runnable({ stop: () => Promise.reject(new Error('bang')) })] }],
    ['a stop() never finishes', { runnables: [runnable({ stop: () => never })] }],
    ['a @preDestroy method never finishes', { runnables: [Clinging] }],
  ])('exits with 1 after it has lost its Lease if %s', async (_what, options) => {
    const { process, clock, logger, server, ended } = await leader(options);
    server.edit({ holderIdentity: 'other', leaseDurationSeconds: 15 });
    await clock.advance(2000);
    await clock.advance(1000);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.troubles.filter(({ keys }) => keys['code'] === 'leadership-lost')).toHaveLength(1);
    expect(server.lease?.spec?.holderIdentity).toBe('other');
  });

  it('exits with 1 without a further grace period if it loses its Lease during a stop, and logs it', async () => {
    const stop = (abort: AbortSignal): Promise<void> =>
      new Promise((resolve) => abort.addEventListener('abort', () => resolve(), { once: true }));
    const { process, clock, logger, server, ended } = await leader({ runnables: [runnable({ stop })] });
    process.send('SIGTERM');
    await clock.advance(1000);
    expect(process.exits).toEqual([]);
    server.edit({ holderIdentity: 'other', leaseDurationSeconds: 15 });
    await clock.advance(1000);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.troubles.map(({ keys }) => keys['code'])).toContain('leadership-lost');
    expect(server.lease?.spec?.holderIdentity).toBe('other');
  });
});
