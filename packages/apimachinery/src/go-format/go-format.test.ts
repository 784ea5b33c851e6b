import {
  compareText,
  GoStruct,
  goJson,
  goQuote,
  goSyntax,
  goText,
  goTypeOf,
  isPrintable,
  trimRight,
} from './go-format.ts';

describe('compareText()', () => {
  it('orders strings by their bytes in UTF-8, not by UTF-16 units', () => {
    const texts = [
      '',
      'a',
      'ab',
      'b',
      '~',
      '\u007f',
      'é',
      '\u{ffff}',
      '\u{ff5e}a',
      '\u{1f600}',
      '\u{1f600}a',
      '\u{10000}',
      'Z',
    ];
    const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect([...texts].sort(compareText)).toEqual(byBytes);
    expect([...texts].sort()).not.toEqual(byBytes);
    expect(compareText('a', 'a')).toBe(0);
  });
});

describe("Go's forms of JSON values", () => {
  const value = { b: [1, 'x', null], a: { c: true, d: 1234567.5 } };

  it('are formatted as %v, %#v and JSON', () => {
    expect(goText(value)).toBe('map[a:map[c:true d:1.2345675e+06] b:[1 x <nil>]]');
    expect(goSyntax(value)).toBe(
      'map[string]interface {}{"a":map[string]interface {}{"c":true, "d":1.2345675e+06}, "b":[]interface {}{1, "x", interface {}(nil)}}',
    );
    expect(goJson(value)).toBe('{"a":{"c":true,"d":1234567.5},"b":[1,"x",null]}');
  });

  it('contain the fields of a struct in their order, without missing ones', () => {
    expect(goJson(new GoStruct({ Rule: 'a > b', Gone: undefined, Field: null }))).toBe(
      '{"Rule":"a \\u003e b","Field":null}',
    );
  });

  it('name the types to which values are decoded', () => {
    expect([null, undefined, 1, 1.5, 'a', true, [], {}].map(goTypeOf)).toEqual([
      ...['<nil>', '<nil>', 'int64', 'float64', 'string', 'bool', '[]interface {}', 'map[string]interface {}'],
    ]);
  });

  it('escape unprintable characters', () => {
    expect(goQuote('a "b"\n\u0001\u200b\u{1f600}')).toBe('"a \\"b\\"\\n\\x01\\u200b\u{1f600}"');
    expect(['a', ' ', 'é', '\u{1f600}', '\n', '\u200b', '\u00a0'].map(isPrintable)).toEqual([
      ...[true, true, true, true, false, false, false],
    ]);
  });
});

describe('trimRight()', () => {
  it.each([
    ['', ''],
    ['///', ''],
    ['/a//b', '/a//b'],
    ['/a//b//', '/a//b'],
  ])('cuts the slashes from the end of %j', (text, cut) => {
    expect(trimRight(text, '/')).toBe(cut);
  });
});
