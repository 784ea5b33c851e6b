import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { ConversionOptions } from '../declarations/conversion-declaration.ts';
import { CustomResource } from '../decorators/custom-resource.ts';
import { Spec } from '../decorators/spec.ts';
import { Status } from '../decorators/status.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import { keptPrefix } from './kept-fields.ts';
import { KindConversions } from './kind-conversions.ts';

class Hub extends KubernetesObject {
  @Spec() spec!: Record<string, unknown>;
  @Status() status!: Record<string, unknown>;
}
CustomResource({ group: 'example.com', version: 'v2', kind: 'Shop', storage: true })(Hub);

/** The conversions of a kind with the hub v2 and a version v1 with this conversion. */
function conversions(conversion: Partial<ConversionOptions<Hub>>): KindConversions {
  class Spoke extends KubernetesObject {
    @Spec() spec!: Record<string, unknown>;
    @Status() status!: Record<string, unknown>;
  }
  const options = { group: 'example.com', version: 'v1', kind: 'Shop', conversion: { hub: () => Hub, ...conversion } };
  CustomResource(options as never)(Spoke);
  return new KindConversions([Spoke]);
}

const metadata = { name: 'a', namespace: 'default', uid: 'u' };
const shop = (version: string, spec: object, more: object = {}): JsonObject => ({
  apiVersion: `example.com/${version}`,
  kind: 'Shop',
  metadata,
  spec,
  ...more,
});

/** Converts an object of v1 to v2 and back, without the annotations of the first. */
function both(conversion: Partial<ConversionOptions<Hub>>, spec: object): { hub: unknown; back: unknown } {
  const all = conversions(conversion);
  const hub = all.convert(shop('v1', spec), 'example.com/v2');
  const back = all.convert(hub, 'example.com/v1');
  expect(back['metadata']).toEqual(metadata);
  return { hub: hub['spec'], back: back['spec'] };
}

describe('a conversion by moves', () => {
  it.each<[string, Record<string, string>, object, object]>([
    ['copies fields of the same name', {}, { a: 1, b: { c: [2] } }, { a: 1, b: { c: [2] } }],
    ['renames a field', { 'spec.size': 'spec.replicas' }, { size: 3, other: 1 }, { replicas: 3, other: 1 }],
    ['moves a field into an object', { 'spec.size': 'spec.scale.size' }, { size: 3 }, { scale: { size: 3 } }],
    ['moves a field into its own place', { 'spec.size': 'spec.size.value' }, { size: 3 }, { size: { value: 3 } }],
    ['removes a parent that it leaves empty', { 'spec.a.b.c': 'spec.c' }, { a: { b: { c: 0 } } }, { c: 0 }],
    ['exchanges two fields', { 'spec.a': 'spec.b', 'spec.b': 'spec.a' }, { a: 1, b: 2 }, { a: 2, b: 1 }],
    ['exchanges two fields of which one is missing', { 'spec.a': 'spec.b', 'spec.b': 'spec.a' }, { a: 1 }, { b: 1 }],
    [
      'moves an object and a field in it to different places',
      { 'spec.a': 'spec.x', 'spec.a.b': 'spec.y' },
      { a: { b: 1, c: 2 } },
      { x: { c: 2 }, y: 1 },
    ],
    [
      'renames a field in every element of a list, and the list',
      { 'spec.ports': 'spec.endpoints', 'spec.ports[*].port': 'spec.endpoints[*].number' },
      { ports: [{ port: 1, name: 'a' }, { name: 'b' }, { port: 3 }] },
      { endpoints: [{ number: 1, name: 'a' }, { name: 'b' }, { number: 3 }] },
    ],
    [
      'renames a field in lists of lists',
      { 'spec.a[*].b[*].c': 'spec.a[*].b[*].d' },
      { a: [{ b: [{ c: 1 }, {}] }, {}] },
      { a: [{ b: [{ d: 1 }, {}] }, {}] },
    ],
    [
      'keeps null, and values of other types in the way',
      { 'spec.a.b': 'spec.c' },
      { a: 5, d: null },
      { a: 5, d: null },
    ],
    ['does not confuse a field with those of Object', { 'spec.constructor': 'spec.toString' }, {}, {}],
  ])('%s', (_, moves, spoke, hub) => {
    expect(both({ moves }, spoke)).toEqual({ hub, back: spoke });
  });

  it('does not change the given object, and copies keys such as __proto__ as they are', () => {
    const object = JSON.parse(
      '{"apiVersion":"example.com/v1","kind":"Shop","metadata":{"name":"a"},"spec":{"size":1,"__proto__":{"x":1}}}',
    ) as JsonObject;
    const before = JSON.stringify(object);
    const hub = conversions({ moves: { 'spec.size': 'spec.replicas' } }).convert(object, 'example.com/v2');
    expect(JSON.stringify(object)).toBe(before);
    expect(JSON.stringify(hub['spec'])).toBe('{"__proto__":{"x":1},"replicas":1}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('drops a field of the target that is not the moved one', () => {
    const all = conversions({ moves: { 'spec.size': 'spec.replicas' } });
    expect(all.convert(shop('v1', { replicas: 9 }), 'example.com/v2')['spec']).toEqual({});
    expect(all.convert(shop('v2', { size: 9, replicas: 1 }), 'example.com/v1')['spec']).toEqual({ size: 1 });
  });
});

describe('fields that only one version has, and that are not kept', () => {
  it('are not copied, also in the elements of lists', () => {
    const omit = { spoke: ['spec.memoryMiB', 'spec.ports[*].old'], hub: ['spec.memory'] };
    const all = conversions({
      omit,
      toHub: ({ spec }: KubernetesObject & { spec?: Record<string, unknown> }, hub) => {
        hub.spec['memory'] = `${spec?.['memoryMiB']}Mi`;
      },
      fromHub: (hub, spoke: KubernetesObject & { spec?: Record<string, unknown> }) => {
        if (spoke.spec !== undefined) spoke.spec['memoryMiB'] = Number.parseInt(String(hub.spec['memory']), 10);
      },
    });
    const hub = all.convert(shop('v1', { size: 1, memoryMiB: 64, ports: [{ old: 1, port: 2 }] }), 'example.com/v2');
    expect(hub['spec']).toEqual({ size: 1, memory: '64Mi', ports: [{ port: 2 }] });
    expect(all.convert(hub, 'example.com/v1')['spec']).toEqual({ size: 1, memoryMiB: 64, ports: [{ port: 2 }] });
  });
});

describe('a conversion by functions', () => {
  const schedule: Partial<ConversionOptions<Hub>> = {
    toHub: ({ spec }: KubernetesObject & { spec?: Record<string, unknown> }, hub) => {
      hub.spec['schedule'] = { minute: spec?.['schedule'] };
    },
    fromHub: (hub, spoke: KubernetesObject & { spec?: Record<string, unknown> }) => {
      if (spoke.spec !== undefined) spoke.spec['schedule'] = (hub.spec['schedule'] as { minute: string }).minute;
    },
  };

  it('completes what was copied and moved', () => {
    expect(both({ ...schedule, moves: { 'spec.a': 'spec.b' } }, { schedule: '1', a: 2 })).toEqual({
      hub: { schedule: { minute: '1' }, b: 2 },
      back: { schedule: '1', a: 2 },
    });
  });

  it('gives both objects their classes, and a status that is dropped if it stays empty', () => {
    const seen: unknown[] = [];
    const all = conversions({
      toHub: (spoke, hub) => {
        seen.push(hub instanceof Hub, spoke.constructor.name, hub.apiVersion, spoke.apiVersion, hub.status);
      },
      fromHub: (_hub, spoke: KubernetesObject & { status?: Record<string, unknown> }) => {
        if (spoke.status !== undefined) spoke.status['ready'] = true;
      },
    });
    const hub = all.convert(shop('v1', {}), 'example.com/v2');
    expect(seen).toEqual([true, 'Spoke', 'example.com/v2', 'example.com/v1', {}]);
    expect(hub).toEqual(shop('v2', {}));
    expect(all.convert(hub, 'example.com/v1')['status']).toEqual({ ready: true });
    expect(all.convert(shop('v1', {}, { status: {} }), 'example.com/v2')['status']).toEqual({});
    // Server-side apply converts objects with missing fields.
    const { spec: _, ...bare } = shop('v1', {});
    expect(all.convert(bare, 'example.com/v2')).toEqual({ ...bare, apiVersion: 'example.com/v2' });
  });

  it('may change labels and annotations, and nothing else of the metadata', () => {
    const changing = (change: (metadata: KubernetesObject['metadata']) => void) => () =>
      conversions({ toHub: (_spoke, hub) => change(hub.metadata), fromHub: () => undefined }).convert(
        shop('v1', {}),
        'example.com/v2',
      )['metadata'];
    expect(changing((it) => void Object.assign(it, { labels: { a: 'b' } }))()).toEqual({
      ...metadata,
      labels: { a: 'b' },
    });
    expect(changing((it) => void Object.assign(it, { finalizers: ['x/y'] }))).toThrow(
      'toHub changed metadata.finalizers of the Shop; a conversion can only change labels and annotations',
    );
    expect(changing((it) => void Object.assign(it, { name: 'b' }))).toThrow('toHub changed metadata.name of the Shop');
    expect(changing((it) => void Object.assign(it, { labels: { a: 1 } }))).toThrow(
      'toHub set metadata.labels to a value that is not a map of strings',
    );
  });

  it('must not be async', () => {
    const all = conversions({ toHub: (async () => undefined) as never, fromHub: () => undefined });
    expect(() => all.convert(shop('v1', {}), 'example.com/v2')).toThrow(
      'toHub of Spoke returned a Promise; it must change the object before it returns',
    );
  });

  it('does not see changes that the other direction makes to shared parts', () => {
    const original = shop('v1', { list: [1] });
    const all = conversions({
      toHub: (_spoke, hub) => void (hub.spec['list'] as number[]).push(2),
      fromHub: () => undefined,
    });
    expect(all.convert(original, 'example.com/v2')['spec']).toEqual({ list: [1, 2] });
    expect(original).toEqual(shop('v1', { list: [1] }));
  });
});

describe('kept fields', () => {
  const keep = { spoke: ['spec.legacy', 'spec.ports[*].old'], hub: ['spec.retries'] };
  const all = conversions({ keep, moves: { 'spec.size': 'spec.replicas' } });
  const annotation = `${keptPrefix}v1`;
  const toHub = (object: JsonObject) => all.convert(object, 'example.com/v2');
  const fromHub = (object: JsonObject) => all.convert(object, 'example.com/v1');
  const spoke = shop('v1', { size: 1, legacy: { a: [1] }, ports: [{ port: 1, old: 'x' }, { port: 2 }] });

  it('are in an annotation of the other version, and are put back', () => {
    const hub = toHub(spoke);
    expect(hub['spec']).toEqual({ replicas: 1, ports: [{ port: 1 }, { port: 2 }] });
    expect(hub['metadata']).toEqual({ ...metadata, annotations: { [annotation]: expect.any(String) } });
    expect(fromHub(hub)).toEqual(spoke);
    expect(toHub(fromHub(hub))).toEqual(hub);
  });

  it('need no annotation if they are missing', () => {
    const bare = shop('v1', { size: 1, ports: [{ port: 1 }] });
    expect(toHub(bare)).toEqual(shop('v2', { replicas: 1, ports: [{ port: 1 }] }));
    expect(fromHub(toHub(bare))).toEqual(bare);
  });

  it('stay if other fields are edited through the other version', () => {
    const hub = toHub(spoke);
    const edited = { ...hub, spec: { ...(hub['spec'] as object), replicas: 7 } };
    expect(fromHub(edited)['spec']).toEqual({ ...(spoke['spec'] as object), size: 7 });
  });

  it('of a list are dropped if its elements are edited through the other version', () => {
    const hub = toHub(spoke);
    const edited = { ...hub, spec: { replicas: 1, ports: [{ port: 1 }, { port: 3 }] } };
    expect(fromHub(edited)['spec']).toEqual({ size: 1, legacy: { a: [1] }, ports: [{ port: 1 }, { port: 3 }] });
  });

  it('of both versions do not disturb each other', () => {
    const hub = shop('v2', { replicas: 1, retries: 3 });
    const read = fromHub(hub);
    expect(read['spec']).toEqual({ size: 1 });
    const written = { ...read, spec: { size: 2, legacy: 'x' } };
    const stored = toHub(written);
    expect(stored['spec']).toEqual({ replicas: 2, retries: 3 });
    expect(fromHub(stored)['spec']).toEqual({ size: 2, legacy: 'x' });
    expect(toHub(fromHub(stored))).toEqual(stored);
  });

  it('of a version are on its objects no longer if a client sends them back', () => {
    const withOld = shop(
      'v2',
      { replicas: 1 },
      { metadata: { ...metadata, annotations: { [`${keptPrefix}v2`]: '{}' } } },
    );
    expect(fromHub(withOld)['metadata']).toEqual(metadata);
  });

  it('keep a value that the other version holds less exactly, until it is edited there', () => {
    const rounded = conversions({
      keep: { spoke: ['spec.size'] },
      toHub: (object: KubernetesObject & { spec?: Record<string, unknown> }, hub) => {
        hub.spec['size'] = Math.round(Number(object.spec?.['size']));
      },
      fromHub: (hub, object: KubernetesObject & { spec?: Record<string, unknown> }) => {
        if (object.spec !== undefined) object.spec['size'] = hub.spec['size'];
      },
    });
    const hub = rounded.convert(shop('v1', { size: 1.4 }), 'example.com/v2');
    expect(hub['spec']).toEqual({ size: 1 });
    expect(rounded.convert(hub, 'example.com/v1')).toEqual(shop('v1', { size: 1.4 }));
    const edited = { ...hub, spec: { size: 2 } };
    expect(rounded.convert(edited, 'example.com/v1')).toEqual(shop('v1', { size: 2 }));
  });

  it.each([
    '',
    'x',
    '[]',
    '{"spec.legacy":5}',
    '{"spec.other":{"value":1}}',
    '{"__proto__":{"value":1}}',
    '['.repeat(99),
  ])('ignore the annotation %p, which a user wrote', (text) => {
    const hub = shop('v2', { replicas: 1 }, { metadata: { ...metadata, annotations: { [annotation]: text, x: 'y' } } });
    expect(fromHub(hub)).toEqual(shop('v1', { size: 1 }, { metadata: { ...metadata, annotations: { x: 'y' } } }));
  });

  it('have at most 128 KiB', () => {
    expect(() => toHub(shop('v1', { legacy: 'ä'.repeat(65_536) }))).toThrow(
      /^the fields that the other version cannot hold \(spec\.legacy\) need 131\d{3} bytes in the annotation conversion\.evenkeel\.dev\/v1, which has at most 131072; shorten them$/,
    );
  });
});

describe('KindConversions', () => {
  class V1 extends KubernetesObject {}
  CustomResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Shop',
    conversion: { hub: Hub, moves: { 'spec.one': 'spec.hub' } },
  } as never)(V1);
  class V3 extends KubernetesObject {}
  CustomResource({
    group: 'example.com',
    version: 'v3',
    kind: 'Shop',
    conversion: { hub: Hub, moves: { 'spec.three': 'spec.hub' } },
  } as never)(V3);
  const all = new KindConversions([V1, V3]);

  it('converts between two versions through the hub', () => {
    expect(all.convert(shop('v1', { one: 1 }), 'example.com/v3')).toEqual(shop('v3', { three: 1 }));
    expect(all.convert(shop('v2', { hub: 1 }), 'example.com/v2')).toEqual(shop('v2', { hub: 1 }));
  });

  it.each<[string, JsonObject, string, string]>([
    ['no type', {}, 'example.com/v1', 'the object has no apiVersion and kind'],
    [
      'an unknown kind',
      { apiVersion: 'example.com/v1', kind: 'Store' },
      'example.com/v2',
      'this operator does not convert Store from example.com/v1 to example.com/v2; add the class of the version to "conversions" of defineOperator()',
    ],
    [
      'another group',
      shop('v1', {}),
      'example.org/v2',
      'this operator does not convert Shop from example.com/v1 to example.org/v2; add',
    ],
    [
      'an unknown version',
      shop('v1', {}),
      'example.com/v9',
      'this operator does not convert version v9 of Shop; add its',
    ],
  ])('rejects %s', (_, object, to, message) => {
    expect(() => all.convert(object, to)).toThrow(message);
  });
});

describe('the declaration of a conversion', () => {
  class Other extends KubernetesObject {}
  CustomResource({ group: 'example.com', version: 'v2', kind: 'Store' })(Other);
  class Same extends KubernetesObject {}
  CustomResource({ group: 'example.com', version: 'v1', kind: 'Shop' })(Same);
  class Chained extends KubernetesObject {}
  CustomResource({ group: 'example.com', version: 'v3', kind: 'Shop', conversion: { hub: Hub } })(Chained);
  const hub = () => Hub;

  it.each<[string, object, string]>([
    ['no hub', {}, 'Spoke: conversion: hub is missing; write the class of the hub, such as hub: () => TheHub'],
    ['a hub that is no class', { hub: () => 5 }, 'hub is not a class with @CustomResource'],
    [
      'a hub of another kind',
      { hub: Other },
      'hub Other is Store of example.com, not a version of Shop of example.com',
    ],
    ['a hub of the same version', { hub: Same }, 'hub Same is the same version, v1'],
    [
      'a hub that has a hub',
      { hub: Chained },
      'hub Chained declares a conversion itself; all versions of Shop need one hub, which declares none',
    ],
    ['an unknown option', { hub, move: {} }, 'unknown option "move"; did you mean "moves"?'],
    ['one function', { hub, toHub: () => undefined }, 'it has toHub but no fromHub'],
    ['a function of another type', { hub, toHub: 5, fromHub: 5 }, 'toHub must be a function, not'],
    ['an invalid path', { hub, moves: { spec: '' } }, "moves: spec: : it is not a path such as 'spec.size'"],
    ['a path to an element', { hub, moves: { 'spec.a[*]': 'spec.b' } }, 'it leads to elements of a list'],
    ['a path in the metadata', { hub, keep: { hub: ['metadata.name'] } }, 'fields of metadata are the same in all'],
    ['a path with a prototype', { hub, keep: { spoke: ['spec.__proto__.x'] } }, '__proto__ is not a name of a field'],
    [
      'two moves to one field',
      { hub, moves: { 'spec.a': 'spec.c', 'spec.b': 'spec.c' } },
      'moves: spec.a and spec.b both move to spec.c; move only one of them there',
    ],
    ['a move out of a list', { hub, moves: { 'spec.a[*].b': 'spec.b' } }, 'are not in the same list'],
    [
      'a move into another list',
      { hub, moves: { 'spec.a[*].b': 'spec.c[*].b' } },
      'spec.a[*].b moves to spec.c[*].b, but its list is spec.a[*] in the hub; write a path in that list',
    ],
    ['an invalid list of kept fields', { hub, keep: { spoke: 'spec.a' } }, 'keep.spoke must be a list of paths'],
    ['another form of kept fields', { hub, keep: ['spec.a'] }, 'keep must be an object with lists of paths'],
  ])('must not have %s', (_, conversion, message) => {
    expect(() => conversions({ hub: undefined, ...conversion } as never)).toThrow(message);
  });

  it('must exist, must have one hub, and must be listed once for a version', () => {
    expect(() => new KindConversions([Same])).toThrow('Same: it is in "conversions" but declares no conversion');
    class Twice extends KubernetesObject {}
    CustomResource({ group: 'example.com', version: 'v3', kind: 'Shop', conversion: { hub: Hub } })(Twice);
    expect(() => new KindConversions([Chained, Twice])).toThrow('Twice: conversion: Chained declares v3 of Shop too');
    class OtherHub extends KubernetesObject {}
    CustomResource({ group: 'example.com', version: 'v4', kind: 'Shop', conversion: { hub: Same } })(OtherHub);
    expect(() => new KindConversions([Chained, OtherHub])).toThrow('hub is v1, but v2 in another version of Shop');
  });
});
