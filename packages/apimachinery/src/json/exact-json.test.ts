import { floatSourceOf, JsonRangeError, numberOf, parseJson, stringifyJson } from './exact-json.ts';
import { NumberLiterals, numbersOf, stringifyLiterals } from './number-literal.ts';

describe('parseJson() and stringifyJson()', () => {
  it.each<[string, unknown, string]>([
    ['9007199254740991', 9007199254740991, '9007199254740991'],
    ['9007199254740992', 9007199254740992n, '9007199254740992'],
    ['9007199254740993', 9007199254740993n, '9007199254740993'],
    ['-9007199254740993', -9007199254740993n, '-9007199254740993'],
    ['9223372036854775807', 9223372036854775807n, '9223372036854775807'],
    ['-9223372036854775808', -(2n ** 63n), '-9223372036854775808'],
    ['9223372036854775808', 2 ** 63, '9223372036854776000'],
    ['-9223372036854775809', -(2 ** 63), '-9223372036854776000'],
    ['123456789012345678901234567890', 1.2345678901234568e29, '1.2345678901234568e+29'],
    ['1.0', 1, '1'],
    ['-0', -0, '0'],
    ['1e2', 100, '100'],
    ['1e20', 1e20, '100000000000000000000'],
    ['1e21', 1e21, '1e+21'],
    ['1E+300', 1e300, '1e+300'],
    ['12345678901234567.0', 12345678901234568, '12345678901234568'],
    ['1e-400', 0, '0'],
    ['5e-324', 5e-324, '5e-324'],
    [
      '"9007199254740993 :9007199254740993"',
      '9007199254740993 :9007199254740993',
      '"9007199254740993 :9007199254740993"',
    ],
  ])('read %s, and write it as Go does', (source, value, written) => {
    for (const [text, expected, again] of [
      [`{"a":${source}}`, { a: value }, `{"a":${written}}`],
      [`[1, ${source} ]`, [1, value], `[1,${written}]`],
      [`{"__proto__":\n${source}}`, undefined, `{"__proto__":${written}}`],
    ] as const) {
      const parsed = parseJson(text);
      if (expected !== undefined) expect(parsed).toEqual(expected);
      expect(stringifyJson(parsed)).toBe(again);
    }
  });

  it.each(['1e400', '-1e400', '1E+5000', `1${'0'.repeat(400)}`, '12.5e308'])(
    'reject %s, which is no float64',
    (source) => {
      expect(() => parseJson(`{"a":[${source}]}`)).toThrow(new JsonRangeError(source));
    },
  );

  it('remember numbers that are written as floats', () => {
    const parsed = parseJson('{"a": 1.0, "b": 1, "c": [2e1, "3.0"], "d": "x,4.0"}') as { c: unknown[] };
    expect(parsed).toEqual({ a: 1, b: 1, c: [20, '3.0'], d: 'x,4.0' });
    expect(['a', 'b', 'c', 'd'].map((key) => floatSourceOf(parsed, key))).toEqual([
      '1.0',
      undefined,
      undefined,
      undefined,
    ]);
    expect([0, 1].map((index) => floatSourceOf(parsed.c, index))).toEqual(['2e1', undefined]);
    const large = parseJson('{"a":9223372036854775808,"b":9223372036854775807}') as object;
    expect(['a', 'b'].map((key) => floatSourceOf(large, key))).toEqual(['9223372036854775808', undefined]);
  });

  it('keep numbers as they are written, if they are asked for', () => {
    const literals = new NumberLiterals();
    const text = '{"a":1.0,"b":[1.5,2e1,{"c":1.0}],"d":9223372036854775808,"e":9007199254740993,"f":1e400}';
    const parsed = parseJson(text, { allowsRange: true, literals }) as { a: unknown; b: unknown[] };
    expect(stringifyLiterals(parsed)).toBe(text);
    expect([literals.isEmpty, literals.outOfRange]).toEqual([false, '1e400']);
    expect(parsed.a).toBe((parsed.b[2] as { c: unknown }).c);
    const numbers = numbersOf(parsed) as { b: object };
    expect(numbers).toEqual({ a: 1, b: [1.5, 20, { c: 1 }], d: 2 ** 63, e: 9007199254740993n, f: Infinity });
    expect([floatSourceOf(numbers, 'a'), floatSourceOf(numbers.b, 1)]).toEqual(['1.0', '2e1']);
  });

  it('report invalid JSON as JSON.parse does', () => {
    for (const text of ['{"a":9007199254740993', '{"a":1e400,}', '']) {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    }
  });

  it('read texts that are nested too deeply for exact numbers', () => {
    const text = (levels: number): string => `${'['.repeat(levels)}9007199254740993${']'.repeat(levels)}`;
    expect(stringifyJson(parseJson(text(1000)))).toBe(text(1000));
    expect(() => parseJson(text(9990))).not.toThrow();
  });

  it('parse a long text of digits quickly', () => {
    const digits = `"${'1'.repeat(1_000_000)}"`;
    expect(parseJson(digits)).toHaveLength(1_000_000);
    expect(parseJson(`[${'1,'.repeat(500_000)}1]`)).toHaveLength(500_001);
    expect(parseJson(`["${':1.'.repeat(300_000)}"]`)).toHaveLength(1);
  });
});

describe('numberOf()', () => {
  it('keeps integers that only an int64 represents', () => {
    expect([5n, 2n ** 53n + 1n, 2n ** 63n].map(numberOf)).toEqual([5, 2n ** 53n + 1n, 2 ** 63]);
  });
});
