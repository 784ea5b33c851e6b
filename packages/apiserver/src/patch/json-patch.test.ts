import { StatusError } from '@evenkeel/core';
import { applyJsonPatch, jsonPatchOperationsMax } from './json-patch.ts';

const original = () => ({
  metadata: { name: 'p1', labels: { 'a/b': '1', 'c~d': '2' }, finalizers: ['x.io/a', 'x.io/b'] },
  data: { a: '1', b: null as string | null },
});

function refused(run: () => unknown): StatusError {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('applyJsonPatch', () => {
  it.each([
    ['adds a key', [{ op: 'add', path: '/data/n', value: '1' }], 'data', { a: '1', b: null, n: '1' }],
    ['adds null if an add has no value', [{ op: 'add', path: '/data/n' }], 'data', { a: '1', b: null, n: null }],
    ['removes a key whose value is null', [{ op: 'remove', path: '/data/b' }], 'data', { a: '1' }],
    [
      'sets a missing key on replace',
      [{ op: 'replace', path: '/data/z', value: 1 }],
      'data',
      { a: '1', b: null, z: 1 },
    ],
    [
      'copies null from a missing key',
      [{ op: 'copy', from: '/data/q', path: '/data/a' }],
      'data',
      { a: null, b: null },
    ],
    ['moves a value', [{ op: 'move', from: '/data/a', path: '/data/c' }], 'data', { b: null, c: '1' }],
    [
      'decodes ~1 and ~0 in one pass',
      [
        { op: 'remove', path: '/metadata/labels/a~1b' },
        { op: 'move', from: '/metadata/labels/c~0d', path: '/data/~01' },
      ],
      'data',
      { a: '1', b: null, '~1': '2' },
    ],
    ['ignores everything before the first slash', [{ op: 'remove', path: 'x/data/a' }], 'data', { b: null }],
    [
      'treats null and a missing value as equal in a test',
      [
        { op: 'test', path: '/data/b', value: null },
        { op: 'test', path: '/data/none' },
        { op: 'remove', path: '/data/b' },
      ],
      'data',
      { a: '1' },
    ],
  ])('%s', (_, patch, field, expected) => {
    expect((applyJsonPatch(original(), patch) as Record<string, unknown>)[field]).toEqual(expected);
  });

  it.each([
    ['at an index', '0', ['n', 'x.io/a', 'x.io/b']],
    ['at the end', '-', ['x.io/a', 'x.io/b', 'n']],
    ['after the last element by the length as index', '2', ['x.io/a', 'x.io/b', 'n']],
    ['by an index from the end', '-1', ['x.io/a', 'x.io/b', 'n']],
    ['at the start by an index from the end', '-3', ['n', 'x.io/a', 'x.io/b']],
  ])('inserts into an array %s', (_, index, expected) => {
    const patched = applyJsonPatch(original(), [{ op: 'add', path: `/metadata/finalizers/${index}`, value: 'n' }]);
    expect(patched).toMatchObject({ metadata: { finalizers: expected } });
  });

  it.each([
    [{ a: 1 }, 400, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [['x'], 400, 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 'add', path: 1 }],
      400,
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ],
    [[null], 422, 'the server rejected our request due to an error in our request'],
    [[{ path: '/data' }], 422, 'the server rejected our request due to an error in our request'],
    [
      [{ op: 'test', path: '/data/a', value: '2' }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    [[{ op: 'add', path: '', value: {} }], 422, 'the server rejected our request due to an error in our request'],
    [[{ op: 'add', path: '/x/y/z', value: 1 }], 422, 'the server rejected our request due to an error in our request'],
    [
      [{ op: 'add', path: '/data/b/z', value: 1 }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    [[{ op: 'remove', path: '/data/z' }], 422, 'the server rejected our request due to an error in our request'],
    [
      [{ op: 'move', from: '/data/z', path: '/data/y' }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      [{ op: 'add', path: '/metadata/finalizers/3', value: 'n' }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      [{ op: 'replace', path: '/metadata/finalizers/-', value: 'n' }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    [[{ op: 'replace', path: '', value: 1 }], 422, 'the server rejected our request due to an error in our request'],
    [
      Array.from({ length: jsonPatchOperationsMax + 1 }, () => null),
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ],
  ])('rejects %j', (patch, code, message) => {
    const error = refused(() => applyJsonPatch(original(), patch));
    expect([error.code, error.message]).toEqual([code, message]);
  });

  it('changes neither the original nor the patch, and shares unchanged parts', () => {
    const before = original();
    const value = { list: [1] };
    const patched = applyJsonPatch(before, [
      { op: 'add', path: '/data/v', value },
      { op: 'copy', from: '/data/v', path: '/data/w' },
      { op: 'add', path: '/data/v/list/-', value: 2 },
      { op: 'add', path: '/data/w/list/-', value: 3 },
    ]) as ReturnType<typeof original>;
    expect(patched.data).toEqual({ a: '1', b: null, v: { list: [1, 2] }, w: { list: [1, 3] } });
    expect(patched.metadata).toBe(before.metadata);
    expect([before, value]).toEqual([original(), { list: [1] }]);
  });

  it('limits the size of copies of copies', () => {
    const doubling = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/${i}` }));
    expect(refused(() => applyJsonPatch(original(), doubling)).code).toBe(422);
  });

  it('never changes an object prototype', () => {
    const patch = JSON.parse('[{"op":"add","path":"/data/__proto__","value":{"polluted":1}}]');
    const patched = applyJsonPatch(original(), patch) as ReturnType<typeof original>;
    expect(Object.keys(patched.data)).toContain('__proto__');
    expect((patched.data as Record<string, unknown>)['polluted']).toBeUndefined();
    const through = [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }];
    expect(refused(() => applyJsonPatch(original(), through)).code).toBe(422);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
