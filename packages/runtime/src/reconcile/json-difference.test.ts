import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { changedPaths, mergePatchOf, patchedPaths } from './json-difference.ts';

/** 200,000 levels. */
function nested(innermost: number): object {
  return JSON.parse(`${'{"a":['.repeat(100_000)}${innermost}${']}'.repeat(100_000)}`) as object;
}

describe('mergePatchOf()', () => {
  it('returns undefined if nothing differs', () => {
    expect(mergePatchOf({ a: { b: [1] } }, { a: { b: [1], c: undefined } })).toBeUndefined();
  });

  it('contains changed values, whole lists, and null for removed keys', () => {
    expect(
      mergePatchOf(
        { same: 1, list: [1], gone: 'x', deep: { same: 1, gone: {} } },
        { same: 1, list: [1, 2], deep: { same: 1, added: 2 } },
      ),
    ).toEqual({ list: [1, 2], gone: null, deep: { added: 2, gone: null } });
  });

  it('removes a key that is set to undefined', () => {
    expect(mergePatchOf({ address: '10.0.0.1' }, { address: undefined })).toEqual({ address: null });
  });
});

/** RFC 7386, section 2. */
function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatched(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}

describe('mergePatchOf() and null', () => {
  it.each<[JsonObject, JsonObject, JsonObject | undefined]>([
    [{}, { seen: null }, undefined],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 1, d: null }, e: null } }, undefined],
    [{ seen: null }, {}, undefined],
    [{ seen: 1 }, { seen: null }, { seen: null }],
    [{ a: { b: 1, c: 2 } }, { a: { b: null, c: 2 } }, { a: { b: null } }],
    [{}, { a: { b: null } }, { a: {} }],
    [{ a: null }, { a: { b: { c: null } } }, { a: { b: {} } }],
    [{ a: 1 }, { a: { b: null, c: 2 } }, { a: { c: 2 } }],
    [{ list: [1] }, { list: [null] }, { list: [null] }],
    [{ list: [{ a: null }] }, { list: [{ a: null }] }, undefined],
    [{ list: [{}] }, { list: [{ a: null }] }, { list: [{ a: null }] }],
  ])('turns %j into %j with the patch %j', (before, after, patch) => {
    expect(mergePatchOf(before, after)).toEqual(patch);
  });

  it('turns any value into any other, and is undefined for equal values', () => {
    const random = new SeededRandom(seed);
    const value = (depth: number): unknown => {
      const sort = random.integer(depth > 3 ? 4 : 7);
      if (sort < 2) return null;
      if (sort < 4) return random.integer(2);
      if (sort === 4) return Array.from({ length: random.integer(3) }, () => value(depth + 1));
      return object(depth + 1);
    };
    const object = (depth: number): JsonObject =>
      Object.fromEntries(
        ['a', 'b', '__proto__'].flatMap((key) => (random.integer(3) === 0 ? [] : [[key, value(depth)]])),
      );
    let same = 0;
    for (let round = 0; round < 1000; round++) {
      const before = object(0);
      const after = object(0);
      const patch = mergePatchOf(before, after);
      if (patch === undefined) same++;
      const place = `seed ${seed}: of ${JSON.stringify(before)} for ${JSON.stringify(after)}`;
      const made = patch === undefined ? before : mergePatched(before, patch);
      expect([place, withoutNulls(made)]).toEqual([place, withoutNulls(after)]);
      expect([place, patch === undefined]).toEqual([place, jsonEqual(withoutNulls(before), withoutNulls(after))]);
      expect([place, mergePatchOf(made as JsonObject, after)]).toEqual([place, undefined]);
    }
    expect(same).toBeGreaterThan(0);
  });
});

describe('changedPaths()', () => {
  it('returns the deepest paths and stops at its limit', () => {
    const before = { spec: { replicas: 1, template: { a: 1 } }, status: {} };
    const after = { spec: { replicas: 2, template: { a: 1 } }, status: { ready: 1 } };
    expect(changedPaths(before, after, 8)).toEqual(['spec.replicas', 'status.ready']);
    expect(changedPaths(before, after, 1)).toEqual(['spec.replicas']);
  });

  it('treats very deeply nested values as one value', () => {
    expect(changedPaths({ spec: nested(1) }, { spec: nested(1) }, 8)).toEqual([]);
    const [path = ''] = changedPaths({ spec: nested(1) }, { spec: nested(2) }, 8);
    expect(path).toBe('spec.a');
    let object: object = nested(1);
    let other: object = nested(2);
    for (let level = 0; level < 600; level++) [object, other] = [{ b: object }, { b: other }];
    expect(changedPaths(object, other, 8).map((deep) => deep.split('.').length)).toEqual([500]);
  });
});

describe('patchedPaths()', () => {
  it('returns the paths that a merge patch changes, without equal values', () => {
    const before = { spec: { replicas: 1, template: { a: 1 } }, status: { ready: 1, old: [1] } };
    const patch = { spec: { replicas: 2, template: { a: 1 } }, status: { ready: 1, old: null, never: null, new: {} } };
    expect(patchedPaths(before, patch, 8)).toEqual(['spec.replicas', 'status.old', 'status.new']);
    expect(patchedPaths(before, patch, 1)).toEqual(['spec.replicas']);
  });

  it('agrees with changedPaths() for patches of mergePatchOf()', () => {
    const before = { a: { b: 1, c: [1], d: { e: 1 } }, f: 1 };
    const after = { a: { b: 2, c: [1, 2], d: {} }, g: { h: 1 } };
    const patch = mergePatchOf(before, after);
    expect(patchedPaths(before, patch, 8).toSorted()).toEqual(changedPaths(before, after, 8).toSorted());
  });
});
