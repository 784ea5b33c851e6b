import { ManualClock, SeededRandom, SilentLogger } from '@evenkeel/core';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { onDemand } from './on-demand-controller.ts';
import { SyncTurns } from './sync-turns.ts';

const things = [{ group: 'example.com', plural: 'things' }];

type Listener = (event: { readonly object: { readonly metadata: { readonly name: string } } }) => void;

/** A client that supports only watches. */
function context(): { context: ControllerContext; listeners: Set<Listener> } {
  const listeners = new Set<Listener>();
  const client = {
    watch: (_: unknown, listener: Listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as ControllerContext['client'];
  const clock = new ManualClock();
  const random = new SeededRandom(1);
  const unused = (): never => {
    throw new Error('this controller needs no certificates');
  };
  const certificates = { rootCaPem: unused, authority: unused };
  const rest = { clock, random, turns: new SyncTurns(clock), logger: new SilentLogger(), ...certificates };
  return { context: { client, ...rest }, listeners };
}

const notify = (listeners: Iterable<Listener>, name = 'thing'): void => {
  for (const listener of listeners) listener({ object: { metadata: { name } } });
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('onDemand', () => {
  const log: string[] = [];
  const controller: EmbeddedController = {
    name: 'thing-controller',
    start: () => {
      log.push('started');
      return () => log.push('stopped');
    },
  };
  beforeEach(() => log.splice(0));

  it('loads and starts a controller once, with the first object of its kind', async () => {
    const { context: given, listeners } = context();
    let loads = 0;
    const stop = onDemand('thing-controller', things, async () => {
      loads++;
      return controller;
    }).start(given);
    await turn();
    expect(loads).toBe(0);
    notify([...listeners, ...listeners]);
    await turn();
    expect({ loads, log, watches: listeners.size }).toEqual({ loads: 1, log: ['started'], watches: 0 });
    stop();
    expect(log).toEqual(['started', 'stopped']);
  });

  it('waits for an object that is wanted', async () => {
    log.length = 0;
    const { context: given, listeners } = context();
    const load = (): Promise<EmbeddedController> => Promise.resolve(controller);
    const isWanted = ({ metadata }: { metadata: { name?: string } }): boolean => metadata.name === 'wanted';
    const stop = onDemand('thing-controller', things, load, { isWanted }).start(given);
    notify(listeners);
    await turn();
    expect(log).toEqual([]);
    notify(listeners, 'wanted');
    await turn();
    expect(log).toEqual(['started']);
    stop();
  });

  it('does not start a controller that was stopped while it was loaded', async () => {
    const { context: given, listeners } = context();
    const stop = onDemand('thing-controller', things, async () => controller).start(given);
    notify(listeners);
    stop();
    await turn();
    expect({ log, watches: listeners.size }).toEqual({ log: [], watches: 0 });
  });

  it('retries a failed load with the next event', async () => {
    const { context: given, listeners } = context();
    let loads = 0;
    onDemand('thing-controller', things, async () => {
      if (++loads === 1) throw new Error('not now');
      return controller;
    }).start(given);
    for (let events = 0; events < 2; events++) {
      notify(listeners);
      await turn();
    }
    expect({ loads, log }).toEqual({ loads: 2, log: ['started'] });
  });
});
