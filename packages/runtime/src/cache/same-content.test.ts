import { isSameContent } from './same-content.ts';

const object = (): object => ({ metadata: { name: 'a' }, spec: { list: [1, null, { deep: '' }], map: {} } });

describe('isSameContent', () => {
  it('returns true for equal content, ignoring order, prototype and freezing', () => {
    const { metadata, spec } = object() as { metadata: object; spec: object };
    class Kind {}
    const handedOut = Object.freeze(Object.setPrototypeOf({ spec, metadata }, Kind.prototype) as object);
    expect(isSameContent(object(), handedOut)).toBe(true);
  });

  it.each<[string, object, object]>([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }],
    ['an additional member', { a: {} }, { a: { b: 1 } }],
    ['a missing member', { a: { b: 1 } }, { a: {} }],
    ['a member under another name', { a: { b: 1 } }, { a: { c: 1 } }],
    ['a member that only a prototype has', { valueOf: Object.prototype.valueOf }, { a: 1 }],
    ['null instead of an object', { a: {} }, { a: null }],
    ['a list instead of a map', { a: [] }, { a: {} }],
    ['a longer list', { a: [1] }, { a: [1, 2] }],
    ['a list in another order', { a: [1, 2] }, { a: [2, 1] }],
  ])('returns false for %s', (_, left, right) => {
    expect([isSameContent(left, right), isSameContent(right, left)]).toEqual([false, false]);
  });

  it('compares objects that are nested deeper than the stack', () => {
    const nested = (inmost: string): object => {
      let value: object = { inmost };
      for (let depth = 0; depth < 100_000; depth++) value = { value };
      return value;
    };
    expect(isSameContent(nested('a'), nested('a'))).toBe(true);
    expect(isSameContent(nested('a'), nested('b'))).toBe(false);
  });
});
