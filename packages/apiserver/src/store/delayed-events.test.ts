import { ManualClock } from '@evenkeel/core';
import { DelayedEvents } from './delayed-events.ts';
import { ObjectStore } from './object-store.ts';

const pods = '/pods';
const controller = {};

class Delayed {
  readonly store = new ObjectStore();
  readonly clock = new ManualClock();
  readonly events = new DelayedEvents(this.store, this.clock, (writer) => writer === controller);
  readonly seen: string[] = [];

  constructor() {
    this.events.delayMs = 100;
    this.events.subscribe(pods, (_, { current, deleted }) => {
      this.seen.push(`${deleted ? 'deleted' : String(current.object['color'])} ${current.name}`);
    });
  }

  put(name: string, color: string, writer?: object): void {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, color };
    this.store.put(pods, 'default', name, object, writer ?? 'client');
  }

  /** The names and colors of the objects after the delivered events. */
  list(): readonly string[] {
    return this.events.list(pods).map(({ object }) => `${String(object['color'])} ${object.metadata.name}`);
  }
}

describe('DelayedEvents', () => {
  it('delivers changes of clients after the delay, and those of controllers at once', async () => {
    const delayed = new Delayed();
    delayed.put('a', 'red');
    await delayed.clock.advance(60);
    delayed.put('b', 'red');
    delayed.put('c', 'red', controller);
    expect(delayed.seen).toEqual(['red c']);
    await delayed.clock.advance(40);
    expect(delayed.seen).toEqual(['red c', 'red a']);
    await delayed.clock.advance(60);
    expect(delayed.seen).toEqual(['red c', 'red a', 'red b']);
    expect(delayed.clock.pending).toBe(0);
  });

  it('keeps the order of the changes of one object', async () => {
    const delayed = new Delayed();
    delayed.put('a', 'red');
    delayed.put('a', 'green', controller);
    expect(delayed.seen).toEqual([]);
    await delayed.clock.advance(100);
    expect(delayed.seen).toEqual(['red a', 'green a']);
    delayed.put('a', 'blue', controller);
    expect(delayed.seen.at(-1)).toBe('blue a');
  });

  it('lists objects without the changes that have not been delivered', async () => {
    const delayed = new Delayed();
    delayed.put('changed', 'red', controller);
    delayed.put('removed', 'red', controller);
    delayed.put('changed', 'green');
    delayed.put('changed', 'blue');
    delayed.put('new', 'red');
    delayed.store.remove(pods, 'default', 'removed', 'client');
    expect(delayed.list().toSorted()).toEqual(['red changed', 'red removed']);
    expect(delayed.events.isHeld(pods, 'default', 'new')).toBe(true);
    await delayed.clock.advance(100);
    expect(delayed.list()).toEqual(['blue changed', 'red new']);
    expect(delayed.events.isHeld(pods, 'default', 'new')).toBe(false);
  });

  it('delivers nothing after it has been closed', async () => {
    const delayed = new Delayed();
    delayed.put('a', 'red');
    delayed.events.close();
    expect(delayed.clock.pending).toBe(0);
    await delayed.clock.advance(1000);
    expect(delayed.seen).toEqual([]);
  });
});
