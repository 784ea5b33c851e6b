import { jsonCopy } from './json-copy.ts';
import { jsonEqual } from './json-difference.ts';

describe('jsonCopy', () => {
  it('returns the same JSON and shares nothing with it', () => {
    const value = { a: [1, { b: null }], c: 'text', d: true };
    const copy = jsonCopy(value);

    expect(copy).toEqual(value);
    copy.a.push(2);
    (copy.a[1] as { b: unknown }).b = 'changed';
    expect(value).toEqual({ a: [1, { b: null }], c: 'text', d: true });
  });

  it('copies the key __proto__ as an ordinary key', () => {
    const copy = jsonCopy(JSON.parse('{"__proto__":{"isAdmin":true}}') as object);

    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect((copy as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('returns a mutable copy of a frozen value', () => {
    const copy = jsonCopy(Object.freeze({ list: Object.freeze([1]) }) as { list: number[] });

    copy.list.push(2);
    expect(copy.list).toEqual([1, 2]);
  });

  it('copies values that are too deeply nested for recursion', () => {
    const text = `${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`;
    const value = JSON.parse(text) as object;
    const copy = jsonCopy(value);

    expect(jsonEqual(copy, value)).toBe(true);
    let [inner, last] = [copy as { a?: [object] }, value as { a?: [object] }];
    while (typeof inner === 'object' && inner.a !== undefined) {
      if (inner === last) throw new Error('shared');
      [inner, last] = [inner.a[0], last.a?.[0] ?? {}];
    }
    expect(inner).toBe(1);
  });
});
