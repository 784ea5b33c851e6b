import type { ApiObject } from '../kind/api-object.ts';
import { ObjectStore } from './object-store.ts';
import type { StoreEvent } from './store-event.ts';

const object = (name: string, namespace = 'default', color = 'blue'): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { color },
});
const put = (store: ObjectStore, name: string, namespace = 'default', color = 'blue', resource = '/configmaps') =>
  store.put(resource, namespace, name, object(name, namespace, color));
const namesOf = (stored: readonly { name: string }[]): string[] => stored.map(({ name }) => name);

describe('ObjectStore', () => {
  it('gives every write the next revision, whatever its kind, and writes it into the object', () => {
    const store = new ObjectStore();
    const first = put(store, 'a');
    const second = put(store, 'b', 'default', 'red', '/secrets');
    expect(second.revision).toBe(first.revision + 1);
    expect(second.object.metadata.resourceVersion).toBe(String(second.revision));
    expect(store.revision).toBe(second.revision);
  });

  it('lists in the key order of etcd, and only the given namespace', () => {
    const store = new ObjectStore();
    for (const [name, namespace] of [
      ['b', 'team'],
      ['a', 'team'],
      ['x', 'team-a'],
    ] as const) {
      put(store, name, namespace);
    }
    expect(namesOf(store.resource('/configmaps').list(''))).toEqual(['x', 'a', 'b']);
    expect(namesOf(store.resource('/configmaps').list('team'))).toEqual(['a', 'b']);
  });

  it('forgets changes if there are too many of them, or if their objects are too large', () => {
    const store = new ObjectStore({ eventsPerResourceMax: 10, bytesPerResourceMax: 1000 });
    const floors = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => {
      put(store, name, 'default', 'x'.repeat(200));
      return store.resource('/configmaps').floor;
    });
    expect(floors).toEqual([0, 0, 0, 3, 3, 5]);
    put(store, 'large', 'default', 'x'.repeat(5000));
    const { revision } = store;
    expect(
      store
        .resource('/configmaps')
        .eventsAfter(revision - 1)
        .map(({ current }) => current.name),
    ).toEqual(['large']);
    expect(store.resource('/configmaps').floor).toBe(revision - 1);
    for (let count = 0; count < 40; count++) put(store, 'small');
    expect(store.resource('/configmaps').eventsAfter(store.resource('/configmaps').floor).length).toBeLessThan(11);
    expect(store.resource('/configmaps').size).toBe(8);
  });

  it('lists the state at an earlier revision, without later changes, deletions and creations', () => {
    const store = new ObjectStore();
    put(store, 'changed');
    put(store, 'deleted');
    const then = store.revision;
    put(store, 'changed', 'default', 'red');
    store.remove('/configmaps', 'default', 'deleted');
    put(store, 'created');
    const history = store.resource('/configmaps');
    expect(namesOf(history.listAt('', then))).toEqual(['changed', 'deleted']);
    expect(history.listAt('', then)[0]?.object['data']).toEqual({ color: 'blue' });
    expect(namesOf(history.list(''))).toEqual(['changed', 'created']);
  });

  it('notifies subscribers during each write, with the previous state', () => {
    const store = new ObjectStore();
    const events: StoreEvent[] = [];
    const unsubscribe = store.resource('/configmaps').subscribe((event) => events.push(event));
    const created = put(store, 'a');
    put(store, 'a', 'default', 'red');
    const removed = store.remove('/configmaps', 'default', 'a');
    unsubscribe();
    put(store, 'b');
    expect(events.map(({ deleted, previous }) => [deleted, previous?.revision])).toEqual([
      [false, undefined],
      [false, created.revision],
      [true, created.revision + 1],
    ]);
    expect(removed.object.metadata.resourceVersion).toBe(String(created.revision + 2));
  });

  it('drops the oldest events of a kind beyond its limit, and returns up to which revision', () => {
    const store = new ObjectStore({ eventsPerResourceMax: 4 });
    const revisions = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => put(store, name).revision);
    const history = store.resource('/configmaps');
    expect(history.floor).toBeGreaterThan(revisions[0] ?? 0);
    expect(history.eventsAfter(history.floor).map(({ revision }) => revision)).toEqual(
      revisions.filter((revision) => revision > history.floor),
    );
    expect(history.list('')).toHaveLength(6);
  });

  it('encodes a state once per view', () => {
    const stored = put(new ObjectStore(), 'a');
    let calls = 0;
    const encode = (): string => String(++calls);
    expect([stored.encoded('x', encode), stored.encoded('x', encode), stored.encoded('y', encode)]).toEqual([
      '1',
      '1',
      '2',
    ]);
  });
});
