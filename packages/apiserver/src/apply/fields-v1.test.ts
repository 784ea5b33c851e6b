import { jest } from '@jest/globals';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import { formatPath } from './path-element.ts';
import type { PathSet } from './path-set.ts';

const deployment = {
  'f:spec': {
    'f:replicas': {},
    'f:template': {
      'f:spec': {
        'f:containers': {
          'k:{"name":"c"}': {
            '.': {},
            'f:image': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
          },
        },
      },
    },
  },
};

describe('FieldsV1', () => {
  it.each([
    [deployment],
    [{ 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"x.io/a"': {} } } }],
    [{ 'f:a': { 'v:1': {}, 'v:true': {} }, 'f:b': { 'i:0': {}, 'i:10': { 'f:c': {} } } }],
    [{ 'f:__proto__': { 'f:constructor': {} } }],
    [{}],
  ])('encodes the decoded value to the original: %j', (fields) => {
    expect(JSON.stringify(encodeFieldsV1(decodeFieldsV1(fields)))).toBe(JSON.stringify(fields));
  });

  it("is decoded in any order and spelling, and encoded in the server's order", () => {
    const fields = { 'f:z': {}, 'k:{ "b": 1, "a": "x" }': {}, 'f:a': { 'f:c': {}, '.': {} } };
    expect(JSON.stringify(encodeFieldsV1(decodeFieldsV1(fields)))).toBe(
      '{"f:a":{".":{},"f:c":{}},"f:z":{},"k:{\\"a\\":\\"x\\",\\"b\\":1}":{}}',
    );
  });

  it('is shared if it is small, and is otherwise not written as a text to find out', () => {
    const fieldsOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f:field${index}`, {}]));
    const [small, large] = [fieldsOf(10), fieldsOf(1000)].map(decodeFieldsV1) as [PathSet, PathSet];
    expect(encodeFieldsV1(small)).toBe(encodeFieldsV1(small));
    const stringify = jest.spyOn(JSON, 'stringify');
    const encoded = encodeFieldsV1(large);
    const calls = stringify.mock.calls.length;
    stringify.mockRestore();
    expect([calls, Object.keys(encoded).length]).toEqual([0, 1000]);
  });

  it('includes a path if its object is empty or contains "."', () => {
    const paths = [...decodeFieldsV1({ 'f:a': { 'f:b': {} }, 'f:c': { '.': {}, 'f:d': {} } }).paths()];
    expect(paths.map(formatPath)).toEqual(['.c', '.a.b', '.c.d']);
  });

  it('drops elements of unknown kinds', () => {
    expect(decodeFieldsV1({ 'z:x': { 'f:a': {} } }).isEmpty).toBe(true);
  });

  it.each([
    [{ a: {} }],
    [{ fa: {} }],
    [{ 'k:[1]': {} }],
    [{ 'k:{': {} }],
    [{ 'v:x': {} }],
    [{ 'i:x': {} }],
    [{ 'f:a': 1 }],
    [[]],
  ])('rejects %j', (fields) => {
    expect(() => decodeFieldsV1(fields)).toThrow();
  });
});
