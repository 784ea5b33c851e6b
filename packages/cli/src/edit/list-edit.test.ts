import type { ArrayExpression, ObjectExpression } from 'oxc-parser';
import { type CodeStyle, templateStyle } from './code-style.ts';
import { type BracketedList, entryAdded, entryRemoved } from './list-edit.ts';
import { nodesIn, SourceModule } from './source-module.ts';
import { edited } from './text-edit.ts';

function listIn(text: string): { module: SourceModule; list: BracketedList } {
  const module = new SourceModule('a.ts', text);
  const node = [...nodesIn(module.program)].find(
    (each): each is ArrayExpression | ObjectExpression =>
      each.type === 'ArrayExpression' || each.type === 'ObjectExpression',
  );
  if (node === undefined) throw new Error(`no list in ${text}`);
  const entries = node.type === 'ObjectExpression' ? node.properties : node.elements.filter((each) => each !== null);
  return { module, list: { start: node.start, end: node.end, entries } };
}

function added(text: string, index?: number, style: Partial<CodeStyle> = {}, padding = ''): string {
  const { module, list } = listIn(text);
  const place = index === undefined ? { padding } : { index, padding };
  return edited(text, entryAdded(module, list, 'X', { ...templateStyle, ...style }, place));
}

function removed(text: string, index: number): string {
  const { module, list } = listIn(text);
  return edited(text, entryRemoved(module, list, index));
}

/** Lists without and with X at their end. */
const lists: [name: string, before: string, after: string][] = [
  ['an empty list', 'f([]);', 'f([X]);'],
  ['an empty list with a blank', 'f([ ]);', 'f([ X ]);'],
  ['an empty list with a line', 'f([\n]);', 'f([\n  X,\n]);'],
  ['an indented empty list with a line', '  f([\n  ]);', '  f([\n    X,\n  ]);'],
  ['an empty list with a comment', 'f([/* none */]);', 'f([/* none */ X]);'],
  ['an empty list with a comment in a line', 'f([\n    // none yet\n]);', 'f([\n    // none yet\n    X,\n]);'],
  ['one line', 'f([A, B]);', 'f([A, B, X]);'],
  ['one line without blanks', 'f([A,B]);', 'f([A,B,X]);'],
  ['one line with blanks inside', 'f([ A, B ]);', 'f([ A, B, X ]);'],
  ['one line with a trailing comma', 'f([A, B,]);', 'f([A, B, X,]);'],
  ['one line with comments', 'f([A /* a */, B /* b */]);', 'f([A /* a */, B /* b */, X]);'],
  ['a comment with a comma', 'f([A /* a, b */]);', 'f([A /* a, b */, X]);'],
  ['a line comment behind the only entry', 'f([A // a\n]);', 'f([A, // a\nX\n]);'],
  ['a line for each entry', 'f([\n  A,\n  B,\n]);', 'f([\n  A,\n  B,\n  X,\n]);'],
  ['lines without a trailing comma', 'f([\n  A,\n  B\n]);', 'f([\n  A,\n  B,\n  X\n]);'],
  ['lines with tabs', 'f([\n\t\tA,\n\t\tB,\n\t]);', 'f([\n\t\tA,\n\t\tB,\n\t\tX,\n\t]);'],
  ['line comments', 'f([\n  A, // a\n  B, // b, b\n]);', 'f([\n  A, // a\n  B, // b, b\n  X,\n]);'],
  ['a line comment without a comma', 'f([\n  A // a\n]);', 'f([\n  A, // a\n  X\n]);'],
  ['a comment in the last line', 'f([\n  A,\n  // more\n]);', 'f([\n  A,\n  X,\n  // more\n]);'],
  ['several entries in a line', 'f([\n  A, B,\n  C, D,\n]);', 'f([\n  A, B,\n  C, D,\n  X,\n]);'],
  ['a bracket in the last line', 'f([A,\n   B]);', 'f([A,\n   B,\n   X]);'],
  ['as const', 'f([A] as const);', 'f([A, X] as const);'],
  ['satisfies', 'f([\n  A,\n] satisfies L);', 'f([\n  A,\n  X,\n] satisfies L);'],
  ['calls with commas', 'f([a(1, 2), { b: [3] }]);', 'f([a(1, 2), { b: [3] }, X]);'],
  ['an object', 'f({ a: 1, b });', 'f({ a: 1, b, X });'],
  ['an object with lines', 'f({\n  a: [\n    1,\n  ],\n});', 'f({\n  a: [\n    1,\n  ],\n  X,\n});'],
];

describe('entryAdded()', () => {
  it.each(lists)('adds to %s', (_name, before, after) => expect(added(before)).toBe(after));

  it.each([
    ['f([A, B]);', 0, 'f([X, A, B]);'],
    ['f([A, B]);', 1, 'f([A, X, B]);'],
    ['f([\n  A,\n  B\n]);', 0, 'f([\n  X,\n  A,\n  B\n]);'],
    ['f([\n  A, // a\n  B\n]);', 1, 'f([\n  A, // a\n  X,\n  B\n]);'],
  ])('adds to %j at the index %d', (before, index, after) => expect(added(before, index)).toBe(after));

  it('follows the newlines and commas of the module where the list shows none', () => {
    const style = { newline: '\r\n', hasTrailingCommas: false, indentation: '\t' } as const;
    expect(added('f([\r\n]);', undefined, style)).toBe('f([\r\n\tX\r\n]);');
    expect(added('f([\r\n\tA,\r\n]);', undefined, style)).toBe('f([\r\n\tA,\r\n\tX,\r\n]);');
  });

  it('pads the braces of an empty object', () => expect(added('f({});', undefined, {}, ' ')).toBe('f({ X });'));
});

describe('entryRemoved()', () => {
  // The blank line of that list may as well be the author's.
  it.each(lists.filter(([name]) => name !== 'a line comment behind the only entry'))(
    'restores %s',
    (_name, before, after) => expect(removed(after, listIn(after).list.entries.length - 1)).toBe(before),
  );

  it.each([
    ['f([X, B]);', 0, 'f([B]);'],
    ['f([A, X, B]);', 1, 'f([A, B]);'],
    ['f([A,X,B]);', 1, 'f([A,B]);'],
    ['f([X,]);', 0, 'f([]);'],
    ['f([\n  X, // x\n  B,\n]);', 0, 'f([\n  B,\n]);'],
    [
      'f([\n  // about A\n  A,\n  X, /* x */\n  // about B\n  B,\n]);',
      1,
      'f([\n  // about A\n  A,\n  // about B\n  B,\n]);',
    ],
    ['f([\n  A, X,\n  B,\n]);', 1, 'f([\n  A,\n  B,\n]);'],
    ['f([\r\n  X,\r\n  B\r\n]);', 0, 'f([\r\n  B\r\n]);'],
    ['f([\n  A,\n  X // x\n]);', 1, 'f([\n  A\n]);'],
  ])('removes from %j the index %d', (before, index, after) => expect(removed(before, index)).toBe(after));
});
