import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { ManagedFieldsEntry, StatusError } from '@evenkeel/core';
import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { applyObject, type ManagedApply } from './apply-object.ts';
import { emptyBuiltIn, emptyCustomResource } from './managed-object.ts';
import { widgetSchema } from './widget.fixture.ts';

const now = new Date('2026-11-21T12:00:00Z');
let configMap: SchemaNode;
let widget: SchemaNode;

beforeAll(async () => {
  configMap = await schemaOf('io.k8s.api.core.v1.ConfigMap');
  widget = await widgetSchema('v1');
});

const configMapOf = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...metadata },
  data,
});
const stored = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object['metadata'] as JsonObject), uid: 'u' },
});

/** Applies to a ConfigMap; the object must not be refused. */
function applied(live: JsonObject | undefined, object: JsonObject, options: Partial<ManagedApply> = {}) {
  const empty = emptyBuiltIn('v1', 'ConfigMap', configMap);
  const outcome = applyObject({
    schema: configMap,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    empty,
    live,
    applied: object,
    manager: 'a',
    force: false,
    now,
    ...options,
  });
  if (outcome.kind === 'conflict') throw outcome.error;
  return { ...outcome, object: stored(outcome.object) };
}

function refusal(run: () => unknown): StatusError {
  try {
    run();
  } catch (error) {
    return error as StatusError;
  }
  throw new Error('nothing was refused');
}

const ownersOf = (entries: ManagedFieldsEntry[] | undefined) =>
  entries?.map(({ manager, operation, time, fieldsV1 }) => [manager, operation, time, fieldsV1]);
const at = '2026-11-21T12:00:00Z';

describe('applyObject', () => {
  it('creates an object that its applier owns', () => {
    const { object, managedFields, changed } = applied(undefined, configMapOf({ a: '1' }));
    const metadata = { name: 'x', uid: 'u', managedFields };
    expect(object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } });
    expect([changed, ownersOf(managedFields)]).toEqual([true, [['a', 'Apply', at, { 'f:data': { 'f:a': {} } }]]]);
  });

  it('keeps an applied object as it is, and shares it, where an apply changes nothing', () => {
    const { object } = applied(undefined, configMapOf({ a: '1' }));
    const again = applied(object, configMapOf({ a: '1' }), { now: new Date('2027-01-01T00:00:00Z') });
    expect([again.changed, again.object]).toEqual([false, object]);
    expect(again.object['data']).toBe(object['data']);
  });

  it('has no time for an applier that only shares what is there', () => {
    const { object } = applied(undefined, configMapOf({ a: '1' }));
    expect(ownersOf(applied(object, configMapOf({ a: '1' }), { manager: 'b' }).managedFields)).toEqual([
      ['b', 'Apply', undefined, { 'f:data': { 'f:a': {} } }],
      ['a', 'Apply', at, { 'f:data': { 'f:a': {} } }],
    ]);
  });

  it('removes what its manager does not apply any more, unless somebody else owns it', () => {
    const first = applied(undefined, configMapOf({ a: '1', b: '1', c: '1' })).object;
    const second = applied(first, configMapOf({ b: '1' }), { manager: 'b' }).object;
    expect(applied(second, configMapOf({ c: '1' })).object['data']).toEqual({ b: '1', c: '1' });
  });

  it('refuses to change what others own, in the words of the server', () => {
    const first = applied(undefined, configMapOf({ a: '1', b: '1' })).object;
    const updater = { manager: 'kubectl', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
    const entries = (first['metadata'] as JsonObject)['managedFields'] as unknown[];
    const managedFields = [...entries, { ...updater, fieldsV1: { 'f:data': { 'f:c': {} } } }];
    const live = configMapOf({ a: '1', b: '1', c: '1' }, { uid: 'u', managedFields });
    const one = refusal(() => applied(live, configMapOf({ c: '2' }), { manager: 'b' }));
    expect(one.message).toBe('Apply failed with 1 conflict: conflict with "kubectl" using v1: .data.c');
    const more = refusal(() => applied(live, configMapOf({ a: '2', b: '2', c: '2' }), { manager: 'b' }));
    expect(more.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'Apply failed with 3 conflicts: conflicts with "a":\n- .data.a\n- .data.b\nconflicts with "kubectl" using v1:\n- .data.c',
      reason: 'Conflict',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.a' },
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.b' },
          { reason: 'FieldManagerConflict', message: 'conflict with "kubectl" using v1', field: '.data.c' },
        ],
      },
      code: 409,
    });
  });

  it('takes over by force', () => {
    const first = applied(undefined, configMapOf({ a: '1', b: '1' })).object;
    const { object, managedFields } = applied(first, configMapOf({ a: '2' }), { manager: 'b', force: true });
    expect(object['data']).toEqual({ a: '2', b: '1' });
    expect(ownersOf(managedFields)).toEqual([
      ['a', 'Apply', at, { 'f:data': { 'f:b': {} } }],
      ['b', 'Apply', at, { 'f:data': { 'f:a': {} } }],
    ]);
  });

  it('says who had all before the first apply', () => {
    const { managedFields } = applied(configMapOf({ a: '1', b: '1' }, { uid: 'u' }), configMapOf({ a: '1' }));
    expect(ownersOf(managedFields)).toEqual([
      ['a', 'Apply', undefined, { 'f:data': { 'f:a': {} } }],
      ['before-first-apply', 'Update', at, { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }],
    ]);
  });

  it('lets kubectl take over what it applied from the client side, and keeps its annotation up to date', () => {
    const name = 'kubectl.kubernetes.io/last-applied-configuration';
    const annotations = { [name]: JSON.stringify(configMapOf({ a: '1' })) };
    const fieldsV1 = { 'f:data': { 'f:a': {}, 'f:b': {} } };
    const entry = {
      manager: 'kubectl-client-side-apply',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
    };
    const live = configMapOf({ a: '1', b: '1' }, { uid: 'u', annotations, managedFields: [{ ...entry, fieldsV1 }] });
    const { object } = applied(live, configMapOf({ a: '<2>' }), { manager: 'kubectl' });
    expect(object['metadata']).toMatchObject({
      annotations: {
        [name]: '{"apiVersion":"v1","data":{"a":"\\u003c2\\u003e"},"kind":"ConfigMap","metadata":{"name":"x"}}\n',
      },
    });
    const more = refusal(() => applied(live, configMapOf({ a: '2', b: '2' }), { manager: 'kubectl' }));
    expect(more.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.b',
    );
    expect(refusal(() => applied(live, configMapOf({ a: '2' }), { manager: 'other' })).code).toBe(409);
  });

  it.each<[string, JsonObject, number, string]>([
    ['another kind', { kind: 'Secret' }, 400, 'invalid object type: /v1, Kind=Secret'],
    ['another version', { apiVersion: 'apps/v1' }, 400, 'invalid object type: apps/v1, Kind=ConfigMap'],
    ['managedFields', { metadata: { managedFields: [] } }, 400, 'metadata.managedFields must be nil'],
    [
      'an undeclared field',
      { metadata: { name: 'x', namespace: 'n' }, foo: 1 },
      500,
      'failed to create typed patch object (n/x; /v1, Kind=ConfigMap): .foo: field not declared in schema',
    ],
    [
      'wrong types',
      { data: 'x', immutable: 'y' },
      500,
      'failed to create typed patch object (/x; /v1, Kind=ConfigMap): errors:\n  .data: expected map, got &{x}\n  .immutable: expected boolean, got &{y}',
    ],
    [
      'a wrong type in a map',
      { data: { a: { c: [1] } } },
      500,
      'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"c":[]interface {}{1}}}',
    ],
    [
      'duplicates',
      { metadata: { name: 'x', finalizers: ['a', 'a'] } },
      500,
      'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="a"]',
    ],
    [
      'a null element',
      { metadata: { name: 'x', ownerReferences: [null] } },
      500,
      'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .metadata.ownerReferences: element 0: associative list with keys may not have a null element',
    ],
  ])('refuses %s', (_, change, code, message) => {
    const error = refusal(() => applied(undefined, { ...configMapOf({}), ...change }));
    expect([error.code, error.message]).toEqual([code, message]);
  });

  it('does not change what it is given', () => {
    const live = applied(undefined, configMapOf({ a: '1', b: '1' })).object;
    const object = configMapOf({ b: '2' });
    const before = structuredClone([live, object]);
    applied(live, object);
    expect([live, object]).toEqual(before);
  });
});

describe('applyObject on lists', () => {
  /** Applies one spec after another, each by its manager, by force. */
  function appliedSpecs(...steps: readonly (readonly [string, JsonObject])[]): unknown {
    let live: JsonObject | undefined;
    for (const [manager, spec] of steps) {
      const object = { apiVersion: 'w/v1', kind: 'Widget', metadata: { name: 'x' }, spec };
      const empty = emptyCustomResource('w/v1', 'Widget');
      const context = { schema: widget, apiVersion: 'w/v1', kind: 'Widget', empty, now, force: true };
      const outcome = applyObject({ ...context, live, applied: object, manager });
      if (outcome.kind === 'conflict') throw outcome.error;
      live = stored(outcome.object);
    }
    return live?.['spec'];
  }
  const parts = (...names: string[]) => ({ parts: names.map((name) => ({ name })) });

  it.each<[string, readonly (readonly [string, JsonObject])[], unknown]>([
    [
      'keeps the applied order and the others in between',
      [
        ['a', parts('a', 'b', 'c', 'd')],
        ['b', parts('d', 'e', 'b')],
      ],
      parts('a', 'c', 'd', 'e', 'b'),
    ],
    [
      'unites sets',
      [
        ['a', { tags: ['a', 'b'] }],
        ['b', { tags: ['c', 'b'] }],
      ],
      { tags: ['a', 'c', 'b'] },
    ],
    [
      'replaces atomic lists and maps',
      [
        ['a', { list: ['a', 'b'], atomic: { a: '1' } }],
        ['b', { list: ['c'], atomic: { b: '1' } }],
      ],
      { list: ['c'], atomic: { b: '1' } },
    ],
    [
      'removes only its own of an element',
      [
        ['a', { parts: [{ name: 'x', image: 'i' }] }],
        ['b', { parts: [{ name: 'x', args: ['z'] }] }],
        ['a', {}],
      ],
      { parts: [{ name: 'x', args: ['z'] }] },
    ],
    [
      'counts a missing key as its default',
      [
        ['a', { parts: [{ name: 'x', ports: [{ port: 1, alias: 'p' }] }] }],
        ['b', { parts: [{ name: 'x', ports: [{ port: 1, protocol: 'TCP' }] }] }],
      ],
      { parts: [{ name: 'x', ports: [{ port: 1, alias: 'p', protocol: 'TCP' }] }] },
    ],
    [
      'merges free-form fields',
      [
        ['a', { free: { x: { y: [1], z: 1 } } }],
        ['b', { free: { x: { y: [2] } } }],
      ],
      { free: { x: { y: [2], z: 1 } } },
    ],
  ])('%s', (_, steps, expected) => {
    expect(appliedSpecs(...steps)).toEqual(expected);
  });
});
