import { changedPaths, jsonEqual, mergePatchOf } from './json-difference.ts';

/** 200,000 levels. */
function nested(innermost: number): object {
  return JSON.parse(`${'{"a":['.repeat(100_000)}${innermost}${']}'.repeat(100_000)}`) as object;
}

describe('jsonEqual()', () => {
  it('ignores the order of keys and takes undefined for absent', () => {
    expect(jsonEqual({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1, d: undefined })).toBe(true);
    expect(jsonEqual({ a: undefined }, { b: 1 })).toBe(false);
    expect(jsonEqual({ toString: 1 }, {})).toBe(false);
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
  });

  it('compares what is nested deeper than any stack reaches', () => {
    expect(jsonEqual(nested(1), nested(1))).toBe(true);
    expect(jsonEqual(nested(1), nested(2))).toBe(false);
  });
});

describe('mergePatchOf()', () => {
  it('is undefined where nothing differs', () => {
    expect(mergePatchOf({ a: { b: [1] } }, { a: { b: [1], c: undefined } })).toBeUndefined();
  });

  it('gives changed values, lists whole, and null for what is gone', () => {
    expect(
      mergePatchOf(
        { same: 1, list: [1], gone: 'x', deep: { same: 1, gone: {} } },
        { same: 1, list: [1, 2], deep: { same: 1, added: 2 } },
      ),
    ).toEqual({ list: [1, 2], gone: null, deep: { added: 2, gone: null } });
  });

  it('takes a key that a status sets to undefined away', () => {
    expect(mergePatchOf({ address: '10.0.0.1' }, { address: undefined })).toEqual({ address: null });
  });
});

describe('changedPaths()', () => {
  it('names the deepest paths and stops at its limit', () => {
    const before = { spec: { replicas: 1, template: { a: 1 } }, status: {} };
    const after = { spec: { replicas: 2, template: { a: 1 } }, status: { ready: 1 } };
    expect(changedPaths(before, after, 8)).toEqual(['spec.replicas', 'status.ready']);
    expect(changedPaths(before, after, 1)).toEqual(['spec.replicas']);
  });

  it('takes what is nested very deeply for one value', () => {
    expect(changedPaths({ spec: nested(1) }, { spec: nested(1) }, 8)).toEqual([]);
    const [path = ''] = changedPaths({ spec: nested(1) }, { spec: nested(2) }, 8);
    expect(path).toBe('spec.a');
    let object: object = nested(1);
    let other: object = nested(2);
    for (let level = 0; level < 600; level++) [object, other] = [{ b: object }, { b: other }];
    expect(changedPaths(object, other, 8).map((deep) => deep.split('.').length)).toEqual([500]);
  });
});
