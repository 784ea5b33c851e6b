import type { ConformanceRow } from './subject.fixture.ts';

/** `format` on strings. */
export const formatting: readonly ConformanceRow[] = [
  ["'%s'.format(['x']) == 'x'", true, 2, 12],
  ["'%d'.format([1]) == '1'", true, 2, 12],
  ["'%d'.format([1u]) == '1'", true, 2, 12],
  ["'%f'.format([1.5]) == '1.500000'", true, 2, 12],
  ["'%.2f'.format([1234567.891]) == '1,234,567.89'", true, 3, 13],
  ["'%.2f'.format([1.5]) == '1.50'", true, 2, 12],
  ["'%e'.format([1052.032911275]) == '1.052033\\u202f\\u00d7\\u202f10\\u2070\\u00b3'", false, 3, 13],
  ["'%b'.format([5]) == '101'", true, 2, 12],
  ["'%b'.format([true]) == '1'", true, 2, 12],
  ["'%x'.format([255]) == 'ff'", true, 2, 12],
  ["'%X'.format([255]) == 'FF'", true, 2, 12],
  ["'%x'.format(['hi']) == '6869'", true, 2, 12],
  ["'%x'.format([b'hi']) == '6869'", true, 2, 12],
  ["'%o'.format([8]) == '10'", true, 2, 12],
  ["'%%'.format([]) == '%'", true, 2, 12],
  [
    "'%s %s'.format([1]) == ''",
    { refused: "ERROR: <input>:1:15: index 1 out of range\n | '%s %s'.format([1]) == ''\n | ..............^" },
  ],
  [
    "'%s'.format([1, 2]) == ''",
    {
      refused:
        "ERROR: <input>:1:12: too many arguments supplied to string.format (expected 1, got 2)\n | '%s'.format([1, 2]) == ''\n | ...........^",
    },
  ],
  [
    "'%d'.format(['x']) == ''",
    {
      refused:
        "ERROR: <input>:1:14: error during formatting: decimal clause can only be used on integers, was given string\n | '%d'.format(['x']) == ''\n | .............^",
    },
  ],
  [
    "'%d'.format([dyn('x')]) == ''",
    'error during formatting: decimal clause can only be used on integers, was given string',
    null,
    12,
  ],
  [
    "'%z'.format([1]) == ''",
    {
      refused:
        "ERROR: <input>:1:12: could not parse formatting clause: unrecognized formatting clause \"z\"\n | '%z'.format([1]) == ''\n | ...........^",
    },
  ],
  ["'%s'.format([[1,'a',2.5]]) == '[1, \"a\", 2.500000]'", true, 3, 23],
  ["'%s'.format([{'b':1,'a':dyn('x')}]) == '{\"a\":\"x\", \"b\":1}'", true, 3, 44],
  ["'%s'.format([null]) == 'null'", true, 2, 12],
  ["'%s'.format([int]) == 'int'", true, 2, 13],
  ["'%s'.format([true]) == 'true'", true, 2, 12],
  ["'%s'.format([b'xyz']) == 'xyz'", true, 2, 12],
  ["'%s'.format([self.dur]) == '5400s'", true, 14, 14],
  ["'%s'.format([timestamp('2023-02-03T23:31:20+00:00')]) == '2023-02-03T23:31:20Z'", true, 3, 14],
  ["'%s'.format([2.5]) == '2.5'", true, 2, 12],
  ["'%s'.format([self.li]) == '[1, 2, 3, 4, 5]'", true, 15, 15],
  ["'%s'.format([self.m]) != ''", true, 13, 13],
  [
    "'%s'.format([self.o]) != ''",
    {
      refused:
        "ERROR: <input>:1:18: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given selfType.o\n | '%s'.format([self.o]) != ''\n | .................^",
    },
  ],
  ["'%.3e'.format([-0.00012]) != ''", true, 1, 11],
  ["'%f'.format(['NaN']) == 'NaN'", true, 2, 12],
  ["'%f'.format([1.0/0.0]) != ''", true, 12, 12],
  ["'%.0f'.format([2.5]) == '2'", true, 2, 12],
  ["'%.1f'.format([0.25]) == '0.2'", true, 2, 12],
  [
    "'%'.format([1]) == ''",
    { refused: "ERROR: <input>:1:11: unexpected end of string\n | '%'.format([1]) == ''\n | ..........^" },
  ],
  [
    "'%.'.format([1]) == ''",
    {
      refused:
        "ERROR: <input>:1:12: could not parse formatting clause: error while parsing precision: could not find end of precision specifier\n | '%.'.format([1]) == ''\n | ...........^",
    },
  ],
  [
    "'%.f'.format([1.0]) == ''",
    {
      refused:
        "ERROR: <input>:1:13: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax\n | '%.f'.format([1.0]) == ''\n | ............^",
    },
  ],
  ["self.s.format([]) == 'x'", false, 5, 53],
  ["'%s'.format([self.ios2]) == '50%'", true, 14, 14],
  ["'%d'.format([self.ios]) == '5'", true, 14, 14],
  [
    "'%d'.format([self.ios2]) == '5'",
    'error during formatting: decimal clause can only be used on integers, was given string',
    null,
    14,
  ],
  ["'%x'.format([-255]) == '-ff'", true, 2, 12],
  ["'%b'.format([-5]) == '-101'", true, 2, 12],
];
