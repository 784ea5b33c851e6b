import type { StatusError } from '@evenkeel/core';
import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const text: SchemaNode = { type: 'string' };
const merged = (key: string, items: SchemaNode, strategy = 'merge'): SchemaNode => ({
  type: 'array',
  items,
  'x-kubernetes-patch-strategy': strategy,
  'x-kubernetes-patch-merge-key': key,
});
const schema: SchemaNode = {
  [schemaDefinition]: 'com.example.v1.Thing',
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: text },
    finalizers: { type: 'array', items: text, 'x-kubernetes-patch-strategy': 'merge' },
    containers: merged('name', {
      type: 'object',
      properties: {
        name: text,
        image: text,
        args: { type: 'array', items: text },
        env: merged('name', { type: 'object', properties: { name: text, value: text } }),
      },
    }),
    volumes: merged('name', { type: 'object', properties: { name: text } }, 'merge,retainKeys'),
    strategy: {
      type: 'object',
      properties: { type: text, rollingUpdate: { type: 'object' } },
      'x-kubernetes-patch-strategy': 'retainKeys',
    },
    whole: { type: 'object', properties: { a: text }, 'x-kubernetes-patch-strategy': 'replace' },
    nested: { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'object' } } },
  },
};
const original = {
  data: { a: '1', b: '2' },
  finalizers: ['f1', 'f2', 'f3'],
  containers: [
    { name: 'c1', image: 'i1', args: ['x'], env: [{ name: 'e', value: '1' }] },
    { name: 'c2', image: 'i2' },
  ],
  volumes: [{ name: 'v', emptyDir: {} }],
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
  whole: { a: '1', b: '2' },
  nested: { a: { b: {} } },
};

describe('applyStrategicMergePatch', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['merges an object and removes nulls', { data: { a: null, c: '3' } }, { data: { b: '2', c: '3' } }],
    [
      'merges lists of primitives, keeping the server order around the patch',
      { finalizers: ['f4', 'f2'] },
      { finalizers: ['f4', 'f1', 'f2', 'f3'] },
    ],
    [
      'removes from a list of primitives',
      { '$deleteFromPrimitiveList/finalizers': ['f2', 'zz'] },
      { finalizers: ['f1', 'f3'] },
    ],
    [
      'orders a list of primitives',
      { '$setElementOrder/finalizers': ['f3', 'f1'] },
      { finalizers: ['f2', 'f3', 'f1'] },
    ],
    [
      'merges list elements by key',
      { containers: [{ name: 'c2', image: 'new' }] },
      { containers: [original.containers[0], { name: 'c2', image: 'new' }] },
    ],
    [
      'appends an element with a new key',
      { containers: [{ name: 'c0' }] },
      { containers: [{ name: 'c0' }, ...original.containers] },
    ],
    [
      'replaces a list without a strategy',
      { containers: [{ name: 'c1', args: ['y', 'z'] }] },
      { containers: [{ ...original.containers[0], args: ['y', 'z'] }, original.containers[1]] },
    ],
    [
      'deletes an element',
      { containers: [{ name: 'c1', $patch: 'delete' }] },
      { containers: [original.containers[1]] },
    ],
    ['replaces a whole list', { containers: [{ $patch: 'replace' }, { name: 'n' }] }, { containers: [{ name: 'n' }] }],
    [
      'orders list elements',
      { '$setElementOrder/containers': [{ name: 'c2' }, { name: 'c1' }], containers: [{ name: 'c1', image: 'z' }] },
      { containers: [original.containers[1], { ...original.containers[0], image: 'z' }] },
    ],
    [
      'drops keys that are not in $retainKeys',
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      'drops keys that are not in $retainKeys from list elements',
      { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: {} }] },
      { volumes: [{ name: 'v', hostPath: {} }] },
    ],
    ['replaces an object with $patch: replace', { data: { $patch: 'replace', z: '1' } }, { data: { z: '1' } }],
    ['empties an object with $patch: delete', { data: { $patch: 'delete' } }, { data: {} }],
    ['replaces an object by its strategy', { whole: { c: '3' } }, { whole: { c: '3' } }],
    [
      'drops directives and nulls from new values',
      { other: { $patch: 'delete' }, more: { a: null, b: [{ $patch: 'delete' }, { c: null, d: 1 }] } },
      { more: { b: [{ d: 1 }] } },
    ],
  ])('%s', (_, patch, changed) => {
    const before = structuredClone([original, patch]);
    const result = applyStrategicMergePatch(original, patch, schema);
    expect(result).toEqual({ ...original, ...changed });
    expect([original, patch]).toEqual(before);
  });

  it('shares unchanged parts with the original', () => {
    expect(applyStrategicMergePatch(original, { data: { z: '1' } }, schema)['containers']).toBe(original.containers);
  });

  it.each<[unknown, number, string]>([
    [[1], 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [{ $deleteFromPrimitiveList: ['a'] }, 400, 'invalid patch format of primitive list'],
    [{ strategy: { $retainKeys: ['x'], type: 'y' } }, 400, 'invalid patch format of retainKeys'],
    [{ strategy: { $retainKeys: 'x' } }, 400, 'invalid patch format of retainKeys'],
    [{ data: { $patch: 'foo' } }, 500, 'unknown patch type: foo in map: map[$patch:foo]'],
    [{ '$setElementOrder/finalizers': 'x' }, 500, 'expected a []interface {}, but received a string'],
    [
      { '$setElementOrder/finalizers': ['f2'], finalizers: ['f9'] },
      500,
      "The order in patch list:\n[f9]\n doesn't match $setElementOrder list:\n[f2]\n",
    ],
    [{ finalizers: [1] }, 500, 'list element types are not identical: [[f1 f2 f3] [1]]'],
    [{ containers: [{ image: 'x' }] }, 500, 'map: map[image:x] does not contain declared merge key: name'],
    [{ containers: [{ name: 'c1', $patch: 'merge' }] }, 500, 'merging lists cannot yet be specified in the patch'],
    [{ '$setElementOrder/zz': [] }, 500, 'unable to find api field in struct Thing for the json field "zz"'],
    [{ nested: { a: { b: {} } } }, 500, 'merging an object in json but data type is not struct, instead is: map'],
  ])('rejects %j', (patch, code, message) => {
    let error: StatusError | undefined;
    try {
      applyStrategicMergePatch(original, patch, schema);
    } catch (caught) {
      error = caught as StatusError;
    }
    expect([error?.code, error?.message]).toEqual([code, message]);
  });
});
