import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { fieldTypeOf } from './field-type.ts';
import { decodeFieldsV1 } from './fields-v1.ts';
import { pathSetOf } from './paths-of-object.ts';
import { extractFields, removeFields } from './remove-fields.ts';
import { widgetSchema } from './widget.fixture.ts';

let schema: SchemaNode;
beforeAll(async () => {
  schema = await widgetSchema('v1');
});

const object = {
  spec: {
    count: 1,
    tags: ['a', 'b'],
    list: ['l'],
    parts: [{ name: 'x', image: 'i' }, { name: 'y' }],
    nested: { a: '1', deep: { c: '1' } },
  },
};
const set = (spec: object) => decodeFieldsV1({ 'f:spec': spec });

describe('removeFields and extractFields', () => {
  it.each([
    ['a field', { 'f:count': {} }, { ...object.spec, count: undefined }, { count: 1 }],
    ['an element of a set', { 'f:tags': { 'v:"a"': {} } }, { ...object.spec, tags: ['b'] }, { tags: ['a'] }],
    [
      'a field of an element',
      { 'f:parts': { 'k:{"name":"x"}': { 'f:image': {} } } },
      { ...object.spec, parts: [{ name: 'x' }, { name: 'y' }] },
      { parts: [{ image: 'i' }] },
    ],
    [
      'all fields of an object',
      { 'f:nested': { 'f:deep': { 'f:c': {} } } },
      { ...object.spec, nested: { a: '1', deep: null } },
      { nested: { deep: { c: '1' } } },
    ],
    ['a part of an atomic list', { 'f:list': { 'i:0': {} } }, { ...object.spec, list: null }, { list: ['l'] }],
  ])('split an object by %s', (_, paths, without, only) => {
    expect(removeFields(object, set(paths), fieldTypeOf(schema))).toEqual({ spec: without });
    expect(extractFields(object, set(paths), schema)).toEqual({ spec: only });
  });

  it('share unchanged parts', () => {
    const left = removeFields(object, set({ 'f:count': {} }), fieldTypeOf(schema)) as typeof object;
    expect(left.spec.parts).toBe(object.spec.parts);
    expect(removeFields(object, set({ 'f:nothing': {} }), fieldTypeOf(schema))).toBe(object);
  });

  it('return the whole object for all of its paths', () => {
    expect(extractFields(object, pathSetOf(object, schema), schema)).toEqual(object);
    expect(extractFields(object, set({ 'f:title': {} }), schema)).toBeUndefined();
  });
});
