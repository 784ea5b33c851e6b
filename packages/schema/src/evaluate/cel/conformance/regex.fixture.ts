import type { ConformanceRow } from './subject.fixture.ts';

/** Regular expressions. */
export const regex: readonly ConformanceRow[] = [
  ["'abc 123'.find('[0-9]*') == ''", true, 2, 2],
  ["'abc 123'.find('[0-9]+') == '123'", true, 3, 3],
  ["'abc'.find('z') == ''", true, 1, 1],
  ["'123 abc 456'.findAll('[0-9]+') == ['123','456']", true, 5, 15],
  ["'123 abc 456'.findAll('[0-9]+', 1) == ['123']", true, 5, 15],
  ["'123 abc 456'.findAll('[0-9]+', 0) == []", true, 4, 14],
  ["'123 abc 456'.findAll('[0-9]+', -1) == ['123','456']", true, 5, 15],
  ["'abc'.findAll('x*') == ['','','','']", true, 2, 12],
  ["'abc'.findAll('b*') == []", false, 1, 11],
  ["'a'.find('[') == ''", { refused: 'program instantiation failed: error parsing regexp: missing closing ]: `[`' }],
  ["'a'.find(self.s+'[') == ''", 'Illegal regex: error parsing regexp: missing closing ]: `[`', null, 144],
  ["'a'.matches('(?i)A')", true, 2, 2],
  ["'a\\nb'.matches('a.b')", false, 1, 1],
  ["'a'.matches('\\\\d')", false, 1, 1],
  [
    "'a'.matches('a(?=b)')",
    { refused: "ERROR: <input>:1:13: invalid matches argument\n | 'a'.matches('a(?=b)')\n | ............^" },
  ],
  [
    "'ab'.matches('(a)(b)\\\\2')",
    { refused: "ERROR: <input>:1:14: invalid matches argument\n | 'ab'.matches('(a)(b)\\\\2')\n | .............^" },
  ],
  [
    "'x'.matches('^x{1,1001}$')",
    { refused: "ERROR: <input>:1:13: invalid matches argument\n | 'x'.matches('^x{1,1001}$')\n | ............^" },
  ],
];
