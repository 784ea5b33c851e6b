import { EvenkeelError } from '@evenkeel/core';
import { type Finding, findingText, orderedFindings, throwOnErrors } from './finding.ts';

const finding = (rest: Partial<Finding>): Finding => ({
  level: 'error',
  code: 'invalid-option',
  className: '',
  message: 'it is wrong',
  ...rest,
});

describe('findingText()', () => {
  it('names the known parts of the place and omits the unknown ones', () => {
    const location = { file: 'src/nginx.ts', line: 12 };
    const all = [undefined, location].flatMap((at) =>
      ['', 'Nginx'].flatMap((className) =>
        [undefined, '', 'port'].flatMap((property) =>
          [undefined, { file: 'src/other.ts', line: 3 }].map((related) =>
            findingText(
              finding({
                className,
                ...(at && { location: at }),
                ...(property === undefined ? {} : { property }),
                ...(related && { related }),
              }),
            ),
          ),
        ),
      ),
    );
    expect(all.filter((text) => / {2}|^[ :.]|: :|\.:/.test(text))).toEqual([]);
    expect([...new Set(all)]).toMatchInlineSnapshot(`
[
  "it is wrong",
  "it is wrong (see src/other.ts:3)",
  "port: it is wrong",
  "port: it is wrong (see src/other.ts:3)",
  "Nginx: it is wrong",
  "Nginx: it is wrong (see src/other.ts:3)",
  "Nginx.port: it is wrong",
  "Nginx.port: it is wrong (see src/other.ts:3)",
  "src/nginx.ts:12: it is wrong",
  "src/nginx.ts:12: it is wrong (see src/other.ts:3)",
  "src/nginx.ts:12: port: it is wrong",
  "src/nginx.ts:12: port: it is wrong (see src/other.ts:3)",
  "src/nginx.ts:12: Nginx: it is wrong",
  "src/nginx.ts:12: Nginx: it is wrong (see src/other.ts:3)",
  "src/nginx.ts:12: Nginx.port: it is wrong",
  "src/nginx.ts:12: Nginx.port: it is wrong (see src/other.ts:3)",
]
`);
  });

  it('has a line with the places of each detail', () => {
    const place = { file: 'a.ts', line: 2 };
    const details = [
      { message: 'one is wrong', location: place, related: { file: 'b.ts', line: 3 } },
      { message: 'two is' },
    ];
    expect(findingText(finding({ className: 'Nginx', details }))).toBe(
      'Nginx: it is wrong\n  a.ts:2: one is wrong (see b.ts:3)\n  two is',
    );
  });
});

describe('orderedFindings()', () => {
  it('sorts by file, line, class and property and removes duplicates', () => {
    const at = (file: string, line: number) => ({ location: { file, line } });
    const sorted = [
      finding({ className: 'A', message: 'nowhere' }),
      finding({ className: 'Z', ...at('a.ts', 2) }),
      finding({ className: 'A', ...at('a.ts', 10) }),
      finding({ className: 'B', ...at('a.ts', 10) }),
      finding({ className: 'B', property: 'x', ...at('a.ts', 10) }),
      finding({ className: 'B', property: 'y', ...at('a.ts', 10) }),
      finding({ className: 'B', property: 'y', level: 'notice', ...at('a.ts', 10) }),
      finding({ className: 'A', ...at('b.ts', 1) }),
    ];
    expect(orderedFindings([...sorted, ...sorted])).toEqual(sorted);
    // Two findings that differ only in the message keep their order.
    const [error, notice] = [sorted.slice(0, 6), sorted.slice(6, 7)];
    expect(orderedFindings([...sorted.slice(7), ...error.toReversed(), ...notice])).toEqual(sorted);
  });

  it('keeps the order of the findings of one member', () => {
    const said = ['b', 'a', 'c'].map((message) => finding({ className: 'A', message }));
    expect(orderedFindings(said)).toEqual(said);
  });
});

describe('throwOnErrors()', () => {
  it('throws one error for all errors, and does not throw for notices', () => {
    expect(() => throwOnErrors([finding({ level: 'notice' })])).not.toThrow();
    const all = [finding({ level: 'notice', message: 'no' }), finding({ message: 'one' }), finding({ message: 'two' })];
    expect(() => throwOnErrors(all)).toThrow(new EvenkeelError('invalid-option', 'one\ntwo'));
  });
});
