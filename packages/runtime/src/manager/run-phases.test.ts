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
import { FakeProcess } from '../process/fake-process.fixture.ts';
import type { ManagerRunnable } from '../runnable/manager-runnable.ts';
import { createManager, Manager } from './manager.ts';

const never = new Promise<never>(() => {});
const refused = new EvenkeelError('cluster-unreachable', 'cannot reach https://10.0.0.1: ECONNREFUSED');

/** A server where nothing listens. */
const away: Transport = { request: () => Promise.reject(refused), close: async () => {} };

/** One that takes the connection, and no more; of paths with `answered` it says that there is no such thing. */
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

/** `Manager.run` with a process, a clock and a log of the test's. */
function run(options: Partial<ManagerOptions>, clock = new ManualClock(), process = new FakeProcess()) {
  const logger = new Lines();
  const random = new SeededRandom(1);
  const ended = Manager.run({
    ...{ process, clock, logger, random, arguments: [], environment: {}, transport: away },
    ...{ controllers: [], runnables: [runnable()] },
    ...options,
  });
  const started = async (): Promise<void> => {
    for (let turns = 0; turns < 200 && !logger.infos.includes('manager started'); turns++) await clock.advance(0);
    expect(logger.infos).toContain('manager started');
  };
  return { process, clock, logger, ended, started };
}

/** Moves no time, and gives what is begun some turns of the event loop. */
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

let told: string[];
/** What `open()` of the services waits for. */
let open: (client: Client) => Promise<unknown>;

@injectable()
class Ledger {
  @preDestroy()
  close(): void {
    told.push('ledger closed');
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

/** What is optional takes a container of inversify, which calls the hooks by itself. */
@injectable()
class OptionalStock {
  constructor(
    readonly ledger: Ledger,
    readonly client: Client,
    @inject(Symbol('nobody')) @optional() readonly other: unknown,
  ) {}

  @postConstruct()
  async open(): Promise<void> {
    await open(this.client);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}

/** Ends never. */
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
  told = [];
  open = async () => {};
});

describe.each([
  ['a hook', Stock],
  ["a hook of inversify's container", OptionalStock],
])('%s', (_what, stock) => {
  const options = { services: [Ledger], runnables: [stock] };

  it('that finds the server away ends the process with 1, in one line, and what was made before it', async () => {
    open = (client) => client.get(ConfigMap, 'default/stock');
    const { process, logger, ended } = run(options);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.troubles).toEqual([
      {
        message: `${stock.name} could not be made: its open() failed: cannot reach https://10.0.0.1: ECONNREFUSED`,
        keys: { code: 'hook-failed' },
      },
    ]);
    expect(told).toEqual(['ledger closed']);
  });

  it('that waits for ever is named on SIGTERM, which ends the process at once with 0', async () => {
    open = () => never;
    const { process, clock, logger, ended } = run(options);
    await turns(clock);
    expect(process.exits).toEqual([]);
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
    expect(logger.infos).toEqual(['stopping']);
    expect(logger.troubles).toEqual([
      { message: 'stopped while a @postConstruct was waited for', keys: { hook: `${stock.name}.open()` } },
    ]);
    expect(told).toEqual(['ledger closed']);
    expect([clock.monotonic(), clock.pending]).toEqual([0, 0]);
  });

  it('that waits for ever ends with 1 on SIGTERM where a @preDestroy of another waits for ever too', async () => {
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
      { message: 'stopped while a @postConstruct was waited for', keys: { hook: `${stock.name}.open()` } },
      { message: '@preDestroy did not end within the grace period', keys: { class: 'Clinging' } },
      { message: 'not everything ended within the grace period', keys: {} },
    ]);
    expect(told).toEqual(['ledger closed']);
    expect(clock.pending).toBe(0);
  });
});

it('a constructor that throws ends the process with 2', async () => {
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
  expect(logger.messages).toEqual(['Broken could not be made: no licence']);
});

describe('what a run is given', () => {
  it.each<[string, object, string]>([
    ['nothing to run', { runnables: [] }, 'option "controllers" is empty, and no "runnables" are given'],
    ['a service alone', { runnables: undefined, services: [Ledger] }, 'so that nothing would run; give controllers'],
    ['no controllers', { controllers: undefined }, 'option "controllers" is missing; give a list'],
    ['no list of them', { controllers: MapController }, 'option "controllers" is no list; give one'],
    ['services that are none', { services: [7] }, 'option "services" has a value of type number in it'],
    ['a validator that is none', { validator: 7 }, 'option "validator" is no ObjectValidator: it is a number'],
  ])('is told of Manager.run where it is wrong, with exit code 2: %s', async (_what, options, message) => {
    const { process, logger, ended } = run(options as Partial<ManagerOptions>);
    await ended;
    expect(process.exits).toEqual([2]);
    expect(logger.troubles).toEqual([
      { message: expect.stringContaining(message), keys: { code: expect.stringMatching(/^invalid-option$/) } },
    ]);
    expect(logger.messages[0]).toMatch(/^Manager\.run\(\): the option /);
    expect(logger.infos).toEqual([]);
  });

  it('holds the process open while it runs, also where its runnables hold nothing open, and no longer', async () => {
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

  it('is refused with exit code 2 while another runs in the process, and not when that has ended', async () => {
    const first = run({});
    const second = run({}, new ManualClock(), first.process);
    await second.ended;
    expect(first.process.exits).toEqual([2]);
    expect(second.logger.troubles).toEqual([
      {
        message: expect.stringMatching(
          /^Manager\.run\(\): it was called before in this process, .* by createManager\(\)$/,
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

describe('a server that is away', () => {
  it.each([
    ['without an election', {}],
    ['with an election', { leaderElection: { name: 'nginx', namespace: 'default' } }],
  ])('is one line a try until it answers, %s', async (_how, options) => {
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
    ['the first answer', { transport: silent() }],
    ['the first answer, as a candidate', { transport: silent(), leaderElection: election }],
    ['a cache', { transport: silent('/selfsubjectreviews'), controllers: [MapController] }],
    ['a server that is away', { transport: away, controllers: [MapController], leaderElection: election }],
  ])('ends at once with 0 what waits for %s', async (_what, options) => {
    const { process, clock, ended, started } = run(options);
    await started();
    process.send('SIGTERM');
    await ended;
    expect(process.exits).toEqual([0]);
    expect([clock.monotonic(), clock.pending]).toEqual([0, 0]);
  });

  it('ends at once with 0 what waits for the fields that the server has', async () => {
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

  it('ends at once with 0 a candidate that stands by', async () => {
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

  it('ends at once with 0 a runnable that has not started, and names it', async () => {
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
      'a stop() that never settles',
      { runnables: [runnable({ stop: () => never })] },
      { message: 'did not stop when it was aborted', keys: { runnable: 'work' } },
    ],
    [
      'a @preDestroy that never settles',
      { runnables: [Clinging] },
      { message: '@preDestroy did not end within the grace period', keys: { class: 'Clinging' } },
    ],
  ])('ends %s with 1 when the grace period is over, and names it', async (_what, options, line) => {
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
      { message: 'not everything ended within the grace period', keys: {} },
    ]);
  });
});

it('a manager that was never started leaves a @preDestroy that never settles behind after the grace period', async () => {
  const clock = new ManualClock();
  const logger = new Lines();
  const options = { controllers: [], services: [Ledger], runnables: [Clinging, Stock], transport: away };
  const manager = await createManager({ ...options, clock, logger, gracePeriod: '5s' });
  const stopped = Promise.all([manager.stop(), manager.stop()]);
  await clock.advance(4999);
  // Those made last are ended first.
  expect(told).toEqual(['ledger closed']);
  expect(logger.troubles).toEqual([]);
  await clock.advance(1);
  expect(await stopped).toEqual([{ drained: false }, { drained: false }]);
  expect(logger.troubles).toEqual([
    { message: '@preDestroy did not end within the grace period', keys: { class: 'Clinging' } },
  ]);
  expect(clock.pending).toBe(0);
});

describe('a leader', () => {
  const leaderElection = { name: 'nginx', namespace: 'default' };

  /** One that leads. */
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

  it('gives its Lease back when everything has ended', async () => {
    const { process, clock, server, ended } = await leader({ runnables: [runnable()] });
    process.send('SIGTERM');
    await turns(clock);
    await ended;
    expect(process.exits).toEqual([0]);
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('does not wait for a server that is away by now to give its Lease back', async () => {
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

  it('keeps its Lease where something did not end within the grace period, which may still write', async () => {
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
    ['everything ends', { runnables: [runnable()] }],
    ['a stop() fails', { runnables: [runnable({ stop: () => Promise.reject(new Error('bang')) })] }],
    ['a stop() never settles', { runnables: [runnable({ stop: () => never })] }],
    ['a @preDestroy never settles', { runnables: [Clinging] }],
  ])('that has lost its Lease ends with 1 also where %s', async (_what, options) => {
    const { process, clock, logger, server, ended } = await leader(options);
    server.edit({ holderIdentity: 'other', leaseDurationSeconds: 15 });
    await clock.advance(2000);
    await clock.advance(1000);
    await ended;
    expect(process.exits).toEqual([1]);
    expect(logger.troubles.filter(({ keys }) => keys['code'] === 'leadership-lost')).toHaveLength(1);
    expect(server.lease?.spec?.holderIdentity).toBe('other');
  });

  it('that loses its Lease while it stops on SIGTERM ends with 1 and no more grace, and says so', async () => {
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
