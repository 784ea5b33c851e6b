import type { ConformanceRow } from './subject.fixture.ts';

/** Expressions that are hard to parse or cannot be parsed. */
export const syntax: readonly ConformanceRow[] = [
  [
    '[1,2',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {']', ','}\n | [1,2\n | ....^" },
  ],
  [
    '{1:2',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'}', ','}\n | {1:2\n | ....^" },
  ],
  ['self.', { refused: "ERROR: <input>:1:6: Syntax error: no viable alternative at input '.'\n | self.\n | .....^" }],
  [
    '&& true',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: extraneous input '&&' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | && true\n | ^",
    },
  ],
  [
    'a.b(',
    {
      refused:
        "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a.b(\n | ....^",
    },
  ],
  [
    'foo(1,)',
    {
      refused:
        "ERROR: <input>:1:7: Syntax error: mismatched input ')' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | foo(1,)\n | ......^",
    },
  ],
  [
    'true.x == 1 ? : 2',
    {
      refused:
        "ERROR: <input>:1:15: Syntax error: extraneous input ':' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | true.x == 1 ? : 2\n | ..............^\nERROR: <input>:1:18: Syntax error: mismatched input '<EOF>' expecting ':'\n | true.x == 1 ? : 2\n | .................^",
    },
  ],
  [
    '1 + + 2',
    {
      refused:
        "ERROR: <input>:1:5: Syntax error: extraneous input '+' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | 1 + + 2\n | ....^",
    },
  ],
  [
    '`a`',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: mismatched input '`a`' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | `a`\n | ^",
    },
  ],
  ['self.`a` == 1', { refused: "ERROR: <input>:1:6: unsupported syntax: '`'\n | self.`a` == 1\n | .....^" }],
  ['if', { refused: 'ERROR: <input>:1:1: reserved identifier: if\n | if\n | ^' }],
  ['x.all(1, true)', { refused: 'ERROR: <input>:1:7: argument must be a simple name\n | x.all(1, true)\n | ......^' }],
  ['has(self)', { refused: 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(self)\n | ....^' }],
  [
    '[1].map(x)',
    {
      refused:
        "ERROR: <input>:1:8: undeclared reference to 'map' (in container '')\n | [1].map(x)\n | .......^\nERROR: <input>:1:9: undeclared reference to 'x' (in container '')\n | [1].map(x)\n | ........^",
    },
  ],
  ["''' ", { refused: "ERROR: <input>:1:3: Syntax error: token recognition error at: '' '\n | ''' \n | ..^" }],
  [
    'é == 1',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: token recognition error at: 'é'\n | é == 1\n | ＾\nERROR: <input>:1:3: Syntax error: extraneous input '==' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | é == 1\n | ．.^",
    },
  ],
  ['# comment', { refused: "ERROR: <input>:1:1: Syntax error: token recognition error at: '#'\n | # comment\n | ^" }],
  [
    '1u + 2u == 3u ; 4',
    {
      refused:
        "ERROR: <input>:1:15: Syntax error: token recognition error at: ';'\n | 1u + 2u == 3u ; 4\n | ..............^\nERROR: <input>:1:17: Syntax error: extraneous input '4' expecting <EOF>\n | 1u + 2u == 3u ; 4\n | ................^",
    },
  ],
  ['1 2', { refused: "ERROR: <input>:1:3: Syntax error: extraneous input '2' expecting <EOF>\n | 1 2\n | ..^" }],
  [
    '!(',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | !(\n | ..^",
    },
  ],
  [
    'self..a',
    { refused: "ERROR: <input>:1:6: Syntax error: no viable alternative at input '..'\n | self..a\n | .....^" },
  ],
  [
    '9223372036854775808 == 1',
    { refused: 'ERROR: <input>:1:1: invalid int literal\n | 9223372036854775808 == 1\n | ^' },
  ],
  ['0x == 1', { refused: "ERROR: <input>:1:2: Syntax error: mismatched input 'x' expecting <EOF>\n | 0x == 1\n | .^" }],
  [
    "'\\u12' == ''",
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: token recognition error at: ''\\u12''\n | '\\u12' == ''\n | ^\nERROR: <input>:1:8: Syntax error: extraneous input '==' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | '\\u12' == ''\n | .......^",
    },
  ],
  ['{,}', { refused: 'cel expression must evaluate to a bool' }],
  ['{1}', { refused: "ERROR: <input>:1:3: Syntax error: mismatched input '}' expecting ':'\n | {1}\n | ..^" }],
  [
    'f(,)',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | f(,)\n | ..^",
    },
  ],
  [
    'a ? b : ',
    {
      refused:
        "ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a ? b : \n | ........^",
    },
  ],
  ['self.namespace', { refused: 'cel expression must evaluate to a bool' }],
  ['null.x', { refused: "ERROR: <input>:1:5: type 'null' does not support field selection\n | null.x\n | ....^" }],
  [
    'x.exists_one(y)',
    {
      refused:
        "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x.exists_one(y)\n | ^\nERROR: <input>:1:13: undeclared reference to 'exists_one' (in container '')\n | x.exists_one(y)\n | ............^\nERROR: <input>:1:14: undeclared reference to 'y' (in container '')\n | x.exists_one(y)\n | .............^",
    },
  ],
  [
    '[1].all(x.y, true)',
    { refused: 'ERROR: <input>:1:10: argument must be a simple name\n | [1].all(x.y, true)\n | .........^' },
  ],
  [
    '[1].all(@x, true)',
    {
      refused: "ERROR: <input>:1:9: Syntax error: token recognition error at: '@'\n | [1].all(@x, true)\n | ........^",
    },
  ],
  [
    '1.e5 == 1.0',
    { refused: "ERROR: <input>:1:2: type 'int' does not support field selection\n | 1.e5 == 1.0\n | .^" },
  ],
  ["'''abc", { refused: "ERROR: <input>:1:3: Syntax error: token recognition error at: ''abc'\n | '''abc\n | ..^" }],
  ["r'abc\\", { refused: "ERROR: <input>:1:2: Syntax error: token recognition error at: ''abc\\'\n | r'abc\\\n | .^" }],
  ["b'\\u1234' == b''", { refused: "ERROR: <input>:1:1: unable to unescape string\n | b'\\u1234' == b''\n | ^" }],
  [
    'a b c d',
    { refused: "ERROR: <input>:1:3: Syntax error: mismatched input 'b' expecting <EOF>\n | a b c d\n | ..^" },
  ],
  ['(1', { refused: "ERROR: <input>:1:3: Syntax error: missing ')' at '<EOF>'\n | (1\n | ..^" }],
  ['((1)', { refused: "ERROR: <input>:1:5: Syntax error: missing ')' at '<EOF>'\n | ((1)\n | ....^" }],
  ['((1', { refused: "ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting ')'\n | ((1\n | ...^" }],
  ['[1,,2]', { refused: "ERROR: <input>:1:4: Syntax error: mismatched input ',' expecting ']'\n | [1,,2]\n | ...^" }],
  [
    'foo(1 2)',
    { refused: "ERROR: <input>:1:7: Syntax error: extraneous input '2' expecting ')'\n | foo(1 2)\n | ......^" },
  ],
  ["{'a' 1}", { refused: "ERROR: <input>:1:6: Syntax error: missing ':' at '1'\n | {'a' 1}\n | .....^" }],
  [
    "{'a':}",
    {
      refused:
        "ERROR: <input>:1:6: Syntax error: mismatched input '}' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | {'a':}\n | .....^",
    },
  ],
  [
    'a.b.c(',
    {
      refused:
        "ERROR: <input>:1:7: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a.b.c(\n | ......^",
    },
  ],
  ['a[1', { refused: "ERROR: <input>:1:4: Syntax error: missing ']' at '<EOF>'\n | a[1\n | ...^" }],
  [
    'a[]',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: mismatched input ']' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a[]\n | ..^",
    },
  ],
  [
    'a.b[?]',
    {
      refused:
        "ERROR: <input>:1:6: Syntax error: mismatched input ']' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a.b[?]\n | .....^",
    },
  ],
  ['a.?b', { refused: "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')\n | a.?b\n | ^" }],
  [
    'a.?',
    {
      refused:
        "ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}\n | a.?\n | ...^\nERROR: <input>:1:4: unsupported ident kind\n | a.?\n | ...^",
    },
  ],
  ['--1 == 1', true, 1, 1],
  [
    '1 in',
    {
      refused:
        "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | 1 in\n | ....^",
    },
  ],
  [
    'in 1',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: extraneous input 'in' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | in 1\n | ^",
    },
  ],
  [
    'true && ',
    {
      refused:
        "ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | true && \n | ........^",
    },
  ],
  ['$a', { refused: "ERROR: <input>:1:1: Syntax error: token recognition error at: '$'\n | $a\n | ^" }],
  [
    'a $ b',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: token recognition error at: '$'\n | a $ b\n | ..^\nERROR: <input>:1:5: Syntax error: extraneous input 'b' expecting <EOF>\n | a $ b\n | ....^",
    },
  ],
  [
    '"abc',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: token recognition error at: '\"abc'\n | \"abc\n | ^\nERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | \"abc\n | ....^",
    },
  ],
  [
    'a ? b',
    { refused: "ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting ':'\n | a ? b\n | .....^" },
  ],
  [
    'a ? b :',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a ? b :\n | .......^",
    },
  ],
  [
    'a ? : c',
    {
      refused:
        "ERROR: <input>:1:5: Syntax error: extraneous input ':' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a ? : c\n | ....^\nERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting ':'\n | a ? : c\n | .......^",
    },
  ],
  [
    'x = 3',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: token recognition error at: '= '\n | x = 3\n | ..^\nERROR: <input>:1:5: Syntax error: extraneous input '3' expecting <EOF>\n | x = 3\n | ....^",
    },
  ],
  [
    'a => b',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: token recognition error at: '=>'\n | a => b\n | ..^\nERROR: <input>:1:6: Syntax error: extraneous input 'b' expecting <EOF>\n | a => b\n | .....^",
    },
  ],
  ["'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\?\\`' != ''", true, 0, 0],
  ["r'\\n' == '\\\\n'", true, 1, 1],
  ["'''a\nb''' == 'a\\nb'", true, 1, 1],
  ['"""a"b""" == "a\\"b"', true, 1, 1],
  [
    "'a\r\nb' == ''",
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: token recognition error at: ''a\r'\n | 'a\r\n | ^\nERROR: <input>:2:8: Syntax error: token recognition error at: '''\n | b' == ''\n | .......^",
    },
  ],
  ["'\\x41\\101\\u0041\\U00000041' == 'AAAA'", true, 1, 1],
  ["b'\\x41\\101' == b'AA'", true, 1, 1],
  ["b'\\xff\\377' == b'\\xff\\xff'", true, 1, 1],
  ["'\\xff' == 'ÿ'", true, 1, 1],
  ["'\\ud800' == ''", { refused: "ERROR: <input>:1:1: invalid unicode code point\n | '\\ud800' == ''\n | ^" }],
  ["'\\U00110000' == ''", { refused: "ERROR: <input>:1:1: invalid unicode code point\n | '\\U00110000' == ''\n | ^" }],
  ["R'a' == 'a'", true, 1, 1],
  ["br'\\x' == b'\\\\x'", true, 1, 1],
  [
    "rb'a' == b'a'",
    { refused: "ERROR: <input>:1:3: Syntax error: mismatched input ''a'' expecting <EOF>\n | rb'a' == b'a'\n | ..^" },
  ],
  ['B"a" == b\'a\'', true, 1, 1],
  ["'a' // comment\n == 'a'", true, 1, 1],
  ['true // x', true, 0, 0],
  [
    '// x',
    {
      refused:
        "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | // x\n | ....^",
    },
  ],
  ['1.0e+3 == 1000.0', true, 1, 1],
  ['1E3 == 1e3', true, 1, 1],
  [
    '1.5u == 1',
    { refused: "ERROR: <input>:1:4: Syntax error: mismatched input 'u' expecting <EOF>\n | 1.5u == 1\n | ...^" },
  ],
  [
    '0X10 == 16',
    { refused: "ERROR: <input>:1:2: Syntax error: mismatched input 'X10' expecting <EOF>\n | 0X10 == 16\n | .^" },
  ],
  ['0xfU == 15u', true, 1, 1],
  ['-0x10 == -16', true, 1, 1],
  [
    '-1u == 1u',
    { refused: "ERROR: <input>:1:1: found no matching overload for '-_' applied to '(uint)'\n | -1u == 1u\n | ^" },
  ],
  ['- 1 == -1', true, 1, 1],
  ['-9223372036854775808 < 0', true, 1, 1],
  [
    '18446744073709551616u == 0u',
    { refused: 'ERROR: <input>:1:1: invalid uint literal\n | 18446744073709551616u == 0u\n | ^' },
  ],
  ['1e400 == 1.0', { refused: 'ERROR: <input>:1:1: invalid double literal\n | 1e400 == 1.0\n | ^' }],
  ['1 - -1 == 2', true, 2, 2],
  ['1--1 == 2', true, 2, 2],
  ['!!!true', false, 1, 1],
  ['!-1', { refused: "ERROR: <input>:1:1: found no matching overload for '!_' applied to '(int)'\n | !-1\n | ^" }],
  ['-!true', { refused: "ERROR: <input>:1:2: Syntax error: no viable alternative at input '-!'\n | -!true\n | .^" }],
  ['a.b.c.d', { refused: "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')\n | a.b.c.d\n | ^" }],
  ['.self.b', true, 2, 2],
  ['.self', { refused: 'cel expression must evaluate to a bool' }],
  ['self . b', true, 2, 2],
  ['self.b?true:false', true, 2, 2],
  ['self.b ? true : self.b ? false : true', true, 2, 4],
  [
    'self.b ? self.b : self.b : self.b',
    {
      refused:
        "ERROR: <input>:1:26: Syntax error: mismatched input ':' expecting <EOF>\n | self.b ? self.b : self.b : self.b\n | .........................^",
    },
  ],
  ['(self.b ? true : false) ? true : false', true, 2, 2],
  ['[1,2,].size() == 2', true, 2, 12],
  ['[,].size() == 0', true, 2, 12],
  ["{'a':1,}.size() == 1", true, 2, 32],
  ['[?1]', { refused: "ERROR: <input>:1:3: expected type 'optional_type(int)' but found 'int'\n | [?1]\n | ..^" }],
  ['[? optional.of(1)].size() == 1', true, 13, 13],
  [
    "{?'a': 1}",
    { refused: "ERROR: <input>:1:8: expected type 'optional_type(int)' but found 'int'\n | {?'a': 1}\n | .......^" },
  ],
  [
    'size([1,2,3],) == 3',
    {
      refused:
        "ERROR: <input>:1:14: Syntax error: mismatched input ')' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | size([1,2,3],) == 3\n | .............^",
    },
  ],
  [
    '1 < 2 < 3',
    {
      refused:
        "ERROR: <input>:1:7: found no matching overload for '_<_' applied to '(bool, int)'\n | 1 < 2 < 3\n | ......^",
    },
  ],
  ['1 in [1] in [true]', true, 0, 22],
  ['1 == 1 == true', true, 2, 2],
  ['a.b{}', { refused: "ERROR: <input>:1:4: undeclared reference to 'a.b' (in container '')\n | a.b{}\n | ...^" }],
  ['a{}', { refused: "ERROR: <input>:1:2: undeclared reference to 'a' (in container '')\n | a{}\n | .^" }],
  ['a{b:1,}', { refused: "ERROR: <input>:1:2: undeclared reference to 'a' (in container '')\n | a{b:1,}\n | .^" }],
  ['self.all', { refused: "ERROR: <input>:1:5: undefined field 'all'\n | self.all\n | ....^" }],
  [
    'self.map(x)',
    {
      refused:
        "ERROR: <input>:1:9: undeclared reference to 'map' (in container '')\n | self.map(x)\n | ........^\nERROR: <input>:1:10: undeclared reference to 'x' (in container '')\n | self.map(x)\n | .........^",
    },
  ],
  [
    'has(self.b.c)',
    { refused: "ERROR: <input>:1:4: type 'bool' does not support field selection\n | has(self.b.c)\n | ...^" },
  ],
  ['has()', { refused: "ERROR: <input>:1:4: undeclared reference to 'has' (in container '')\n | has()\n | ...^" }],
  ['has(1)', { refused: 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(1)\n | ....^' }],
  [
    'has(self.b).x',
    { refused: "ERROR: <input>:1:12: type 'bool' does not support field selection\n | has(self.b).x\n | ...........^" },
  ],
  [
    '[].all(a, b, c, d, e)',
    {
      refused:
        "ERROR: <input>:1:7: undeclared reference to 'all' (in container '')\n | [].all(a, b, c, d, e)\n | ......^\nERROR: <input>:1:8: undeclared reference to 'a' (in container '')\n | [].all(a, b, c, d, e)\n | .......^\nERROR: <input>:1:11: undeclared reference to 'b' (in container '')\n | [].all(a, b, c, d, e)\n | ..........^\nERROR: <input>:1:14: undeclared reference to 'c' (in container '')\n | [].all(a, b, c, d, e)\n | .............^\nERROR: <input>:1:17: undeclared reference to 'd' (in container '')\n | [].all(a, b, c, d, e)\n | ................^\nERROR: <input>:1:20: undeclared reference to 'e' (in container '')\n | [].all(a, b, c, d, e)\n | ...................^",
    },
  ],
  [
    '[1].filter(x)',
    {
      refused:
        "ERROR: <input>:1:11: undeclared reference to 'filter' (in container '')\n | [1].filter(x)\n | ..........^\nERROR: <input>:1:12: undeclared reference to 'x' (in container '')\n | [1].filter(x)\n | ...........^",
    },
  ],
  [
    '[1].map(x, y, z, w)',
    {
      refused:
        "ERROR: <input>:1:8: undeclared reference to 'map' (in container '')\n | [1].map(x, y, z, w)\n | .......^\nERROR: <input>:1:9: undeclared reference to 'x' (in container '')\n | [1].map(x, y, z, w)\n | ........^\nERROR: <input>:1:12: undeclared reference to 'y' (in container '')\n | [1].map(x, y, z, w)\n | ...........^\nERROR: <input>:1:15: undeclared reference to 'z' (in container '')\n | [1].map(x, y, z, w)\n | ..............^\nERROR: <input>:1:18: undeclared reference to 'w' (in container '')\n | [1].map(x, y, z, w)\n | .................^",
    },
  ],
  [
    '[1].transformList(1, x, true)',
    {
      refused:
        'ERROR: <input>:1:19: argument must be a simple name\n | [1].transformList(1, x, true)\n | ..................^',
    },
  ],
  [
    '[1].optMap(x, x)',
    {
      refused:
        "ERROR: <input>:1:11: found no matching overload for 'hasValue' applied to 'list(int).()'\n | [1].optMap(x, x)\n | ..........^\nERROR: <input>:1:11: found no matching overload for 'value' applied to 'list(int).()'\n | [1].optMap(x, x)\n | ..........^",
    },
  ],
  [
    'optional.of(1).optMap(1, 2)',
    {
      refused:
        'ERROR: <input>:1:23: optMap() variable name must be a simple identifier\n | optional.of(1).optMap(1, 2)\n | ......................^',
    },
  ],
  [
    'optional.of(1).optFlatMap(x.y, 2)',
    {
      refused:
        'ERROR: <input>:1:28: optFlatMap() variable name must be a simple identifier\n | optional.of(1).optFlatMap(x.y, 2)\n | ...........................^',
    },
  ],
  [
    '1.sortBy(x, x) == []',
    {
      refused:
        'ERROR: <input>:1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression\n | 1.sortBy(x, x) == []\n | ^',
    },
  ],
  [
    'self.true',
    {
      refused:
        "ERROR: <input>:1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER\n | self.true\n | .....^",
    },
  ],
  [
    'self.null',
    {
      refused:
        "ERROR: <input>:1:6: Syntax error: mismatched input 'null' expecting IDENTIFIER\n | self.null\n | .....^",
    },
  ],
  ['self.if', { refused: "ERROR: <input>:1:5: undefined field 'if'\n | self.if\n | ....^" }],
  ['self.while == 1', { refused: "ERROR: <input>:1:5: undefined field 'while'\n | self.while == 1\n | ....^" }],
  ['while', { refused: 'ERROR: <input>:1:1: reserved identifier: while\n | while\n | ^' }],
  ['void.x', { refused: 'ERROR: <input>:1:1: reserved identifier: void\n | void.x\n | ^' }],
  ['import(1)', { refused: 'ERROR: <input>:1:1: reserved identifier: import\n | import(1)\n | ^' }],
  ['as.foo()', { refused: 'ERROR: <input>:1:1: reserved identifier: as\n | as.foo()\n | ^' }],
  ['let == 1', { refused: 'ERROR: <input>:1:1: reserved identifier: let\n | let == 1\n | ^' }],
  [
    'true()',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input '(' expecting <EOF>\n | true()\n | ....^" },
  ],
  [
    'null()',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input '(' expecting <EOF>\n | null()\n | ....^" },
  ],
  [
    'in()',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: extraneous input 'in' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | in()\n | ^\nERROR: <input>:1:4: Syntax error: mismatched input ')' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | in()\n | ...^",
    },
  ],
  [
    'a.true()',
    { refused: "ERROR: <input>:1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER\n | a.true()\n | ..^" },
  ],
  [
    'x.y.if()',
    {
      refused:
        "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x.y.if()\n | ^\nERROR: <input>:1:7: undeclared reference to 'if' (in container '')\n | x.y.if()\n | ......^",
    },
  ],
  [
    'self.b and true',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: mismatched input 'and' expecting <EOF>\n | self.b and true\n | .......^",
    },
  ],
  [
    'self.b or true',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: mismatched input 'or' expecting <EOF>\n | self.b or true\n | .......^",
    },
  ],
  [
    'not self.b',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input 'self' expecting <EOF>\n | not self.b\n | ....^" },
  ],
  [
    'self.b == True',
    {
      refused:
        "ERROR: <input>:1:11: undeclared reference to 'True' (in container '')\n | self.b == True\n | ..........^",
    },
  ],
  [
    '(self.b))',
    { refused: "ERROR: <input>:1:9: Syntax error: extraneous input ')' expecting <EOF>\n | (self.b))\n | ........^" },
  ],
  ['((self.b)', { refused: "ERROR: <input>:1:10: Syntax error: missing ')' at '<EOF>'\n | ((self.b)\n | .........^" }],
  [
    '[self.b',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {']', ','}\n | [self.b\n | .......^",
    },
  ],
  [
    'self.b]',
    { refused: "ERROR: <input>:1:7: Syntax error: extraneous input ']' expecting <EOF>\n | self.b]\n | ......^" },
  ],
  [
    '{self.b',
    { refused: "ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting ':'\n | {self.b\n | .......^" },
  ],
  [
    'self.b}',
    { refused: "ERROR: <input>:1:7: Syntax error: extraneous input '}' expecting <EOF>\n | self.b}\n | ......^" },
  ],
  [
    'self[',
    {
      refused:
        "ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self[\n | .....^",
    },
  ],
  ['self]', { refused: "ERROR: <input>:1:5: Syntax error: extraneous input ']' expecting <EOF>\n | self]\n | ....^" }],
  [
    'self.i === 1',
    { refused: "ERROR: <input>:1:10: Syntax error: token recognition error at: '= '\n | self.i === 1\n | .........^" },
  ],
  [
    'self.i <> 1',
    {
      refused:
        "ERROR: <input>:1:9: Syntax error: extraneous input '>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.i <> 1\n | ........^",
    },
  ],
  [
    'self.i ! = 1',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: mismatched input '!' expecting <EOF>\n | self.i ! = 1\n | .......^\nERROR: <input>:1:10: Syntax error: token recognition error at: '= '\n | self.i ! = 1\n | .........^",
    },
  ],
  [
    'self.i => 1',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: token recognition error at: '=>'\n | self.i => 1\n | .......^\nERROR: <input>:1:11: Syntax error: extraneous input '1' expecting <EOF>\n | self.i => 1\n | ..........^",
    },
  ],
  [
    'self.i =< 1',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: token recognition error at: '=<'\n | self.i =< 1\n | .......^\nERROR: <input>:1:11: Syntax error: extraneous input '1' expecting <EOF>\n | self.i =< 1\n | ..........^",
    },
  ],
  [
    'self.i & 1 == 1',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: token recognition error at: '& '\n | self.i & 1 == 1\n | .......^\nERROR: <input>:1:10: Syntax error: mismatched input '1' expecting <EOF>\n | self.i & 1 == 1\n | .........^",
    },
  ],
  [
    'self.i | 1 == 1',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: token recognition error at: '| '\n | self.i | 1 == 1\n | .......^\nERROR: <input>:1:10: Syntax error: mismatched input '1' expecting <EOF>\n | self.i | 1 == 1\n | .........^",
    },
  ],
  [
    'self.i ^ 1',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: token recognition error at: '^'\n | self.i ^ 1\n | .......^\nERROR: <input>:1:10: Syntax error: extraneous input '1' expecting <EOF>\n | self.i ^ 1\n | .........^",
    },
  ],
  ['~self.i', { refused: "ERROR: <input>:1:1: Syntax error: token recognition error at: '~'\n | ~self.i\n | ^" }],
  [
    'self.i ** 2',
    {
      refused:
        "ERROR: <input>:1:9: Syntax error: extraneous input '*' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.i ** 2\n | ........^",
    },
  ],
  [
    'self.i += 1',
    { refused: "ERROR: <input>:1:9: Syntax error: token recognition error at: '= '\n | self.i += 1\n | ........^" },
  ],
  [
    'self?.a',
    { refused: "ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting ':'\n | self?.a\n | .......^" },
  ],
  [
    'self->a',
    {
      refused:
        "ERROR: <input>:1:6: Syntax error: extraneous input '>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self->a\n | .....^",
    },
  ],
  [
    'self::a',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input ':' expecting <EOF>\n | self::a\n | ....^" },
  ],
  ['self.b;', { refused: "ERROR: <input>:1:7: Syntax error: token recognition error at: ';'\n | self.b;\n | ......^" }],
  [
    'self.b,',
    { refused: "ERROR: <input>:1:7: Syntax error: extraneous input ',' expecting <EOF>\n | self.b,\n | ......^" },
  ],
  [
    ',',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: mismatched input ',' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | ,\n | ^",
    },
  ],
  [
    ':',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: mismatched input ':' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | :\n | ^",
    },
  ],
  [
    '{',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | {\n | .^",
    },
  ],
  [
    '}',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: mismatched input '}' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | }\n | ^",
    },
  ],
  [
    '[',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: mismatched input '<EOF>' expecting {'[', ']', '{', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | [\n | .^",
    },
  ],
  [
    ']',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: mismatched input ']' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | ]\n | ^",
    },
  ],
  [
    '(',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | (\n | .^",
    },
  ],
  [
    ')',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: mismatched input ')' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | )\n | ^",
    },
  ],
  [
    '()',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: mismatched input ')' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | ()\n | .^",
    },
  ],
  ['[]', { refused: 'cel expression must evaluate to a bool' }],
  ['{}', { refused: 'cel expression must evaluate to a bool' }],
  ['1.', { refused: "ERROR: <input>:1:3: Syntax error: no viable alternative at input '.'\n | 1.\n | ..^" }],
  ['.1 == 0.1', true, 1, 1],
  ['1..2', { refused: "ERROR: <input>:1:3: Syntax error: no viable alternative at input '..2'\n | 1..2\n | ..^" }],
  ['1.2.3', { refused: "ERROR: <input>:1:4: Syntax error: extraneous input '.3' expecting <EOF>\n | 1.2.3\n | ...^" }],
  ['@a', { refused: "ERROR: <input>:1:1: Syntax error: token recognition error at: '@'\n | @a\n | ^" }],
  [
    'a@b',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: token recognition error at: '@'\n | a@b\n | .^\nERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>\n | a@b\n | ..^",
    },
  ],
  [
    '\\',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: token recognition error at: '\\'\n | \\\n | ^\nERROR: <input>:1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | \\\n | .^",
    },
  ],
  [
    '"',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: token recognition error at: '\"'\n | \"\n | ^\nERROR: <input>:1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | \"\n | .^",
    },
  ],
  [
    "'",
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: token recognition error at: '''\n | '\n | ^\nERROR: <input>:1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | '\n | .^",
    },
  ],
  ["''", { refused: 'cel expression must evaluate to a bool' }],
  [
    'a\0b',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: token recognition error at: '\0'\n | a\0b\n | .^\nERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>\n | a\0b\n | ..^",
    },
  ],
  [
    'self.b \u00a0&& true',
    {
      refused:
        "ERROR: <input>:1:8: Syntax error: token recognition error at: '\u00a0'\n | self.b \u00a0&& true\n | .......＾",
    },
  ],
  ['self.b // && \n || false', true, 2, 2],
  [
    "'a' 'b'",
    { refused: "ERROR: <input>:1:5: Syntax error: extraneous input ''b'' expecting <EOF>\n | 'a' 'b'\n | ....^" },
  ],
  ['1 1', { refused: "ERROR: <input>:1:3: Syntax error: extraneous input '1' expecting <EOF>\n | 1 1\n | ..^" }],
  [
    'self.b true',
    {
      refused: "ERROR: <input>:1:8: Syntax error: extraneous input 'true' expecting <EOF>\n | self.b true\n | .......^",
    },
  ],
  [
    'true false',
    { refused: "ERROR: <input>:1:6: Syntax error: extraneous input 'false' expecting <EOF>\n | true false\n | .....^" },
  ],
  [
    'self.b && && self.b',
    {
      refused:
        "ERROR: <input>:1:11: Syntax error: extraneous input '&&' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.b && && self.b\n | ..........^",
    },
  ],
  [
    'self.b && || self.b',
    {
      refused:
        "ERROR: <input>:1:11: Syntax error: extraneous input '||' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.b && || self.b\n | ..........^",
    },
  ],
  [
    'self.b ||',
    {
      refused:
        "ERROR: <input>:1:10: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.b ||\n | .........^",
    },
  ],
  [
    '== 1',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: extraneous input '==' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | == 1\n | ^",
    },
  ],
  [
    'self.i ==',
    {
      refused:
        "ERROR: <input>:1:10: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.i ==\n | .........^",
    },
  ],
  [
    'self.i == == 1',
    {
      refused:
        "ERROR: <input>:1:11: Syntax error: extraneous input '==' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.i == == 1\n | ..........^",
    },
  ],
  [
    'self.i + ',
    {
      refused:
        "ERROR: <input>:1:10: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.i + \n | .........^",
    },
  ],
  [
    '+ self.i',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: extraneous input '+' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | + self.i\n | ^",
    },
  ],
  [
    '+1 == 1',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: extraneous input '+' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | +1 == 1\n | ^",
    },
  ],
  [
    'self.i * * 2',
    {
      refused:
        "ERROR: <input>:1:10: Syntax error: extraneous input '*' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.i * * 2\n | .........^",
    },
  ],
  [
    'self.i -',
    {
      refused:
        "ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.i -\n | ........^",
    },
  ],
  [
    'f(',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | f(\n | ..^",
    },
  ],
  ['f)', { refused: "ERROR: <input>:1:2: Syntax error: extraneous input ')' expecting <EOF>\n | f)\n | .^" }],
  ['f(1', { refused: "ERROR: <input>:1:4: Syntax error: missing ')' at '<EOF>'\n | f(1\n | ...^" }],
  [
    'f(1,',
    {
      refused:
        "ERROR: <input>:1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | f(1,\n | ....^",
    },
  ],
  [
    'f(1,,2)',
    {
      refused:
        "ERROR: <input>:1:5: Syntax error: extraneous input ',' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | f(1,,2)\n | ....^",
    },
  ],
  [
    'f(1;2)',
    {
      refused:
        "ERROR: <input>:1:4: Syntax error: token recognition error at: ';'\n | f(1;2)\n | ...^\nERROR: <input>:1:5: Syntax error: extraneous input '2' expecting ')'\n | f(1;2)\n | ....^",
    },
  ],
  ['x.y.z(1,2', { refused: "ERROR: <input>:1:10: Syntax error: missing ')' at '<EOF>'\n | x.y.z(1,2\n | .........^" }],
  ['a[1]]', { refused: "ERROR: <input>:1:5: Syntax error: extraneous input ']' expecting <EOF>\n | a[1]]\n | ....^" }],
  ['a[[1]', { refused: "ERROR: <input>:1:6: Syntax error: missing ']' at '<EOF>'\n | a[[1]\n | .....^" }],
  ['a[1,2]', { refused: "ERROR: <input>:1:4: Syntax error: mismatched input ',' expecting ']'\n | a[1,2]\n | ...^" }],
  [
    'a[:1]',
    {
      refused:
        "ERROR: <input>:1:3: Syntax error: extraneous input ':' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | a[:1]\n | ..^",
    },
  ],
  [
    '{1:2:3}',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input ':' expecting {'}', ','}\n | {1:2:3}\n | ....^" },
  ],
  [
    '{:}',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: extraneous input ':' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | {:}\n | .^",
    },
  ],
  [
    '{1:}',
    {
      refused:
        "ERROR: <input>:1:4: Syntax error: mismatched input '}' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | {1:}\n | ...^",
    },
  ],
  [
    '{:1}',
    {
      refused:
        "ERROR: <input>:1:2: Syntax error: extraneous input ':' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | {:1}\n | .^\nERROR: <input>:1:4: Syntax error: mismatched input '}' expecting ':'\n | {:1}\n | ...^",
    },
  ],
  [
    '[1 2]',
    { refused: "ERROR: <input>:1:4: Syntax error: extraneous input '2' expecting {']', ','}\n | [1 2]\n | ...^" },
  ],
  [
    '[1,2}',
    { refused: "ERROR: <input>:1:5: Syntax error: mismatched input '}' expecting {']', ','}\n | [1,2}\n | ....^" },
  ],
  ['(1,2)', { refused: "ERROR: <input>:1:3: Syntax error: mismatched input ',' expecting ')'\n | (1,2)\n | ..^" }],
  ['(1 2)', { refused: "ERROR: <input>:1:4: Syntax error: extraneous input '2' expecting ')'\n | (1 2)\n | ...^" }],
  [
    'self.b ?',
    {
      refused:
        "ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.b ?\n | ........^",
    },
  ],
  [
    'self.b ? true',
    {
      refused:
        "ERROR: <input>:1:14: Syntax error: mismatched input '<EOF>' expecting ':'\n | self.b ? true\n | .............^",
    },
  ],
  [
    'self.b ? true :',
    {
      refused:
        "ERROR: <input>:1:16: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.b ? true :\n | ...............^",
    },
  ],
  [
    '? true : false',
    {
      refused:
        "ERROR: <input>:1:1: Syntax error: extraneous input '?' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | ? true : false\n | ^\nERROR: <input>:1:8: Syntax error: mismatched input ':' expecting <EOF>\n | ? true : false\n | .......^",
    },
  ],
  [
    'self.b : true',
    {
      refused: "ERROR: <input>:1:8: Syntax error: mismatched input ':' expecting <EOF>\n | self.b : true\n | .......^",
    },
  ],
  [
    'self.b ? : true',
    {
      refused:
        "ERROR: <input>:1:10: Syntax error: extraneous input ':' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.b ? : true\n | .........^\nERROR: <input>:1:16: Syntax error: mismatched input '<EOF>' expecting ':'\n | self.b ? : true\n | ...............^",
    },
  ],
  [
    'self.b ?? true',
    {
      refused:
        "ERROR: <input>:1:9: Syntax error: extraneous input '?' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.b ?? true\n | ........^\nERROR: <input>:1:15: Syntax error: mismatched input '<EOF>' expecting ':'\n | self.b ?? true\n | ..............^",
    },
  ],
  [
    'optional.of(1).optMap(x, x).optMap(x, x).optMap(x, x).optMap(x, x).optMap(x, x).optMap(x, x).optMap(x, x).optMap(x, x).hasValue()',
    true,
    1277,
    3827,
  ],
];
