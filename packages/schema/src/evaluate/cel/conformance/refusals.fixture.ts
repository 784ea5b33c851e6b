import type { ConformanceRow } from './subject.fixture.ts';

/** Expressions that the type checker rejects, and similar ones that it accepts. */
export const refusals: readonly ConformanceRow[] = [
  ['self.i', { refused: 'cel expression must evaluate to a bool' }],
  ['1', { refused: 'cel expression must evaluate to a bool' }],
  ["'a'", { refused: 'cel expression must evaluate to a bool' }],
  [
    "self.i == 'a'",
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(int, string)'\n | self.i == 'a'\n | .......^",
    },
  ],
  [
    'self.s == 1',
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(string, int)'\n | self.s == 1\n | .......^",
    },
  ],
  [
    'self.b + 1 == 2',
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_+_' applied to '(bool, int)'\n | self.b + 1 == 2\n | .......^",
    },
  ],
  [
    "self.s + 1 == ''",
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_+_' applied to '(string, int)'\n | self.s + 1 == ''\n | .......^",
    },
  ],
  [
    'unknown == 1',
    { refused: "ERROR: <input>:1:1: undeclared reference to 'unknown' (in container '')\n | unknown == 1\n | ^" },
  ],
  ['foo(1)', { refused: "ERROR: <input>:1:4: undeclared reference to 'foo' (in container '')\n | foo(1)\n | ...^" }],
  [
    'self.foo()',
    { refused: "ERROR: <input>:1:9: undeclared reference to 'foo' (in container '')\n | self.foo()\n | ........^" },
  ],
  [
    'self.s.foo()',
    {
      refused: "ERROR: <input>:1:11: undeclared reference to 'foo' (in container '')\n | self.s.foo()\n | ..........^",
    },
  ],
  [
    "self.i.startsWith('a')",
    {
      refused:
        "ERROR: <input>:1:18: found no matching overload for 'startsWith' applied to 'int.(string)'\n | self.i.startsWith('a')\n | .................^",
    },
  ],
  [
    'size(1) == 1',
    {
      refused:
        "ERROR: <input>:1:5: found no matching overload for 'size' applied to '(int)'\n | size(1) == 1\n | ....^",
    },
  ],
  [
    'self.i.size() == 1',
    {
      refused:
        "ERROR: <input>:1:12: found no matching overload for 'size' applied to 'int.()'\n | self.i.size() == 1\n | ...........^",
    },
  ],
  [
    'self.i && true',
    { refused: "ERROR: <input>:1:5: expected type 'bool' but found 'int'\n | self.i && true\n | ....^" },
  ],
  [
    '1 && 2',
    {
      refused:
        "ERROR: <input>:1:1: expected type 'bool' but found 'int'\n | 1 && 2\n | ^\nERROR: <input>:1:6: expected type 'bool' but found 'int'\n | 1 && 2\n | .....^",
    },
  ],
  ['1 || true', { refused: "ERROR: <input>:1:1: expected type 'bool' but found 'int'\n | 1 || true\n | ^" }],
  ['!1', { refused: "ERROR: <input>:1:1: found no matching overload for '!_' applied to '(int)'\n | !1\n | ^" }],
  ['-true', { refused: "ERROR: <input>:1:1: found no matching overload for '-_' applied to '(bool)'\n | -true\n | ^" }],
  [
    "self.li == ['a']",
    {
      refused:
        "ERROR: <input>:1:9: found no matching overload for '_==_' applied to '(list(int), list(string))'\n | self.li == ['a']\n | ........^",
    },
  ],
  [
    "[1, 'a'] == [1]",
    { refused: "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'a'] == [1]\n | ....^" },
  ],
  [
    "[1, 'a'].size() == 2",
    { refused: "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'a'].size() == 2\n | ....^" },
  ],
  [
    "{1: 1, 'a': 2}.size() == 2",
    {
      refused: "ERROR: <input>:1:8: expected type 'int' but found 'string'\n | {1: 1, 'a': 2}.size() == 2\n | .......^",
    },
  ],
  [
    "{'a': 1, 'b': 'c'}.size() == 2",
    {
      refused:
        "ERROR: <input>:1:15: expected type 'int' but found 'string'\n | {'a': 1, 'b': 'c'}.size() == 2\n | ..............^",
    },
  ],
  [
    "self.b ? 1 : 'a'",
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_?_:_' applied to '(bool, int, string)'\n | self.b ? 1 : 'a'\n | .......^",
    },
  ],
  [
    "(self.b ? 1 : 'a') == 1",
    {
      refused:
        "ERROR: <input>:1:9: found no matching overload for '_?_:_' applied to '(bool, int, string)'\n | (self.b ? 1 : 'a') == 1\n | ........^",
    },
  ],
  [
    'self.li.all(x, x)',
    { refused: "ERROR: <input>:1:16: expected type 'bool' but found 'int'\n | self.li.all(x, x)\n | ...............^" },
  ],
  ['self.li.map(x, x)', { refused: 'cel expression must evaluate to a bool' }],
  [
    'self.i.all(x, true)',
    {
      refused:
        "ERROR: <input>:1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.i.all(x, true)\n | ....^",
    },
  ],
  [
    'self.o.all(x, true)',
    {
      refused:
        "ERROR: <input>:1:5: expression of type 'selfType.o' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.o.all(x, true)\n | ....^",
    },
  ],
  [
    'self.li.all(1, true)',
    { refused: 'ERROR: <input>:1:13: argument must be a simple name\n | self.li.all(1, true)\n | ............^' },
  ],
  [
    'self.li.all(x.y, true)',
    { refused: 'ERROR: <input>:1:14: argument must be a simple name\n | self.li.all(x.y, true)\n | .............^' },
  ],
  [
    'self.li.all(__result__, true)',
    {
      refused:
        'ERROR: <input>:1:13: iteration variable overwrites accumulator variable\n | self.li.all(__result__, true)\n | ............^',
    },
  ],
  [
    'self.li.all(i, i, true)',
    { refused: 'ERROR: <input>:1:16: duplicate variable name: i\n | self.li.all(i, i, true)\n | ...............^' },
  ],
  ['has(self)', { refused: 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(self)\n | ....^' }],
  [
    'has(self.i.x)',
    { refused: "ERROR: <input>:1:4: type 'int' does not support field selection\n | has(self.i.x)\n | ...^" },
  ],
  [
    "has(self['i'])",
    { refused: "ERROR: <input>:1:9: invalid argument to has() macro\n | has(self['i'])\n | ........^" },
  ],
  [
    'self.i.x == 1',
    { refused: "ERROR: <input>:1:7: type 'int' does not support field selection\n | self.i.x == 1\n | ......^" },
  ],
  [
    'self.s.x == 1',
    { refused: "ERROR: <input>:1:7: type 'string' does not support field selection\n | self.s.x == 1\n | ......^" },
  ],
  [
    'self.li.x == 1',
    {
      refused: "ERROR: <input>:1:8: type 'list(int)' does not support field selection\n | self.li.x == 1\n | .......^",
    },
  ],
  [
    "self.li['a'] == 1",
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_[_]' applied to '(list(int), string)'\n | self.li['a'] == 1\n | .......^",
    },
  ],
  [
    "self.m[1] == ''",
    {
      refused:
        "ERROR: <input>:1:7: found no matching overload for '_[_]' applied to '(map(string, string), int)'\n | self.m[1] == ''\n | ......^",
    },
  ],
  ['self.o.z == 1', { refused: "ERROR: <input>:1:7: undefined field 'z'\n | self.o.z == 1\n | ......^" }],
  [
    "self.ls.sum() == ''",
    {
      refused:
        "ERROR: <input>:1:12: found no matching overload for 'sum' applied to 'list(string).()'\n | self.ls.sum() == ''\n | ...........^",
    },
  ],
  [
    'self.lmap.max() == 1',
    {
      refused:
        "ERROR: <input>:1:14: found no matching overload for 'max' applied to 'list(selfType.lmap.@idx).()'\n | self.lmap.max() == 1\n | .............^",
    },
  ],
  [
    'sets.contains(self.li, self.ls)',
    {
      refused:
        "ERROR: <input>:1:14: found no matching overload for 'sets.contains' applied to '(list(int), list(string))'\n | sets.contains(self.li, self.ls)\n | .............^",
    },
  ],
  [
    'self.i in self.ls',
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '@in' applied to '(int, list(string))'\n | self.i in self.ls\n | .......^",
    },
  ],
  [
    "'a' in 'b'",
    {
      refused:
        "ERROR: <input>:1:5: found no matching overload for '@in' applied to '(string, string)'\n | 'a' in 'b'\n | ....^",
    },
  ],
  [
    "type(self) == 'a'",
    {
      refused:
        "ERROR: <input>:1:12: found no matching overload for '_==_' applied to '(type(selfType), string)'\n | type(self) == 'a'\n | ...........^",
    },
  ],
  [
    "duration('1x') == duration('1s')",
    { refused: "ERROR: <input>:1:10: invalid duration argument\n | duration('1x') == duration('1s')\n | .........^" },
  ],
  [
    "timestamp('2020') == timestamp('2020-01-01T00:00:00Z')",
    {
      refused:
        "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('2020') == timestamp('2020-01-01T00:00:00Z')\n | ..........^",
    },
  ],
  [
    "'a'.matches('[a')",
    { refused: "ERROR: <input>:1:13: invalid matches argument\n | 'a'.matches('[a')\n | ............^" },
  ],
  [
    'optional.of(1) == 1',
    {
      refused:
        "ERROR: <input>:1:16: found no matching overload for '_==_' applied to '(optional_type(int), int)'\n | optional.of(1) == 1\n | ...............^",
    },
  ],
  [
    'self.?i == 3',
    {
      refused:
        "ERROR: <input>:1:9: found no matching overload for '_==_' applied to '(optional_type(int), int)'\n | self.?i == 3\n | ........^",
    },
  ],
  [
    'Foo{} == Foo{}',
    {
      refused:
        "ERROR: <input>:1:4: undeclared reference to 'Foo' (in container '')\n | Foo{} == Foo{}\n | ...^\nERROR: <input>:1:13: undeclared reference to 'Foo' (in container '')\n | Foo{} == Foo{}\n | ............^",
    },
  ],
  ['int{} == 1', { refused: "ERROR: <input>:1:4: 'int' is not a message type\n | int{} == 1\n | ...^" }],
  [
    'cel.bind(x, 1, x == 1)',
    {
      refused:
        "ERROR: <input>:1:1: undeclared reference to 'cel' (in container '')\n | cel.bind(x, 1, x == 1)\n | ^\nERROR: <input>:1:9: undeclared reference to 'bind' (in container '')\n | cel.bind(x, 1, x == 1)\n | ........^\nERROR: <input>:1:10: undeclared reference to 'x' (in container '')\n | cel.bind(x, 1, x == 1)\n | .........^\nERROR: <input>:1:16: undeclared reference to 'x' (in container '')\n | cel.bind(x, 1, x == 1)\n | ...............^",
    },
  ],
  [
    'math.greatest(1,2) == 2',
    {
      refused:
        "ERROR: <input>:1:1: undeclared reference to 'math' (in container '')\n | math.greatest(1,2) == 2\n | ^\nERROR: <input>:1:14: undeclared reference to 'greatest' (in container '')\n | math.greatest(1,2) == 2\n | .............^",
    },
  ],
  [
    "base64.encode(b'a') == ''",
    {
      refused:
        "ERROR: <input>:1:1: undeclared reference to 'base64' (in container '')\n | base64.encode(b'a') == ''\n | ^\nERROR: <input>:1:14: undeclared reference to 'encode' (in container '')\n | base64.encode(b'a') == ''\n | .............^",
    },
  ],
  ['oldSelf.i == 1', false, 3, 2],
  [
    "request.name == ''",
    { refused: "ERROR: <input>:1:1: undeclared reference to 'request' (in container '')\n | request.name == ''\n | ^" },
  ],
  [
    "strings.foo('a')",
    {
      refused:
        "ERROR: <input>:1:1: undeclared reference to 'strings' (in container '')\n | strings.foo('a')\n | ^\nERROR: <input>:1:12: undeclared reference to 'foo' (in container '')\n | strings.foo('a')\n | ...........^",
    },
  ],
  [
    'self.li.sortBy(x, [x]) == []',
    {
      refused:
        "ERROR: <input>:1:15: found no matching overload for '@sortByAssociatedKeys' applied to 'list(int).(list(list(int)))'\n | self.li.sortBy(x, [x]) == []\n | ..............^",
    },
  ],
  [
    'self.li.sortBy(1, x) == []',
    {
      refused: 'ERROR: <input>:1:16: argument is not an identifier\n | self.li.sortBy(1, x) == []\n | ...............^',
    },
  ],
  ["[1,2].sortBy(x, 'a').size() == 2", true, 28, 79],
  [
    '1 in 2',
    { refused: "ERROR: <input>:1:3: found no matching overload for '@in' applied to '(int, int)'\n | 1 in 2\n | ..^" },
  ],
  [
    "self.dt == '2024'",
    {
      refused:
        "ERROR: <input>:1:9: found no matching overload for '_==_' applied to '(timestamp, string)'\n | self.dt == '2024'\n | ........^",
    },
  ],
  [
    "self.dt.startsWith('2')",
    {
      refused:
        "ERROR: <input>:1:19: found no matching overload for 'startsWith' applied to 'timestamp.(string)'\n | self.dt.startsWith('2')\n | ..................^",
    },
  ],
  [
    "self.by == 'a'",
    {
      refused:
        "ERROR: <input>:1:9: found no matching overload for '_==_' applied to '(bytes, string)'\n | self.by == 'a'\n | ........^",
    },
  ],
  ["self.by == b'hello'", true, 3, 3],
  ['size(self.by) == 5', true, 4, 4],
  [
    "jsonpatch.escapeKey('a') == 'a'",
    {
      refused:
        "ERROR: <input>:1:1: undeclared reference to 'jsonpatch' (in container '')\n | jsonpatch.escapeKey('a') == 'a'\n | ^\nERROR: <input>:1:20: undeclared reference to 'escapeKey' (in container '')\n | jsonpatch.escapeKey('a') == 'a'\n | ...................^",
    },
  ],
  [
    'self.li.transformList(i, i, 1) == []',
    {
      refused:
        'ERROR: <input>:1:26: duplicate variable name: i\n | self.li.transformList(i, i, 1) == []\n | .........................^',
    },
  ],
  [
    "''.reverse() == ''",
    {
      refused:
        "ERROR: <input>:1:11: found no matching overload for 'reverse' applied to 'string.()'\n | ''.reverse() == ''\n | ..........^",
    },
  ],
  [
    "quantity('1').foo() == 1",
    {
      refused:
        "ERROR: <input>:1:18: undeclared reference to 'foo' (in container '')\n | quantity('1').foo() == 1\n | .................^",
    },
  ],
  [
    "ip('1.2.3.4').isIPv4()",
    {
      refused:
        "ERROR: <input>:1:21: undeclared reference to 'isIPv4' (in container '')\n | ip('1.2.3.4').isIPv4()\n | ....................^",
    },
  ],
  ['a.b.c == 1', { refused: "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')\n | a.b.c == 1\n | ^" }],
  ['self.o.p.r.s == 1', { refused: "ERROR: <input>:1:9: undefined field 'r'\n | self.o.p.r.s == 1\n | ........^" }],
  ['dyn(self.o).z == 1', 'no such key: z', null, 3],
  [
    'dyn(1).foo() == 1',
    {
      refused:
        "ERROR: <input>:1:11: undeclared reference to 'foo' (in container '')\n | dyn(1).foo() == 1\n | ..........^",
    },
  ],
  [
    '[] == {}',
    {
      refused:
        "ERROR: <input>:1:4: found no matching overload for '_==_' applied to '(list(dyn), map(dyn, dyn))'\n | [] == {}\n | ...^",
    },
  ],
  [
    'null == 1',
    {
      refused:
        "ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(null, int)'\n | null == 1\n | .....^",
    },
  ],
  ['self.o == null', false, 3, 2],
  [
    'self.li == null',
    {
      refused:
        "ERROR: <input>:1:9: found no matching overload for '_==_' applied to '(list(int), null)'\n | self.li == null\n | ........^",
    },
  ],
  ['self.dt == null', false, 3, 3],
  [
    'self.i == null',
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(int, null)'\n | self.i == null\n | .......^",
    },
  ],
  ['self.ios == null', false, 3, 3],
  ['optional.none() == null', false, 2, 2],
  ['x', { refused: "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x\n | ^" }],
  [
    'self.s == self.i',
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(string, int)'\n | self.s == self.i\n | .......^",
    },
  ],
  [
    'self.d == self.i',
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(double, int)'\n | self.d == self.i\n | .......^",
    },
  ],
  [
    'self.d + self.i == 1.0',
    {
      refused:
        "ERROR: <input>:1:8: found no matching overload for '_+_' applied to '(double, int)'\n | self.d + self.i == 1.0\n | .......^",
    },
  ],
  ['self.i < self.d', false, 5, 5],
  [
    '1 + 1.0 == 2.0',
    {
      refused:
        "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, double)'\n | 1 + 1.0 == 2.0\n | ..^",
    },
  ],
  ['1 < 1.5', true, 1, 1],
  [
    '1u == 1',
    {
      refused:
        "ERROR: <input>:1:4: found no matching overload for '_==_' applied to '(uint, int)'\n | 1u == 1\n | ...^",
    },
  ],
  ['1u < 2', true, 1, 1],
  [
    '[1] == [1.0]',
    {
      refused:
        "ERROR: <input>:1:5: found no matching overload for '_==_' applied to '(list(int), list(double))'\n | [1] == [1.0]\n | ....^",
    },
  ],
  [
    '[1, 2.0] == [1]',
    { refused: "ERROR: <input>:1:5: expected type 'int' but found 'double'\n | [1, 2.0] == [1]\n | ....^" },
  ],
  [
    "{'a': 1} == {'a': 1.0}",
    {
      refused:
        "ERROR: <input>:1:10: found no matching overload for '_==_' applied to '(map(string, int), map(string, double))'\n | {'a': 1} == {'a': 1.0}\n | .........^",
    },
  ],
  ['dyn([1]) == [1.0]', true, 1, 22],
];
