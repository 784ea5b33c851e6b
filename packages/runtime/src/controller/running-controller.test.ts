import { type ApiResource, ManualClock, ObjectKey, SilentLogger } from '@evenkeel/core';
import type { ObjectWrite, ReconcileRun } from '../reconcile/reconcile-run.ts';
import type { ReconcileReport, Reconciler } from '../reconcile/reconciler.ts';
import type { RunWrites } from '../reconcile/run-writes.ts';
import { TerminalError } from '../reconcile/terminal-error.ts';
import { Trigger } from '../reconcile/trigger.ts';
import { WriteRecorder } from '../reconcile/write-recorder.ts';
import { Gate } from '../source/gate.ts';
import type { Enqueue, Source, SourceState } from '../source/source.ts';
import { Workqueue } from '../workqueue/index.ts';
import { type ControllerOptions, RunningController } from './running-controller.ts';

const websites: ApiResource = {
  group: 'web.example.com',
  version: 'v1',
  kind: 'Website',
  plural: 'websites',
  namespaced: true,
};

/** A source that the test controls. */
class ScriptedSource implements Source {
  readonly #synced = Promise.withResolvers<void>();
  #enqueue: Enqueue | undefined;
  stopped = false;
  gate = new Gate();

  readonly state: SourceState = { name: 'websites.web.example.com', synced: true, problem: undefined, degraded: false };

  start(enqueue: Enqueue, gate: Gate): void {
    this.#enqueue = enqueue;
    this.gate = gate;
  }

  waitForSync(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      void this.#synced.promise.then(resolve);
    });
  }

  stop(): void {
    this.stopped = true;
  }

  sync(): void {
    this.#synced.resolve();
  }

  wake(name: string, resourceVersion = '1'): void {
    const key = new ObjectKey(name, 'default');
    this.#enqueue?.(key, new Trigger('updated', 'Website', key, { resourceVersion }), false);
  }
}

/** Records writes of a run as if a client had sent them. */
class RecordedRuns extends WriteRecorder {
  #current: RunWrites | undefined;

  override collect<T>(writes: RunWrites, run: () => T): T {
    this.#current = writes;
    return super.collect(writes, run);
  }

  /** Records a write of the run that started last. */
  wrote(resourceVersion: string, seen?: Promise<void>, more: Partial<ObjectWrite> = {}): void {
    this.#current?.add({ ...write(resourceVersion), ...more }, seen);
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const recorder = new RecordedRuns({ find: () => undefined, seen: () => undefined, allGone: () => Promise.resolve() });

async function started(reconciler: Reconciler, overrides: Partial<ControllerOptions> = {}) {
  const clock = new ManualClock();
  const source = new ScriptedSource();
  const runs: ReconcileRun[] = [];
  const failures: unknown[] = [];
  const queue = new Workqueue<string>({ clock });
  const controller = new RunningController({
    logsRuns: false,
    name: 'website',
    resource: websites,
    sources: [source],
    reconciler,
    queue,
    maxConcurrent: 1,
    timeoutMs: undefined,
    writeRecorder: recorder,
    clock,
    logger: new SilentLogger(),
    observer: (run) => runs.push(run),
    loopFound: undefined,
    ...overrides,
  });
  await controller.start((error) => failures.push(error));
  return { clock, source, runs, queue, controller, failures };
}

const done: ReconcileReport = { outcome: 'await-change' };

function write(resourceVersion: string): ObjectWrite {
  return {
    verb: 'patch',
    resource: websites,
    key: new ObjectKey('a', 'default'),
    resourceVersion,
    effect: 'changed',
    changed: [],
  };
}

describe('RunningController', () => {
  it('starts no run while a source has closed the gate, loses no key, and can be stopped', async () => {
    const keys: string[] = [];
    const { source, controller, runs } = await started(async ({ key }) => {
      keys.push(key.name);
      return done;
    });
    source.sync();
    source.wake('first');
    await turn();
    source.gate.set(source, false);
    for (const name of ['a', 'b', 'a']) source.wake(name);
    await turn();
    await turn();
    expect(keys).toEqual(['first']);
    const another = {};
    source.gate.set(another, false);
    source.gate.set(source, true);
    await turn();
    expect(keys).toEqual(['first']);
    source.gate.set(another, true);
    await turn();
    expect(keys.toSorted()).toEqual(['a', 'b', 'first']);
    expect(runs.find(({ key }) => key.name === 'a')?.triggers).toHaveLength(2);
    source.gate.set(source, false);
    source.wake('c');
    await turn();
    await controller.stop(new AbortController().signal);
    expect(keys).toHaveLength(3);
  });

  it('starts no run before every source has delivered its initial objects', async () => {
    const { source, runs, controller } = await started(async () => done);
    source.wake('a');
    await turn();
    expect(runs).toEqual([]);
    expect(controller.state.synced).toBe(false);
    source.sync();
    await turn();
    expect(runs.map(({ key }) => String(key))).toEqual(['default/a']);
    expect(controller.state.synced).toBe(true);
  });

  it('passes all triggers that have arrived to the run', async () => {
    const { source, runs } = await started(async () => done);
    source.wake('a', '1');
    source.wake('a', '2');
    source.sync();
    await turn();
    expect(runs).toHaveLength(1);
    expect(runs[0]?.triggers.map(String)).toEqual(['Website default/a updated', 'Website default/a updated']);
  });

  it('never runs a key twice at the same time, and runs it once more for all events during the run', async () => {
    const gates: PromiseWithResolvers<ReconcileReport>[] = [];
    let running = 0;
    let most = 0;
    const { source, runs } = await started(
      async () => {
        most = Math.max(most, ++running);
        const gate = Promise.withResolvers<ReconcileReport>();
        gates.push(gate);
        return gate.promise.finally(() => running--);
      },
      { maxConcurrent: 3 },
    );
    source.sync();
    source.wake('a');
    await turn();
    source.wake('a');
    source.wake('a');
    await turn();
    expect(gates).toHaveLength(1);
    gates[0]?.resolve(done);
    await turn();
    expect(gates).toHaveLength(2);
    gates[1]?.resolve(done);
    await turn();
    expect(runs).toHaveLength(2);
    expect(most).toBe(1);
  });

  it('does not run again for events that arrived before the run started', async () => {
    const { clock, source, runs } = await started(async () => ({ outcome: 'requeue-after', afterMs: 1000 }));
    source.sync();
    await turn();
    source.wake('a', '1');
    source.wake('a', '2');
    await turn();
    expect(runs.map(({ triggers }) => triggers.length)).toEqual([2]);
    await clock.advance(1000);
    expect(runs.map(({ triggers }) => triggers[0]?.verb)).toEqual(['updated', 'requeued']);
  });

  it('runs as many keys in parallel as it has workers', async () => {
    const running: string[] = [];
    const { source } = await started(
      ({ key }) => {
        running.push(key.name);
        return new Promise(() => {});
      },
      { maxConcurrent: 2 },
    );
    source.sync();
    for (const name of ['a', 'b', 'c']) source.wake(name);
    await turn();
    expect(running).toEqual(['a', 'b']);
  });

  it('retries a run that throws after 5 ms and then twice as long each time, and continues with other keys', async () => {
    const { clock, source, runs } = await started(async ({ key }) => {
      if (key.name === 'bad') throw new Error('boom');
      return done;
    });
    source.sync();
    source.wake('bad');
    source.wake('good');
    await turn();
    expect(runs.map(({ key, outcome, againAfterMs }) => [key.name, outcome, againAfterMs])).toEqual([
      ['bad', 'failed', 5],
      ['good', 'await-change', undefined],
    ]);
    await clock.advance(5);
    await clock.advance(10);
    expect(runs.slice(2).map(({ againAfterMs, triggers }) => [againAfterMs, String(triggers[0])])).toEqual([
      [10, 'Website default/bad retried'],
      [20, 'Website default/bad retried'],
    ]);
  });

  it('resets the backoff after a success', async () => {
    let fails = true;
    const { clock, source, runs } = await started(async () => {
      if (fails) throw new Error('boom');
      return done;
    });
    source.sync();
    source.wake('a');
    await turn();
    fails = false;
    await clock.advance(5);
    fails = true;
    source.wake('a');
    await turn();
    expect(runs.map(({ outcome, againAfterMs }) => [outcome, againAfterMs])).toEqual([
      ['failed', 5],
      ['await-change', undefined],
      ['failed', 5],
    ]);
  });

  it('does not retry a TerminalError', async () => {
    const { clock, source, runs } = await started(async () => {
      throw new TerminalError('the image is no image');
    });
    source.sync();
    source.wake('a');
    await clock.advance(3_600_000);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['terminal']);
  });

  it('runs again after the requested delay, not before', async () => {
    const { clock, source, runs } = await started(async () => ({ outcome: 'requeue-after', afterMs: 30_000 }));
    source.sync();
    source.wake('a');
    await clock.advance(29_999);
    expect(runs).toHaveLength(1);
    await clock.advance(1);
    expect(runs.map(({ triggers }) => triggers[0]?.verb)).toEqual(['updated', 'requeued']);
  });

  it('keeps a key occupied until the caches contain its writes, and frees the worker', async () => {
    const caughtUp = Promise.withResolvers<void>();
    const { source, runs } = await started(async ({ key }) => {
      if (key.name === 'a') recorder.wrote('5', caughtUp.promise);
      return done;
    });
    source.sync();
    source.wake('a');
    await turn();
    source.wake('a', '6');
    source.wake('b');
    await turn();
    expect(runs.map(({ key }) => key.name)).toEqual(['a', 'b']);
    caughtUp.resolve();
    await turn();
    expect(runs.map(({ key }) => key.name)).toEqual(['a', 'b', 'a']);
  });

  it('is not triggered by the event of its own write, but by other events at the same time', async () => {
    const { source, runs } = await started(async () => {
      if (runs.length === 0) recorder.wrote('5');
      return done;
    });
    source.sync();
    source.wake('a', '4');
    await turn();
    source.wake('a', '5');
    await turn();
    expect(runs).toHaveLength(1);
    source.wake('a', '5');
    source.wake('a', '6');
    await turn();
    expect(runs).toHaveLength(2);
    expect(runs[1]?.triggers.map(({ resourceVersion }) => resourceVersion)).toEqual(['6']);
  });

  it.each([
    ['status', 1],
    ['scale', 2],
  ])('is triggered by its own object if it wrote a subresource other than status: %s', async (subresource, count) => {
    const { source, runs } = await started(async () => {
      if (runs.length === 0) recorder.wrote('5', undefined, { subresource });
      return done;
    });
    source.sync();
    source.wake('a', '4');
    await turn();
    source.wake('a', '5');
    await turn();
    expect(runs).toHaveLength(count);
  });

  it('keeps the requested delay if the event of its own write comes earlier', async () => {
    const { clock, source, runs } = await started(async () => {
      if (runs.length === 0) recorder.wrote('5');
      return { outcome: 'requeue-after', afterMs: 1000 };
    });
    source.sync();
    source.wake('a', '4');
    await clock.advance(400);
    source.wake('a', '5');
    await clock.advance(599);
    expect(runs).toHaveLength(1);
    await clock.advance(1);
    expect(runs).toHaveLength(2);
  });

  it('aborts the signal of a run that exceeds its timeout, and keeps its key and its worker occupied', async () => {
    const run = Promise.withResolvers<ReconcileReport>();
    let signal: AbortSignal | undefined;
    const { clock, source, runs, controller } = await started(
      (request) => {
        signal = request.signal;
        return run.promise;
      },
      { timeoutMs: 1000 },
    );
    source.sync();
    source.wake('a');
    await clock.advance(1000);
    expect(signal?.aborted).toBe(true);
    source.wake('a', '2');
    source.wake('b');
    await turn();
    expect(runs).toEqual([]);
    expect(controller.state.running).toEqual([{ key: 'default/a', forMs: 1000, stuck: true }]);
    run.resolve(done);
    await turn();
    expect(runs.map(({ key }) => key.name)).toEqual(['a', 'b', 'a']);
    expect(controller.state.running).toEqual([]);
  });

  it('stops taking keys and waits for the current run without aborting its signal', async () => {
    const run = Promise.withResolvers<ReconcileReport>();
    let signal: AbortSignal | undefined;
    const { source, runs, controller } = await started((request) => {
      signal = request.signal;
      return run.promise;
    });
    source.sync();
    source.wake('a');
    source.wake('b');
    await turn();
    let stopped = false;
    const stopping = controller.stop(new AbortController().signal).then(() => {
      stopped = true;
    });
    await turn();
    expect([source.stopped, stopped, signal?.aborted]).toEqual([true, false, false]);
    run.resolve(done);
    await stopping;
    expect(runs.map(({ key }) => key.name)).toEqual(['a']);
  });

  it('aborts the current run and stops when the grace period is over', async () => {
    let signal: AbortSignal | undefined;
    const { source, controller } = await started((request) => {
      signal = request.signal;
      return new Promise(() => {});
    });
    source.sync();
    source.wake('a');
    await turn();
    const abort = new AbortController();
    const stopping = controller.stop(abort.signal);
    abort.abort(new Error('over'));
    await stopping;
    expect(signal?.aborted).toBe(true);
  });

  it('stops while it waits for a source', async () => {
    const { controller, failures } = await started(async () => done);
    await controller.stop(new AbortController().signal);
    expect(failures).toEqual([]);
  });

  it('continues if an observer throws', async () => {
    let calls = 0;
    const { source, failures } = await started(async () => done, {
      observer: () => {
        calls++;
        throw new Error('no');
      },
    });
    source.sync();
    source.wake('a');
    await turn();
    source.wake('a', '2');
    await turn();
    expect([calls, failures]).toEqual([2, []]);
  });

  it('lets timers and sockets run between consecutive runs that never wait', async () => {
    class BusyClock extends ManualClock {
      #reads = 0;
      override monotonic(): number {
        return super.monotonic() + ++this.#reads / 4;
      }
    }
    const { source, runs } = await started(async () => done, { clock: new BusyClock(), maxConcurrent: 16 });
    source.sync();
    await turn();
    for (let at = 0; at < 2000; at++) source.wake(`a${at}`);
    let most = 0;
    while (runs.length < 2000) {
      const before = runs.length;
      await turn();
      most = Math.max(most, runs.length - before);
    }
    expect(most).toBeLessThan(500);
  });
});
