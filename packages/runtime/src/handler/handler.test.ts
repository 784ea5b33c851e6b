import { type ApiResource, ObjectKey, type OwnerReference, type SeenObject } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { enqueueMapped, type Mapper } from './enqueue-mapped.ts';
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
  it('enqueues the object of the event', () => {
    expect(textOf(enqueueObject({ verb: 'deleted', object: map('a') }))).toEqual(['default/a']);
  });
});

describe('enqueueOwner()', () => {
  const handler = enqueueOwner(website);

  it('enqueues the owners before and after an update', () => {
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
  ])('does not enqueue an owner that %s', (_, other) => {
    expect(handler({ verb: 'deleted', object: map('a', owner('one', other)) })).toEqual([]);
  });

  it('enqueues a cluster-scoped owner without the namespace of its child', () => {
    const cluster = enqueueOwner({ ...website, namespaced: false });
    expect(textOf(cluster({ verb: 'deleted', object: map('a', owner('one')) }))).toEqual(['one']);
  });
});

describe('enqueueMapped()', () => {
  const failures: string[] = [];
  const mapped = (mapper: (object: SeenObject) => unknown, resource = website) =>
    enqueueMapped({
      member: 'WebsiteController.onMap',
      mapper: mapper as Mapper,
      resource,
      failed: (error, { metadata }) => failures.push(`${metadata.name}: ${(error as Error).message}`),
    });

  beforeEach(() => {
    failures.length = 0;
  });

  it('maps both versions of an update and enqueues each key once', () => {
    const seen: string[] = [];
    const handler = mapped((object) => {
      seen.push(object.metadata.name);
      return [new ObjectKey('shared', 'default'), new ObjectKey(object.metadata.name, 'default')];
    });
    const keys = handler({ verb: 'updated', previous: map('old'), object: map('new') });
    expect(seen).toEqual(['new', 'old']);
    expect(textOf(keys)).toEqual(['default/shared', 'default/new', 'default/old']);
    expect(failures).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a promise', Promise.resolve([])],
    ['undefined', undefined],
    ['null', null],
    ['string', 'default/web'],
    ['object', new ObjectKey('web', 'default')],
  ])('reports a mapper that returns %s, and enqueues nothing', (found, value) => {
    expect(mapped(() => value)({ verb: 'deleted', object: map('a') })).toEqual([]);
    expect(failures).toEqual([
      `a: WebsiteController.onMap returned ${found}; return ObjectKey[] synchronously ([] enqueues nothing)`,
    ]);
  });

  it.each<[unknown, string]>([
    [
      'default/web',
      'a value of type string instead of an ObjectKey; write new ObjectKey(name, namespace), or ObjectKey.of(object)',
    ],
    [
      undefined,
      'a value of type undefined instead of an ObjectKey; write new ObjectKey(name, namespace), or ObjectKey.of(object)',
    ],
    [null, 'null instead of an ObjectKey; write new ObjectKey(name, namespace), or ObjectKey.of(object)'],
    [
      { namespace: 'default' },
      'a value of type object instead of an ObjectKey; write new ObjectKey(name, namespace), or ObjectKey.of(object)',
    ],
    [
      Promise.resolve(),
      'a promise instead of an ObjectKey; write new ObjectKey(name, namespace), or ObjectKey.of(object)',
    ],
    [new ObjectKey('', 'default'), 'an ObjectKey whose name is ""'],
    [new ObjectKey(undefined as never, 'default'), 'an ObjectKey whose name is undefined'],
    [new ObjectKey('default/web', 'default'), 'an ObjectKey whose name is "default/web"'],
    [new ObjectKey('..', 'default'), 'an ObjectKey whose name is ".."'],
    [new ObjectKey('a'.repeat(254), 'default'), `an ObjectKey whose name is "${'a'.repeat(64)}"`],
    [new ObjectKey('web', 5 as never), 'an ObjectKey whose namespace is 5'],
    [
      new ObjectKey('web'),
      'the ObjectKey "web" without a namespace, but websites.web.example.com are namespaced; write new ObjectKey(name, namespace)',
    ],
  ])('reports the invalid key %j, and enqueues the other keys', (value, mistake) => {
    const handler = mapped(() => [value, new ObjectKey('web', 'default')]);
    expect(textOf(handler({ verb: 'deleted', object: map('a') }))).toEqual(['default/web']);
    expect(failures).toEqual([`a: WebsiteController.onMap returned ${mistake}`]);
  });

  it('reports a key with a namespace for a cluster-scoped kind', () => {
    const handler = mapped(() => [new ObjectKey('web', 'default'), new ObjectKey('web')], {
      ...website,
      namespaced: false,
    });
    expect(textOf(handler({ verb: 'deleted', object: map('a') }))).toEqual(['web']);
    expect(failures).toEqual([
      'a: WebsiteController.onMap returned the ObjectKey "default/web" with a namespace, but websites.web.example.com are cluster-scoped; write new ObjectKey(name)',
    ]);
  });

  it('enqueues the keys for the new version if it throws for the old one', () => {
    const handler = mapped(({ metadata }) => {
      if (metadata.name === 'old') throw new Error('odd');
      return [new ObjectKey(metadata.name, 'default')];
    });
    expect(textOf(handler({ verb: 'updated', previous: map('old'), object: map('new') }))).toEqual(['default/new']);
    expect(failures).toEqual(['old: odd']);
  });
});
