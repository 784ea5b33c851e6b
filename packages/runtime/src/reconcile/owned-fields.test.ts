import type { OwnedFields } from '../cache/index.ts';
import { appliedAlready, emptiedFields, ownedValues } from './owned-fields.ts';

// The fields that a 1.36 server recorded for an apply of `desired`, and the resulting object.
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

/** Returns the object with the value at `path` replaced, or removed if the value is undefined. */
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
  it("is true despite the server's defaults, additions of others and values that omitempty drops", () => {
    expect(appliedAlready(desired, live, owned)).toBe(true);
  });

  it.each<[string, readonly (string | number)[], unknown]>([
    ['a value', ['spec', 'replicas'], 2],
    ['a label', ['metadata', 'labels', 'evenkeel.dev/controller'], 'other'],
    ['a value in a keyed list', [...container, 'image'], 'nginx:1'],
    ['an element of a keyed list', [...container, 'ports'], [{ containerPort: 81, protocol: 'TCP' }]],
    ['an atomic map', ['spec', 'selector', 'matchLabels', 'c'], 'd'],
    ['a whole container', ['spec', 'template', 'spec', 'containers'], []],
  ])('is false if another client changed %s', (_, path, value) => {
    expect(appliedAlready(desired, change(live, path, value), owned)).toBe(false);
  });

  it.each<[string, readonly (string | number)[], unknown]>([
    ['removes a field', ['spec', 'replicas'], undefined],
    ['removes an element of a keyed list', ['spec', 'template', 'spec', 'volumes', 1], undefined],
    ['empties a keyed list', [...container, 'ports'], []],
    ['adds a field', ['spec', 'paused'], true],
    ['adds an element', [...container, 'ports', 1], { containerPort: 81 }],
    ['has another value', ['spec', 'replicas'], 0],
  ])('is false if the desired state %s', (_, path, value) => {
    expect(appliedAlready(JSON.parse(JSON.stringify(change(desired, path, value))), live, owned)).toBe(false);
  });

  it('is false if another manager took over a field, even with the same value', () => {
    const taken = change(owned, ['f:spec', 'f:replicas'], undefined);
    expect(appliedAlready(desired, live, taken)).toBe(false);
  });

  it('compares sets by their members', () => {
    const sets = { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"a"': {} } } } as OwnedFields;
    const wanted = { metadata: { name: 'x', finalizers: ['a'] } };
    expect(appliedAlready(wanted, { metadata: { finalizers: ['b', 'a'] } }, sets)).toBe(true);
    expect(appliedAlready(wanted, { metadata: { finalizers: ['b'] } }, sets)).toBe(false);
  });

  it('compares the order of the desired elements of a merged list, and ignores elements between them', () => {
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
  ])('treats %s as emptying the field, unless the last apply had it too', (_, value, full) => {
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

  it('treats an empty map as emptying the field if fields below it are owned, whatever the last apply had', () => {
    const below = { 'f:spec': { 'f:field': { 'f:a': {} } } } as OwnedFields;
    expect(appliedAlready({ spec: { field: {} } }, { spec: { field: { a: '1' } } }, below, true)).toBe(false);
  });

  it('ignores annotations and finalizers of others, which are granular in each kind', () => {
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
  it('returns the paths of empty values below which nothing is owned, and the values', () => {
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
  it('changes if an owned value changes, and only then', () => {
    const values = JSON.stringify(ownedValues(live, owned));
    expect(JSON.stringify(ownedValues(change(live, ['spec', 'paused'], true), owned))).toBe(values);
    expect(JSON.stringify(ownedValues(change(live, ['metadata', 'labels', 'x'], 'y'), owned))).toBe(values);
    expect(JSON.stringify(ownedValues(change(live, ['spec', 'replicas'], 3), owned))).not.toBe(values);
    expect(JSON.stringify(ownedValues(change(live, [...container, 'image'], 'other'), owned))).not.toBe(values);
  });

  it('changes with the order of owned elements, but not with elements of others or the content of emptied fields', () => {
    const element = { '.': {}, 'f:name': {} };
    const list = { 'f:keyed': { 'k:{"name":"a"}': element, 'k:{"name":"b"}': element }, 'f:map': {} } as OwnedFields;
    const values = (keyed: string, map: object) =>
      JSON.stringify(ownedValues({ keyed: [...keyed].map((name) => ({ name })), map }, list, { 'f:map': '{}' }));
    expect(values('xayb', { a: 1 })).toBe(values('ab', {}));
    expect(values('ba', {})).not.toBe(values('ab', {}));
  });
});
