import { isSameContent } from './same-content.ts';

const object = (): object => ({ metadata: { name: 'a' }, spec: { list: [1, null, { deep: '' }], map: {} } });

describe('isSameContent', () => {
  it('finds what says the same, whatever its order, prototype and frozenness', () => {
    const { metadata, spec } = object() as { metadata: object; spec: object };
    class Kind {}
    const handedOut = Object.freeze(Object.setPrototypeOf({ spec, metadata }, Kind.prototype) as object);
    expect(isSameContent(object(), handedOut)).toBe(true);
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
    expect([isSameContent(left, right), isSameContent(right, left)]).toEqual([false, false]);
  });

  it('compares what nests deeper than a stack', () => {
    const nested = (inmost: string): object => {
      let value: object = { inmost };
      for (let depth = 0; depth < 100_000; depth++) value = { value };
      return value;
    };
    expect(isSameContent(nested('a'), nested('a'))).toBe(true);
    expect(isSameContent(nested('a'), nested('b'))).toBe(false);
  });
});
