import { type ApiResource, type KubernetesObject, ObjectKey, type OwnerReference } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { enqueueMapped } from './enqueue-mapped.ts';
import { enqueueObject } from './enqueue-object.ts';
import { enqueueOwner } from './enqueue-owner.ts';

const website: ApiResource = {
  group: 'web.example.com',
  version: 'v1',
  kind: 'Website',
  plural: 'websites',
  namespaced: true,
};

function map(name: string, ...ownerReferences: Partial<OwnerReference>[]): ConfigMap {
  return Object.assign(new ConfigMap(), { metadata: { name, namespace: 'default', ownerReferences } });
}

const owner = (name: string, other: Partial<OwnerReference> = {}): Partial<OwnerReference> => ({
  apiVersion: 'web.example.com/v1',
  kind: 'Website',
  name,
  uid: name,
  controller: true,
  ...other,
});

const textOf = (keys: readonly ObjectKey[]): string[] => keys.map(String);

describe('enqueueObject', () => {
  it('wakes the object of the event', () => {
    expect(textOf(enqueueObject({ verb: 'deleted', object: map('a') }))).toEqual(['default/a']);
  });
});

describe('enqueueOwner()', () => {
  const handler = enqueueOwner(website);

  it('wakes the owner before and the owner after an update', () => {
    const event = { verb: 'updated', previous: map('a', owner('one')), object: map('a', owner('two')) } as const;
    expect(textOf(handler(event))).toEqual(['default/two', 'default/one']);
  });

  it('finds an owner whose reference was written with another version', () => {
    const object = map('a', owner('one', { apiVersion: 'web.example.com/v1alpha1' }));
    expect(textOf(handler({ verb: 'deleted', object }))).toEqual(['default/one']);
  });

  it.each([
    ['is not the controller', { controller: false }],
    ['is of another kind', { kind: 'Blog' }],
    ['is of another group', { apiVersion: 'blog.example.com/v1' }],
  ])('does not wake an owner that %s', (_, other) => {
    expect(handler({ verb: 'deleted', object: map('a', owner('one', other)) })).toEqual([]);
  });

  it('names a cluster-scoped owner without the namespace of its child', () => {
    const cluster = enqueueOwner({ ...website, namespaced: false });
    expect(textOf(cluster({ verb: 'deleted', object: map('a', owner('one')) }))).toEqual(['one']);
  });
});

describe('enqueueMapped()', () => {
  it('maps both versions of an update and wakes each key once', () => {
    const seen: string[] = [];
    const handler = enqueueMapped('C.onMap', (object) => {
      seen.push(object.metadata.name);
      return [new ObjectKey('shared', 'default'), new ObjectKey(object.metadata.name, 'default')];
    });
    const keys = handler({ verb: 'updated', previous: map('old'), object: map('new') });
    expect(seen).toEqual(['new', 'old']);
    expect(textOf(keys)).toEqual(['default/shared', 'default/new', 'default/old']);
  });

  it.each<[string, unknown]>([
    ['a promise', Promise.resolve([])],
    ['string', ['default/web']],
    ['undefined', undefined],
  ])('refuses a mapper that returns %s', (found, value) => {
    const handler = enqueueMapped('WebsiteController.onMap', () => value as ObjectKey[]);
    const object: KubernetesObject = map('a');
    expect(() => handler({ verb: 'deleted', object })).toThrow(
      `WebsiteController.onMap returned ${found}; return a list of ObjectKey, empty where nothing is to be woken, and do not wait`,
    );
  });
});
