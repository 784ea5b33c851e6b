import type { OwnedFields } from '../cache/index.ts';
import { appliedAlready, emptiedFields, ownedValues } from './owned-fields.ts';

// What a 1.36 server recorded for an apply of `desired`, and what it made of it.
const desired = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', labels: { 'evenkeel.dev/controller': 'nginx' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' }, annotations: {} },
      spec: {
        containers: [
          {
            name: 'nginx',
            image: 'nginx',
            env: [],
            ports: [{ containerPort: 80 }],
            volumeMounts: [{ name: 'page', mountPath: '/x', readOnly: false }],
          },
        ],
        volumes: [
          { name: 'page', configMap: { name: 'x', optional: null } },
          { name: 'scratch', emptyDir: {} },
        ],
      },
    },
  },
};

const owned = {
  'f:metadata': { 'f:labels': { 'f:evenkeel.dev/controller': {} } },
  'f:spec': {
    'f:replicas': {},
    'f:selector': {},
    'f:template': {
      'f:metadata': { 'f:annotations': {}, 'f:labels': { 'f:a': {} } },
      'f:spec': {
        'f:containers': {
          'k:{"name":"nginx"}': {
            '.': {},
            'f:image': {},
            'f:name': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
            'f:volumeMounts': {
              'k:{"mountPath":"/x"}': { '.': {}, 'f:mountPath': {}, 'f:name': {}, 'f:readOnly': {} },
            },
          },
        },
        'f:volumes': {
          'k:{"name":"page"}': { '.': {}, 'f:configMap': { 'f:name': {}, 'f:optional': {} }, 'f:name': {} },
          'k:{"name":"scratch"}': { '.': {}, 'f:emptyDir': {}, 'f:name': {} },
        },
      },
    },
  },
} as OwnedFields;

const live = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'default',
    uid: 'u',
    labels: { 'evenkeel.dev/controller': 'nginx', mine: 'too' },
  },
  spec: {
    replicas: 1,
    progressDeadlineSeconds: 600,
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        containers: [
          {
            name: 'nginx',
            image: 'nginx',
            imagePullPolicy: 'Always',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            volumeMounts: [{ name: 'page', mountPath: '/x' }],
          },
        ],
        restartPolicy: 'Always',
        volumes: [
          { name: 'page', configMap: { name: 'x', defaultMode: 420 } },
          { name: 'scratch', emptyDir: {} },
        ],
      },
    },
  },
};

/** The object with the value at `path` replaced, or removed where the value is undefined. */
function change<T extends object>(object: T, path: readonly (string | number)[], value: unknown): T {
  const copy = structuredClone(object);
  let at = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

const container = ['spec', 'template', 'spec', 'containers', 0] as const;

describe('appliedAlready()', () => {
  it("holds over the server's defaults, over what others added and over what omitempty drops", () => {
    expect(appliedAlready(desired, live, owned)).toBe(true);
  });

  it.each<[string, readonly (string | number)[], unknown]>([
    ['a value', ['spec', 'replicas'], 2],
    ['a label', ['metadata', 'labels', 'evenkeel.dev/controller'], 'other'],
    ['a value in a keyed list', [...container, 'image'], 'nginx:1'],
    ['an element of a keyed list', [...container, 'ports'], [{ containerPort: 81, protocol: 'TCP' }]],
    ['an atomic map', ['spec', 'selector', 'matchLabels', 'c'], 'd'],
    ['a whole container', ['spec', 'template', 'spec', 'containers'], []],
  ])('does not hold when somebody changed %s', (_, path, value) => {
    expect(appliedAlready(desired, change(live, path, value), owned)).toBe(false);
  });

  it.each<[string, readonly (string | number)[], unknown]>([
    ['takes a field away', ['spec', 'replicas'], undefined],
    ['takes an element of a keyed list away', ['spec', 'template', 'spec', 'volumes', 1], undefined],
    ['empties a keyed list', [...container, 'ports'], []],
    ['adds a field', ['spec', 'paused'], true],
    ['adds an element', [...container, 'ports', 1], { containerPort: 81 }],
    ['asks for another value', ['spec', 'replicas'], 0],
  ])('does not hold when desired %s', (_, path, value) => {
    expect(appliedAlready(JSON.parse(JSON.stringify(change(desired, path, value))), live, owned)).toBe(false);
  });

  it('does not hold when somebody took a field over, though its value is the same', () => {
    const taken = change(owned, ['f:spec', 'f:replicas'], undefined);
    expect(appliedAlready(desired, live, taken)).toBe(false);
  });

  it('compares sets by their members', () => {
    const sets = { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"a"': {} } } } as OwnedFields;
    const wanted = { metadata: { name: 'x', finalizers: ['a'] } };
    expect(appliedAlready(wanted, { metadata: { finalizers: ['b', 'a'] } }, sets)).toBe(true);
    expect(appliedAlready(wanted, { metadata: { finalizers: ['b'] } }, sets)).toBe(false);
  });

  it('compares the order of what it asks for in a merged list, whatever stands between', () => {
    const element = { '.': {}, 'f:name': {} };
    const merged = {
      'f:spec': {
        'f:keyed': { 'k:{"name":"a"}': element, 'k:{"name":"b"}': element },
        'f:set': { 'v:"a"': {}, 'v:"b"': {} },
      },
    } as OwnedFields;
    const lists = (keyed: string, set = 'ab') => ({
      spec: { keyed: [...keyed].map((name) => ({ name })), set: [...set] },
    });
    expect(appliedAlready(lists('ab'), lists('xaybz', 'axb'), merged)).toBe(true);
    expect(appliedAlready(lists('ba'), lists('xbyaz'), merged)).toBe(true);
    expect(appliedAlready(lists('ba'), lists('ab'), merged)).toBe(false);
    expect(appliedAlready(lists('ab'), lists('xbaz'), merged)).toBe(false);
    expect(appliedAlready(lists('ab', 'ba'), lists('ab', 'ab'), merged)).toBe(false);
  });

  it.each<[string, unknown, unknown]>([
    ['an empty map', {}, { disk: 'ssd' }],
    ['an empty list', [], [{ operator: 'Exists' }]],
    ['null', null, 3],
  ])('takes %s for what empties, unless the last apply asked for it too', (_, value, full) => {
    const wanted = { spec: { field: value } };
    const leaf = { 'f:spec': { 'f:field': {} } } as OwnedFields;
    expect(appliedAlready(wanted, { spec: { field: full } }, leaf)).toBe(false);
    expect(appliedAlready(wanted, { spec: { field: full } }, leaf, true)).toBe(true);
    expect(appliedAlready(wanted, { spec: { field: value } }, leaf)).toBe(true);
    expect(appliedAlready(wanted, { spec: {} }, leaf)).toBe(true);
    const taken = { 'f:spec': { 'f:other': {} } } as OwnedFields;
    expect(appliedAlready({ spec: { field: value, other: 1 } }, { spec: { field: full, other: 1 } }, taken)).toBe(
      false,
    );
  });

  it('takes an empty map that still owns something for what empties, whatever the last apply asked for', () => {
    const below = { 'f:spec': { 'f:field': { 'f:a': {} } } } as OwnedFields;
    expect(appliedAlready({ spec: { field: {} } }, { spec: { field: { a: '1' } } }, below, true)).toBe(false);
  });

  it('leaves what others put into annotations and finalizers, which are granular in each kind', () => {
    const wanted = { metadata: { name: 'x', annotations: {}, finalizers: [] } };
    const filled = { metadata: { annotations: { a: '1' }, finalizers: ['a'] } };
    expect(appliedAlready(wanted, filled, { 'f:metadata': { 'f:annotations': {} } })).toBe(true);
    expect(appliedAlready(wanted, filled, { 'f:metadata': { 'f:annotations': { 'f:a': {} } } })).toBe(false);
  });

  it('finds no fields on the prototype', () => {
    expect(appliedAlready({ spec: JSON.parse('{"__proto__": {"a": 1}}') }, { spec: {} }, { 'f:spec': {} })).toBe(false);
  });
});

describe('emptiedFields()', () => {
  it('tells where nothing is asked for and nothing is owned, and of what sort', () => {
    expect(emptiedFields(desired, owned)).toEqual({
      'f:spec': {
        'f:template': {
          'f:metadata': { 'f:annotations': '{}' },
          'f:spec': {
            'f:containers': { 'k:{"name":"nginx"}': { 'f:env': '[]' } },
            'f:volumes': {
              'k:{"name":"page"}': { 'f:configMap': { 'f:optional': 'null' } },
              'k:{"name":"scratch"}': { 'f:emptyDir': '{}' },
            },
          },
        },
      },
    });
    expect(emptiedFields({ spec: { replicas: 1 } }, owned)).toBeUndefined();
  });
});

describe('ownedValues()', () => {
  it('changes with what is owned and with nothing else', () => {
    const values = JSON.stringify(ownedValues(live, owned));
    expect(JSON.stringify(ownedValues(change(live, ['spec', 'paused'], true), owned))).toBe(values);
    expect(JSON.stringify(ownedValues(change(live, ['metadata', 'labels', 'x'], 'y'), owned))).toBe(values);
    expect(JSON.stringify(ownedValues(change(live, ['spec', 'replicas'], 3), owned))).not.toBe(values);
    expect(JSON.stringify(ownedValues(change(live, [...container, 'image'], 'other'), owned))).not.toBe(values);
  });

  it('changes with the order of owned elements, and not with what others put between or into what is emptied', () => {
    const element = { '.': {}, 'f:name': {} };
    const list = { 'f:keyed': { 'k:{"name":"a"}': element, 'k:{"name":"b"}': element }, 'f:map': {} } as OwnedFields;
    const values = (keyed: string, map: object) =>
      JSON.stringify(ownedValues({ keyed: [...keyed].map((name) => ({ name })), map }, list, { 'f:map': '{}' }));
    expect(values('xayb', { a: 1 })).toBe(values('ab', {}));
    expect(values('ba', {})).not.toBe(values('ab', {}));
  });
});
