import { ManualClock, SeededRandom } from '@evenkeel/core';
import { seed as ownSeed } from '../../../../test/seed.fixture.ts';
import { ModelQueue } from './model-queue.fixture.ts';
import { Workqueue } from './workqueue.ts';

function queueOf(): { clock: ManualClock; queue: Workqueue } {
  const clock = new ManualClock();
  return { clock, queue: new Workqueue({ clock }) };
}

/** Gets items until the queue is empty, and marks each as done at once. */
function drain(queue: Workqueue): string[] {
  const items: string[] = [];
  for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) {
    items.push(item);
    queue.done(item);
  }
  return items;
}

describe('Workqueue', () => {
  it('returns items in the order of the adds, and each item only once', () => {
    const { queue } = queueOf();
    for (const item of ['a', 'b', 'a', 'c', 'b']) queue.add(item);
    expect(queue.length).toBe(3);
    expect(drain(queue)).toEqual(['a', 'b', 'c']);
  });

  it('never returns an item that is being processed, and returns it once more if it is added meanwhile', () => {
    const { queue } = queueOf();
    queue.add('a');
    expect(queue.tryGet()).toBe('a');
    queue.add('a');
    queue.add('a');
    expect(queue.tryGet()).toBeUndefined();
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(drain(queue)).toEqual(['a']);
    expect(queue.tryGet()).toBeUndefined();
  });

  it('puts an item that is added during its processing behind all items added before it is done', () => {
    const { queue } = queueOf();
    queue.add('a');
    queue.tryGet();
    queue.add('a');
    queue.add('b');
    queue.done('a');
    expect(drain(queue)).toEqual(['b', 'a']);
  });

  it('returns an item exactly once more after any number of adds during its processing', () => {
    const { queue } = queueOf();
    queue.add('a');
    queue.tryGet();
    for (let at = 0; at < 1000; at++)
      queue.add('a', at % 3 === 0 ? { priority: at } : at % 3 === 1 ? { afterMs: 0 } : {});
    queue.done('a');
    expect(drain(queue)).toEqual(['a']);
  });

  it('counts only ready items in its length, not waiting or processed ones', () => {
    const { queue } = queueOf();
    queue.add('processed');
    queue.tryGet();
    queue.add('processed');
    queue.add('ready');
    queue.addAfter('waiting', 100);
    expect([queue.length, queue.waiting, queue.processing]).toEqual([1, 1, 1]);
  });

  it('serves the callers of get in order', async () => {
    const { queue } = queueOf();
    const [first, second] = [queue.get(), queue.get()];
    queue.add('a');
    queue.add('b');
    expect(await first).toBe('a');
    expect(await second).toBe('b');
    expect(queue.length).toBe(0);
  });

  it('keeps its contract while it drops the entries of many items', async () => {
    const { queue, clock } = queueOf();
    const crowd = Array.from({ length: 20_000 }, (_, at) => `item-${at}`);
    for (const item of crowd) queue.add(item);
    const handedOut = crowd.map(() => queue.tryGet() ?? '');
    expect(handedOut).toEqual(crowd);
    const again = new Set(crowd.filter((_, at) => at % 400 === 7));
    for (const item of again) queue.add(item);
    queue.add('item-1', { afterMs: 10 });
    queue.add('item-3', { priority: 5 });
    // In reverse, so that the dropped entries are spread over the order of the adds.
    for (const item of crowd.toReversed()) queue.done(item);
    expect([queue.processing, queue.length, queue.waiting]).toEqual([0, again.size + 1, 1]);
    expect(queue.tryGet()).toBe('item-3');
    for (const item of crowd) queue.done(item);
    expect(new Set(drain(queue))).toEqual(again);
    await clock.advance(10);
    expect(drain(queue)).toEqual(['item-1']);
    for (const item of crowd) queue.add(item);
    expect(drain(queue)).toEqual(crowd);
  });

  it('ignores a done for an item that is not being processed, also for the last returned one', () => {
    const { queue } = queueOf();
    queue.add('a');
    queue.done('a');
    expect(drain(queue)).toEqual(['a']);
    queue.done('a');
    expect(queue.processing).toBe(0);
    queue.add('a');
    queue.done('a');
    expect(drain(queue)).toEqual(['a']);
  });

  describe('with priorities', () => {
    it('returns higher priorities first, and earlier adds first within a priority', () => {
      const { queue } = queueOf();
      queue.add('low', { priority: -100 });
      queue.add('a');
      queue.add('high', { priority: 10 });
      queue.add('b');
      expect(drain(queue)).toEqual(['high', 'a', 'b', 'low']);
    });

    it('keeps the higher of two priorities, and puts a raised item at the end of its new priority', () => {
      const { queue } = queueOf();
      queue.add('a', { priority: -100 });
      queue.add('b');
      queue.add('a');
      queue.add('b', { priority: -100 });
      expect(queue.length).toBe(2);
      expect([...queue.lengthByPriority]).toEqual([[0, 2]]);
      expect(drain(queue)).toEqual(['b', 'a']);
    });

    it('keeps a ready item ready if it is added with a delay', () => {
      const { queue } = queueOf();
      queue.add('a');
      queue.addAfter('a', 1000);
      queue.addRateLimited('a');
      expect([queue.length, queue.waiting]).toEqual([1, 0]);
      expect(drain(queue)).toEqual(['a']);
    });

    it('raises the priority of a waiting item without changing its time', async () => {
      const { queue, clock } = queueOf();
      queue.addAfter('a', 100, { priority: -100 });
      queue.addAfter('a', 500, { priority: 5 });
      await clock.advance(100);
      expect([...queue.lengthByPriority]).toEqual([[5, 1]]);
    });

    it('keeps the priority of an add during processing for the time after done', () => {
      const { queue } = queueOf();
      queue.add('a');
      queue.tryGet();
      queue.add('a', { priority: 5 });
      queue.add('b', { priority: 3 });
      queue.done('a');
      expect(drain(queue)).toEqual(['a', 'b']);
    });

    it('supports any number of priorities, one after another or at once', () => {
      const { queue } = queueOf();
      for (let priority = 0; priority < 1000; priority++) {
        queue.add('passing', { priority });
        expect(drain(queue)).toEqual(['passing']);
      }
      for (let priority = 0; priority < 100; priority++) queue.add(`p${priority}`, { priority });
      expect(queue.lengthByPriority.size).toBe(100);
      expect(new Set(drain(queue)).size).toBe(100);
    });

    it('returns a low item even if higher ones are always ready', () => {
      const { queue } = queueOf();
      queue.add('low', { priority: -100 });
      const handedOut: string[] = [];
      for (let at = 0; at < 8; at++) {
        queue.add(`high ${at}`);
        const item = queue.tryGet() ?? '';
        handedOut.push(item);
        queue.done(item);
      }
      expect(handedOut).toContain('low');
    });

    it('does not grow while items are raised repeatedly above a waiting one', () => {
      const { queue } = queueOf();
      queue.add('low', { priority: -100 });
      for (let at = 0; at < 100_000; at++) {
        queue.add('a', { priority: -100 });
        queue.add('a');
        const item = queue.tryGet() ?? '';
        queue.done(item);
        if (item === 'low') queue.add('low', { priority: -100 });
      }
      expect(queue.length).toBeLessThanOrEqual(2);
    });
  });

  describe('with delays', () => {
    it('returns items only when they are due, and earlier ones first', async () => {
      const { clock, queue } = queueOf();
      queue.addAfter('b', 200);
      queue.addAfter('a', 100);
      expect(queue.waiting).toBe(2);
      await clock.advance(99);
      expect(queue.tryGet()).toBeUndefined();
      await clock.advance(101);
      expect(drain(queue)).toEqual(['a', 'b']);
      expect(clock.pending).toBe(0);
    });

    it('puts a due item behind items that were ready before', async () => {
      const { clock, queue } = queueOf();
      queue.addAfter('early', 100);
      queue.add('ready');
      await clock.advance(100);
      queue.add('late');
      expect(drain(queue)).toEqual(['ready', 'early', 'late']);
    });

    it('keeps the earlier time of a backoff and another delay, in either order', async () => {
      const { clock, queue } = queueOf();
      queue.addRateLimited('a');
      queue.addAfter('a', 1000);
      queue.addAfter('b', 1000);
      queue.addRateLimited('b');
      await clock.advance(5);
      expect(drain(queue)).toEqual(['a', 'b']);
      await clock.advance(10_000);
      expect(queue.tryGet()).toBeUndefined();
    });

    it('keeps the earlier of two times', async () => {
      const { clock, queue } = queueOf();
      queue.addAfter('a', 100);
      queue.addAfter('a', 1000);
      queue.addAfter('b', 1000);
      queue.addAfter('b', 100);
      await clock.advance(100);
      expect(drain(queue)).toEqual(['a', 'b']);
      await clock.advance(10_000);
      expect(queue.tryGet()).toBeUndefined();
    });

    it('adds at once if the delay is not positive, and cancels the delay of an item that is added', async () => {
      const { clock, queue } = queueOf();
      queue.addAfter('a', 100);
      queue.addAfter('a', 0);
      expect(drain(queue)).toEqual(['a']);
      await clock.advance(1000);
      expect(queue.tryGet()).toBeUndefined();
    });

    it('returns an item that becomes due during its processing only after done', async () => {
      const { clock, queue } = queueOf();
      queue.add('a');
      queue.tryGet();
      queue.addAfter('a', 100);
      await clock.advance(100);
      expect(queue.tryGet()).toBeUndefined();
      queue.done('a');
      expect(drain(queue)).toEqual(['a']);
    });

    it('resolves a pending get when an item becomes due', async () => {
      const { clock, queue } = queueOf();
      const item = queue.get();
      queue.addAfter('a', 100);
      await clock.advance(100);
      expect(await item).toBe('a');
    });
  });

  it('doubles the backoff of each item separately from 5 ms to 1000 s, until it is forgotten', () => {
    const { queue } = queueOf();
    const delays = Array.from({ length: 20 }, () => queue.addRateLimited('a'));
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(-2)).toEqual([1_000_000, 1_000_000]);
    expect(queue.failures('a')).toBe(20);
    expect(queue.addRateLimited('b')).toBe(5);
    queue.forget('a');
    expect(queue.addRateLimited('a')).toBe(5);
  });

  it('does not treat a forget as a done', () => {
    const { queue } = queueOf();
    queue.add('a');
    queue.tryGet();
    queue.add('a');
    queue.forget('a');
    expect(queue.tryGet()).toBeUndefined();
    queue.done('a');
    expect(drain(queue)).toEqual(['a']);
  });

  describe('when shut down', () => {
    it('resolves all pending and later calls of get', async () => {
      const { queue } = queueOf();
      const waiting = Array.from({ length: 50 }, () => queue.get());
      queue.add('a');
      const down = queue.shutDownWithDrain();
      expect((await Promise.all(waiting)).filter((item) => item !== undefined)).toEqual(['a']);
      expect(await queue.get()).toBeUndefined();
      queue.done('a');
      await down;
    });

    it('can be shut down again, with or without drain first, and resolves each time', async () => {
      const { queue } = queueOf();
      queue.add('a');
      const draining = queue.shutDownWithDrain();
      const down = queue.shutDown();
      await Promise.all([draining, down, queue.shutDown(), queue.shutDownWithDrain()]);
      expect(queue.tryGet()).toBeUndefined();
    });

    it('returns no more items, and resolves when all processed items are done', async () => {
      const { clock, queue } = queueOf();
      const waiting = queue.get();
      queue.add('processed');
      expect(await waiting).toBe('processed');
      const idle = queue.get();
      queue.addAfter('later', 100);
      let isDown = false;
      const down = queue.shutDown().then(() => {
        isDown = true;
      });
      expect(await idle).toBeUndefined();
      queue.add('new');
      queue.add('processed');
      await clock.advance(1000);
      expect(isDown).toBe(false);
      queue.done('processed');
      await down;
      expect(await queue.get()).toBeUndefined();
      expect(clock.pending).toBe(0);
    });

    it('with drain still returns ready items and items added during processing, but no waiting ones', async () => {
      const { clock, queue } = queueOf();
      queue.add('a');
      queue.add('b');
      expect(queue.tryGet()).toBe('a');
      queue.add('a');
      queue.addAfter('later', 100);
      const down = queue.shutDownWithDrain();
      queue.add('c');
      expect(queue.tryGet()).toBe('b');
      queue.done('b');
      queue.done('a');
      expect(await queue.get()).toBe('a');
      expect(await queue.get()).toBeUndefined();
      queue.done('a');
      await down;
      await clock.advance(1000);
      expect(await queue.get()).toBeUndefined();
    });
  });

  it('limits the rate of failed items if configured, and keeps a longer backoff', async () => {
    const clock = new ManualClock();
    const queue = new Workqueue<string>({ clock, rateLimit: { perSecond: 10, burst: 2 } });
    expect(['a', 'b', 'c', 'd'].map((item) => queue.addRateLimited(item))).toEqual([5, 5, 100, 200]);
    await clock.advance(100);
    expect(queue.length).toBe(3);
    for (let failures = 1; failures < 8; failures++) queue.addRateLimited('a');
    expect(queue.addRateLimited('a')).toBe(1280);
    await clock.advance(10_000);
    expect(queue.addRateLimited('e')).toBe(5);
    expect(() => new Workqueue({ rateLimit: { perSecond: 0, burst: 1 } })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });

  it('calls its observer for adds, delays, returned items and done items', async () => {
    const clock = new ManualClock();
    const told: string[] = [];
    const queue = new Workqueue({
      clock,
      observer: {
        added: (priority) => told.push(`added ${priority}`),
        delayed: () => told.push('delayed'),
        handedOut: (queuedMs) => told.push(`handed out after ${queuedMs}`),
        done: (workMs) => told.push(`done after ${workMs}`),
      },
    });
    queue.addAfter('a', 10, { priority: 3 });
    queue.add('b');
    queue.add('b');
    await clock.advance(15);
    drain(queue);
    expect(told).toEqual([
      'delayed',
      'added 0',
      'added 3',
      'handed out after 5',
      'done after 0',
      'handed out after 15',
      'done after 0',
    ]);
  });
});

it(`reports adds and returned items to its observer, whose difference is always its length (seed ${ownSeed})`, async () => {
  const random = new SeededRandom(ownSeed);
  const clock = new ManualClock();
  let depth = 0;
  const processed: string[] = [];
  const queue = new Workqueue({ clock, observer: { added: () => depth++, handedOut: () => depth-- } });
  for (let step = 0; step < 20_000; step++) {
    const item = `item ${random.integer(20)}`;
    const choice = random.integer(6);
    if (choice === 0) queue.add(item, { priority: random.integer(3) });
    else if (choice === 1) queue.addAfter(item, random.integer(20));
    else if (choice === 2) queue.addRateLimited(item, { priority: random.integer(3) });
    else if (choice === 3) processed.push(...[queue.tryGet()].filter((next) => next !== undefined));
    else if (choice === 4) queue.done(processed.shift() ?? item);
    else await clock.advance(random.integer(10));
    // An item that was added during its processing counts as added, although it cannot be returned yet.
    const held = depth - queue.length;
    if (held < 0 || held > queue.processing) throw new Error(`step ${step}: ${depth} told, ${queue.length} there`);
  }
  for (const item of processed) queue.done(item);
  await clock.advance(1_000_000);
  drain(queue);
  expect([depth, queue.length]).toEqual([0, 0]);
});

/**
 * Invariants after every operation:
 * 1. The queue returns the same items as the model, in the same order.
 * 2. It does not return an item again before its done.
 * 3. It has as many ready, waiting and processed items as the model.
 * At the end, after all items have been processed, none is left.
 */
describe('Workqueue against a model', () => {
  const operations = 250_000;
  const seeds = [1, 42, ownSeed];

  it.each(seeds)(`behaves like the model in ${operations} random operations with the seed %d`, async (seed) => {
    const random = new SeededRandom(seed);
    const clock = new ManualClock();
    const queue = new Workqueue({ clock });
    const model = new ModelQueue();
    const items = Array.from({ length: 40 }, (_, at) => `item ${at}`);
    const itemAt = (): string => items[random.integer(items.length)] ?? '';
    const priorities = [-100, 0, 0, 0, 7];
    for (let step = 0; step < operations; step++) {
      const choice = random.integer(100);
      const item = itemAt();
      const priority = priorities[random.integer(priorities.length)] ?? 0;
      if (choice < 35) {
        queue.add(item, { priority });
        model.add(item, priority, 0);
      } else if (choice < 50) {
        const afterMs = random.integer(50);
        queue.add(item, { priority, afterMs });
        model.add(item, priority, afterMs);
      } else if (choice < 70) {
        const expected = model.get();
        const actual = queue.tryGet();
        if (actual !== expected) throw new Error(`step ${step}: handed out ${actual}, the model ${expected}`);
      } else if (choice < 98) {
        const processed = [...model.processing];
        const done = processed[random.integer(processed.length)] ?? item;
        queue.done(done);
        model.done(done);
      } else {
        const ms = random.integer(30);
        await clock.advance(ms);
        model.advance(ms);
      }
      if (
        queue.length !== model.ready ||
        queue.waiting !== model.waiting ||
        queue.processing !== model.processing.size
      ) {
        throw new Error(
          `step ${step}: ready ${queue.length}, waiting ${queue.waiting}, processing ${queue.processing}; in the model ${model.ready}, ${model.waiting}, ${model.processing.size}`,
        );
      }
    }
    for (const item of model.processing) queue.done(item);
    await clock.advance(100);
    drain(queue);
    expect([queue.length, queue.waiting, queue.processing, clock.pending]).toEqual([0, 0, 0, 0]);
  });
});
