import { jsonCopy } from './json-copy.ts';
import { jsonEqual } from './json-difference.ts';

describe('jsonCopy', () => {
  it('gives the same JSON, of which nothing is shared', () => {
    const value = { a: [1, { b: null }], c: 'text', d: true };
    const copy = jsonCopy(value);

    expect(copy).toEqual(value);
    copy.a.push(2);
    (copy.a[1] as { b: unknown }).b = 'changed';
    expect(value).toEqual({ a: [1, { b: null }], c: 'text', d: true });
  });

  it('keeps a key that would be a prototype as a key', () => {
    const copy = jsonCopy(JSON.parse('{"__proto__":{"isAdmin":true}}') as object);

    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect((copy as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('copies what is frozen into what may be changed', () => {
    const copy = jsonCopy(Object.freeze({ list: Object.freeze([1]) }) as { list: number[] });

    copy.list.push(2);
    expect(copy.list).toEqual([1, 2]);
  });

  it('copies what is nested deeper than any stack reaches', () => {
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
