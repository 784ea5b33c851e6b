import { applyMergePatch } from './merge-patch.ts';

describe('applyMergePatch', () => {
  it.each([
    ['sets, changes and removes keys', { a: 1, b: 2 }, { a: null, b: 3, c: 4 }, { b: 3, c: 4 }],
    ['merges objects', { a: { b: 1, c: 2 } }, { a: { c: null, d: 3 } }, { a: { b: 1, d: 3 } }],
    ['replaces a whole array', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    [
      'replaces a scalar by an object without its nulls',
      { a: 1 },
      { a: { b: null, c: [{ d: null }, null] } },
      { a: { c: [{}, null] } },
    ],
    ['keeps nulls in an array that replaces an object', { a: { b: 1 } }, { a: [{ c: null }] }, { a: [{ c: null }] }],
    ['ignores the removal of a missing key', { a: 1 }, { b: null }, { a: 1 }],
  ])('%s', (_, original, patch, expected) => {
    const before = structuredClone(original);
    expect(applyMergePatch(original, patch)).toEqual(expected);
    expect(original).toEqual(before);
  });

  it('shares unchanged parts with the original', () => {
    const original = { spec: { a: 1 }, status: {} };
    expect(applyMergePatch(original, { status: { b: 1 } })['spec']).toBe(original.spec);
  });

  it('treats __proto__ as an ordinary key', () => {
    const merged = applyMergePatch({ data: {} }, JSON.parse('{"data":{"__proto__":{"x":1},"constructor":{"y":1}}}'));
    expect(Object.keys(merged['data'] as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect((Object as unknown as Record<string, unknown>)['y']).toBeUndefined();
  });

  it.each([
    [null, 'Invalid JSON Patch'],
    [[1], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['x', 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}'],
  ])('rejects %j', (patch, message) => {
    expect(() => applyMergePatch({}, patch)).toThrow(message);
  });
});
