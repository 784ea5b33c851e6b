import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { ManagedFieldsEntry } from '@evenkeel/core';
import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { emptyBuiltIn, emptyCustomResource, withManagedFields } from './managed-object.ts';
import { PathSet } from './path-set.ts';
import { type ManagedUpdate, updateManagedFields } from './update-managed-fields.ts';
import { widgetSchema } from './widget.fixture.ts';

const now = new Date('2026-11-21T12:00:00Z');
const metadata = { name: 'x', namespace: 'default', uid: 'u', resourceVersion: '1', generation: 1, labels: { a: '1' } };
let configMap: SchemaNode;
let deployment: SchemaNode;
let widget: SchemaNode;

beforeAll(async () => {
  configMap = await schemaOf('io.k8s.api.core.v1.ConfigMap');
  deployment = await schemaOf('io.k8s.api.apps.v1.Deployment');
  widget = await widgetSchema('v1');
});

const configMapOf = (data: JsonObject, managedFields?: unknown): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...metadata, ...(managedFields === undefined ? {} : { managedFields }) },
  data,
});
const entry = (manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-11-20T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});
const update = (change: Partial<ManagedUpdate> & { live: JsonObject; updated: JsonObject }) =>
  updateManagedFields({ schema: configMap, apiVersion: 'v1', manager: 'm', now, ...change });

describe('updateManagedFields', () => {
  it('makes the creator of a built-in kind the owner of all fields that not every such object has', () => {
    const spec = {
      selector: { matchLabels: { a: 'b' } },
      strategy: { type: 'Recreate' },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', resources: {} }] } },
    };
    const entries = update({
      schema: deployment,
      apiVersion: 'apps/v1',
      ignored: PathSet.of(['status']),
      live: emptyBuiltIn('apps/v1', 'Deployment', deployment),
      updated: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec, status: { replicas: 1 } },
    });
    expect(entries).toEqual([
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'apps/v1',
        time: '2026-11-21T12:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            'f:selector': {},
            'f:strategy': { 'f:type': {} },
            'f:template': {
              'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
              'f:spec': {
                'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
              },
            },
          },
        },
      },
    ]);
  });

  it('makes the creator of a custom resource the owner of the spec itself too', () => {
    const entries = update({
      schema: widget,
      live: emptyCustomResource('v1', 'Widget'),
      updated: { apiVersion: 'v1', kind: 'Widget', metadata: { name: 'x' }, spec: { list: ['a'], tags: ['t'] } },
    });
    expect(entries?.[0]?.fieldsV1).toEqual({
      'f:spec': { '.': {}, 'f:list': {}, 'f:tags': { '.': {}, 'v:"t"': {} } },
    });
  });

  it('moves changed fields to their new owner, and drops removed fields and managers without fields', () => {
    const live = configMapOf({ a: '1', b: '1', c: '1' }, [
      entry('applier', { 'f:data': { 'f:a': {}, 'f:b': {} } }, { operation: 'Apply' }),
      entry('other', { 'f:data': { 'f:c': {} } }),
    ]);
    expect(update({ live, updated: withManagedFields(configMapOf({ a: '2', b: '1', d: '1' }), undefined) })).toEqual([
      entry('applier', { 'f:data': { 'f:b': {} } }, { operation: 'Apply' }),
      entry('m', { 'f:data': { 'f:a': {}, 'f:d': {} } }, { time: '2026-11-21T12:00:00Z' }),
    ]);
  });

  it('keeps all entries and their times if nothing changed', () => {
    const entries = [entry('m', { 'f:data': { 'f:a': {} } })];
    expect(update({ live: configMapOf({ a: '1' }, entries), updated: configMapOf({ a: '1' }, entries) })).toEqual(
      entries,
    );
  });

  it("merges a manager's fields with its earlier ones, except those of a subresource or another version", () => {
    const live = configMapOf({ a: '1', b: '1' }, [
      entry('m', { 'f:data': { 'f:a': {} } }),
      entry('m', { 'f:data': { 'f:b': {} } }, { subresource: 'status' }),
    ]);
    expect(update({ live, updated: configMapOf({ a: '1', b: '1', c: '1' }) })).toEqual([
      entry('m', { 'f:data': { 'f:b': {} } }, { subresource: 'status' }),
      entry('m', { 'f:data': { 'f:a': {}, 'f:c': {} } }, { time: '2026-11-21T12:00:00Z' }),
    ]);
  });

  it.each([[[]], [[{}]]])('resets to %j and stops tracking managers', (reset) => {
    const live = configMapOf({ a: '1' }, [entry('m', { 'f:data': { 'f:a': {} } })]);
    expect(update({ live, updated: configMapOf({ a: '2' }, reset) })).toBeUndefined();
    expect(update({ live: configMapOf({ a: '2' }), updated: configMapOf({ a: '3' }) })).toBeUndefined();
  });

  it('ignores managedFields in a request to a subresource', () => {
    const entries = [entry('m', { 'f:data': { 'f:a': {} } })];
    const live = configMapOf({ a: '1' }, entries);
    expect(update({ live, updated: configMapOf({ a: '1' }, []), subresource: 'status' })).toEqual(entries);
  });

  it('keeps the live entries if those of the request are invalid', () => {
    const entries = [entry('m', { 'f:data': { 'f:a': {} } })];
    const live = configMapOf({ a: '1' }, entries);
    for (const broken of [null, [{ manager: 'x' }], 'x', [entry('x', { nonsense: {} })]]) {
      expect(update({ live, updated: configMapOf({ a: '1' }, broken) })).toEqual(entries);
    }
  });

  it('drops entries of versions that are not served', () => {
    const live = configMapOf({ a: '1' }, [entry('old', { 'f:data': { 'f:a': {} } }, { apiVersion: 'v0' })]);
    expect(update({ live, updated: configMapOf({ a: '1' }) })).toBeUndefined();
  });

  it('drops all entries if an object does not fit its schema', () => {
    const live = configMapOf({}, [entry('old', { 'f:data': { 'f:a': {} } })]);
    expect(update({ schema: widget, live, updated: { ...live, spec: { count: 'x' } } })).toBeUndefined();
  });

  it('replaces paths below a part that has become atomic by the path of the part', () => {
    const { data: _, ...object } = configMapOf({});
    const live = { ...object, spec: { atomic: { a: '1' }, count: 1 } };
    const owned = [entry('old', { 'f:spec': { 'f:atomic': { '.': {}, 'f:a': {} } } })];
    const updated = { ...live, spec: { ...live.spec, count: 2 } };
    const entries = update({ schema: widget, live: withManagedFields(live, owned), updated });
    expect(entries?.[0]?.fieldsV1).toEqual({ 'f:spec': { 'f:atomic': {} } });
  });

  it('merges the oldest updates into one entry and keeps at most ten', () => {
    let live = configMapOf({});
    for (let i = 0; i < 14; i++) {
      const updated = configMapOf({ ...(live['data'] as JsonObject), [`k${i}`]: '1' });
      const isFirst = i === 0;
      const entries = update({
        live: isFirst ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} } : live,
        updated: withManagedFields(updated, undefined),
        manager: `m${i + 10}`,
        now: new Date(now.getTime() + i * 1000),
      });
      live = withManagedFields(updated, entries);
    }
    const entries = (live['metadata'] as { managedFields: ManagedFieldsEntry[] }).managedFields;
    expect(entries.map(({ manager }) => manager)).toEqual([
      'ancient-changes',
      ...Array.from({ length: 9 }, (_, i) => `m${i + 15}`),
    ]);
    const ancient = entries[0]?.fieldsV1?.['f:data'];
    expect(isJsonObject(ancient) && Object.keys(ancient)).toEqual(['.', 'f:k0', 'f:k1', 'f:k2', 'f:k3', 'f:k4']);
  });

  it('stops tracking an object that does not fit its schema', () => {
    const live = configMapOf({ a: '1' }, [entry('m', { 'f:data': { 'f:a': {} } })]);
    expect(update({ live, updated: { ...configMapOf({ a: '1' }), foo: 1 } })).toBeUndefined();
  });

  it('treats __proto__ as an ordinary key', () => {
    const data = JSON.parse('{"__proto__":"1","constructor":"2"}') as JsonObject;
    const entries = update({ live: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }, updated: configMapOf(data) });
    expect(JSON.stringify(entries?.[0]?.fieldsV1?.['f:data'])).toBe('{".":{},"f:__proto__":{},"f:constructor":{}}');
  });
});
