import { withSortedKeys } from './api-object.ts';

describe('withSortedKeys()', () => {
  it('sorts the keys at every depth by their bytes, and keeps the order of lists', () => {
    const value = JSON.parse('{"b":[{"z":1,"a":2},3],"a":{"\\uff5e":1,"\\ud83d\\ude00":2,"__proto__":{"y":1,"x":2}}}');
    expect(JSON.stringify(withSortedKeys(value))).toBe(
      '{"a":{"__proto__":{"x":2,"y":1},"\uff5e":1,"\u{1f600}":2},"b":[{"a":2,"z":1},3]}',
    );
    expect(Object.keys(value)).toEqual(['b', 'a']);
  });

  it('shares what is sorted already', () => {
    const sorted = { a: { x: 1, y: { z: null } }, b: 'text' };
    expect(withSortedKeys(sorted)).toBe(sorted);
    const value = { b: sorted, a: 1 };
    expect((withSortedKeys(value) as typeof value).b).toBe(sorted);
  });
});
