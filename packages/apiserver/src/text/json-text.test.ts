import { duplicateKeys } from './json-text.ts';

describe('duplicateKeys', () => {
  it.each([
    ['{"a":1,"b":1}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"a":{"x":1,"y":1,"x":2}}', ['a.x']],
    ['{"list":[{"x":1},{"x":1,"x":2}]}', ['list[1].x']],
    ['{"x":1,"y":{"x":1},"z":["x","x"]}', []],
    ['{"\\u0061":1,"a":2}', ['a']],
    ['{"a\\"":"}{","a\\"":1}', ['a"']],
    ['{"a\\\\":":","b":{":":"\\\\\\""}}', []],
    ['{"a":{"x":1},"a":1}', ['a']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['[]', []],
  ])('finds in %s the duplicate keys %j', (text, expected) => {
    expect(duplicateKeys(text, JSON.parse(text))).toEqual(expected);
  });
});
