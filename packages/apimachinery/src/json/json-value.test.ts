import { copyJson, jsonEqual } from './json-value.ts';

/** 200,000 levels. */
function nested(innermost: number): object {
  return JSON.parse(`${'{"a":['.repeat(100_000)}${innermost}${']}'.repeat(100_000)}`) as object;
}

const object = (): object => ({ metadata: { name: 'a' }, spec: { list: [1, null, { deep: '' }], map: {} } });

describe('jsonEqual()', () => {
  it('ignores the order of keys and takes undefined for absent', () => {
    expect(jsonEqual({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1, d: undefined })).toBe(true);
    expect(jsonEqual({ a: undefined }, { b: 1 })).toBe(false);
    expect(jsonEqual({ toString: 1 }, {})).toBe(false);
    expect(jsonEqual({}, { toString: 1 })).toBe(false);
    expect(jsonEqual({ a: undefined }, { a: 1 })).toBe(false);
    expect(jsonEqual({ a: 1 }, { a: 1, b: undefined, c: undefined })).toBe(true);
    expect(jsonEqual({ a: 1, b: undefined }, { a: 1, b: 2 })).toBe(false);
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
  });

  it('compares what is nested deeper than any stack reaches', () => {
    expect(jsonEqual(nested(1), nested(1))).toBe(true);
    expect(jsonEqual(nested(1), nested(2))).toBe(false);
  });

  it('finds what says the same, whatever its order, prototype and frozenness', () => {
    const { metadata, spec } = object() as { metadata: object; spec: object };
    class Kind {}
    const handedOut = Object.freeze(Object.setPrototypeOf({ spec, metadata }, Kind.prototype) as object);
    expect(jsonEqual(object(), handedOut)).toBe(true);
  });

  it.each<[string, object, object]>([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }],
    ['a member more', { a: {} }, { a: { b: 1 } }],
    ['a member less', { a: { b: 1 } }, { a: {} }],
    ['a member under another name', { a: { b: 1 } }, { a: { c: 1 } }],
    ['a member that only a prototype has', { valueOf: Object.prototype.valueOf }, { a: 1 }],
    ['null for an object', { a: {} }, { a: null }],
    ['a list for a map', { a: [] }, { a: {} }],
    ['a longer list', { a: [1] }, { a: [1, 2] }],
    ['a list in another order', { a: [1, 2] }, { a: [2, 1] }],
  ])('tells apart: %s', (_, left, right) => {
    expect([jsonEqual(left, right), jsonEqual(right, left)]).toEqual([false, false]);
  });

  it('compares what nests deeper than a stack', () => {
    const nested = (inmost: string): object => {
      let value: object = { inmost };
      for (let depth = 0; depth < 100_000; depth++) value = { value };
      return value;
    };
    expect(jsonEqual(nested('a'), nested('a'))).toBe(true);
    expect(jsonEqual(nested('a'), nested('b'))).toBe(false);
  });

  it('takes a bigint for the number of the same value, and nothing else', () => {
    expect(jsonEqual({ a: 1n }, { a: 1 })).toBe(true);
    expect(jsonEqual({ a: 2n ** 60n }, { a: 2n ** 60n })).toBe(true);
    expect([jsonEqual(1n, '1'), jsonEqual([1n], [true]), jsonEqual(1n, 2)]).toEqual([false, false, false]);
  });
});

describe('copyJson()', () => {
  it('gives the same JSON, of which nothing is shared', () => {
    const value = { a: [1, { b: null }], c: 'text', d: true };
    const copy = copyJson(value);

    expect(copy).toEqual(value);
    copy.a.push(2);
    (copy.a[1] as { b: unknown }).b = 'changed';
    expect(value).toEqual({ a: [1, { b: null }], c: 'text', d: true });
  });

  it('keeps a key that would be a prototype as a key', () => {
    const copy = copyJson(JSON.parse('{"__proto__":{"isAdmin":true}}') as object);

    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect((copy as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('copies what is frozen into what may be changed', () => {
    const copy = copyJson(Object.freeze({ list: Object.freeze([1]) }) as { list: number[] });

    copy.list.push(2);
    expect(copy.list).toEqual([1, 2]);
  });

  it('copies what is nested deeper than any stack reaches', () => {
    const text = `${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`;
    const value = JSON.parse(text) as object;
    const copy = copyJson(value);

    expect(jsonEqual(copy, value)).toBe(true);
    let [inner, last] = [copy as { a?: [object] }, value as { a?: [object] }];
    while (typeof inner === 'object' && inner.a !== undefined) {
      if (inner === last) throw new Error('shared');
      [inner, last] = [inner.a[0], last.a?.[0] ?? {}];
    }
    expect(inner).toBe(1);
  });
});
