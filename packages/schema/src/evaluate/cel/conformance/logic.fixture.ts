import type { ConformanceRow } from './subject.fixture.ts';

/** Errors that `&&`, `||` and `?:` absorb or pass on. */
export const logic: readonly ConformanceRow[] = [
  ['1/0 == 1 || true', true, 2, 2],
  ['true || 1/0 == 1', true, 0, 2],
  ['1/0 == 1 && false', false, 2, 2],
  ['false && 1/0 == 1', false, 0, 2],
  ['1/0 == 1 || false', 'division by zero', null, 2],
  ['1/0 == 1 && true', 'division by zero', null, 2],
  ['self.noobj.x == 1 || true', true, 3, 3],
  ['(1/0 == 1 || 1 % 0 == 1)', 'division by zero', null, 4],
  ['true ? 1/0 == 1 : true', 'division by zero', null, 2],
  ['false ? 1/0 == 1 : true', true, 0, 2],
  ['(1/0 == 1) ? true : false', 'division by zero', null, 2],
  ['self.b ? self.i == 3 : self.i == 4', true, 5, 4],
  [
    '(self.b ? self.o : self.o2).x == 1',
    {
      refused:
        "ERROR: <input>:1:9: found no matching overload for '_?_:_' applied to '(bool, selfType.o, selfType.o2)'\n | (self.b ? self.o : self.o2).x == 1\n | ........^",
    },
  ],
  ['(self.b ? self.li : [1]).size() == 5', true, 5, 14],
  ['(self.b ? self.li : [1])[0] == 1', true, 5, 13],
  [
    'has((self.b ? self.o : self.o2).x)',
    {
      refused:
        "ERROR: <input>:1:13: found no matching overload for '_?_:_' applied to '(bool, selfType.o, selfType.o2)'\n | has((self.b ? self.o : self.o2).x)\n | ............^",
    },
  ],
  ['!(1/0 == 1)', 'division by zero', null, 3],
];
