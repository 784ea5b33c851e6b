import { appliedFieldsOf } from './applied-fields.ts';
import { ObjectDecoder } from './object-decoder.ts';

const resource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

function entry(manager: string, fieldsV1: object, other: object = {}): object {
  return { manager, operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1, ...other };
}

function decoded(managers: readonly string[], managedFields: unknown, metadata: object = {}) {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', managedFields, ...metadata }, data: {} };
  const event = new ObjectDecoder(resource, { managers: new Set(managers) }).watchEvent(
    Buffer.from(JSON.stringify({ type: 'ADDED', object })),
  );
  if (event.type !== 'ADDED') throw new Error(event.type);
  return event.object;
}

const ofWebsite = {
  'f:data': { 'f:a': {} },
  'f:metadata': { 'f:labels': { 'f:app': {} }, 'f:ownerReferences': { 'k:{"uid":"u-1"}': {} } },
};

describe('appliedFieldsOf', () => {
  it('returns the fields of registered managers, and the object has no managedFields', () => {
    const object = decoded(['website', 'absent'], [entry('kubectl', { 'f:data': {} }), entry('website', ofWebsite)]);
    expect(appliedFieldsOf(object, 'website')).toEqual({
      manager: 'website',
      fields: { 'f:data': { 'f:a': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } },
      references: ['u-1'],
    });
    expect(appliedFieldsOf(object, 'kubectl')).toBeUndefined();
    expect(appliedFieldsOf(object, 'absent')).toBeUndefined();
    expect(object).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: {} });
    expect(JSON.stringify(object)).not.toContain('f:data');
  });

  it('returns the same value for equal fields', () => {
    const decoder = new ObjectDecoder(resource, { managers: new Set(['website']) });
    const read = (name: string, uid: string) => {
      const fields = JSON.parse(JSON.stringify(ofWebsite).replace('u-1', uid)) as object;
      const object = { metadata: { name, managedFields: [entry('website', fields)] } };
      const event = decoder.watchEvent(Buffer.from(JSON.stringify({ type: 'ADDED', object })));
      return event.type === 'ADDED' ? appliedFieldsOf(event.object, 'website') : undefined;
    };
    const [one, other] = [read('a', 'u-1'), read('b', 'u-2')];
    expect(one?.fields).toBe(other?.fields);
    expect(other?.references).toEqual(['u-2']);
  });

  it.each([
    ['an update, which is not an apply', [entry('website', ofWebsite, { operation: 'Update' })]],
    ['the apply of a subresource', [entry('website', ofWebsite, { subresource: 'status' })]],
    ['an entry without fields', [entry('website', ofWebsite, { fieldsV1: null })]],
    ['nothing', undefined],
    ['a value that is not a list', { manager: 'website' }],
    ['invalid entries', [null, 7, 'website']],
  ])('ignores %s', (_what, managedFields) => {
    expect(appliedFieldsOf(decoded(['website'], managedFields), 'website')).toBeUndefined();
  });

  it('reads managedFields that were not removed from the JSON', () => {
    const text = `{"type":"ADDED","object":{"metadata":{"name":"a","managed\\u0046ields":${JSON.stringify([entry('website', ofWebsite)])}}}}`;
    const event = new ObjectDecoder(resource, { managers: new Set(['website']) }).watchEvent(Buffer.from(text));
    expect(event.type === 'ADDED' && appliedFieldsOf(event.object, 'website')?.references).toEqual(['u-1']);
    expect(event.type === 'ADDED' && event.object.metadata).toEqual({ name: 'a' });
  });
});
