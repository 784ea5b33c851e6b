import type { ClassReport } from '../finding/finding.ts';
import { flag, label, textMap } from './option-form.ts';
import { OptionReader, shown } from './option-reader.ts';

function reading(options: unknown): { read: OptionReader; said: string[] } {
  const said: string[] = [];
  const report: ClassReport = {
    error: (code, message) => void said.push(`${code}: ${message}`),
    notice: (code, message) => void said.push(`notice ${code}: ${message}`),
  };
  return { read: new OptionReader('@Thing', options, ['name', 'open', 'labels'], report), said };
}

describe('OptionReader', () => {
  it('returns valid values, and undefined for missing ones', () => {
    const { read, said } = reading({ name: 'one', open: false });
    expect([read.required('name', label('such as "one"')), read.optional('open', flag)]).toEqual(['one', false]);
    expect(read.optional('labels', textMap('such as {}'))).toBeUndefined();
    expect(said).toEqual([]);
  });

  it('reports invalid values and unknown options', () => {
    const { read, said } = reading({ name: 5, open: 'yes', nam: 1, zzz: 2 });
    expect([read.required('name', label('such as "one"')), read.optional('open', flag)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(said).toEqual([
      'unknown-option: @Thing: unknown option "nam"; did you mean "name"?',
      'unknown-option: @Thing: unknown option "zzz"; it takes name, open, labels',
      'invalid-option: @Thing: name 5 must be a lower-case DNS label, such as "one"',
      'invalid-option: @Thing: open "yes" must be true or false',
    ]);
  });

  it.each([undefined, null, 'text', 5, ['a'], () => 1])('reports once that %p is not an options object', (options) => {
    const { read, said } = reading(options);
    expect(read.required('name', label('such as "one"'))).toBeUndefined();
    expect(said).toEqual([`invalid-option: @Thing: takes an object of options, not ${shown(options)}`]);
  });

  it('does not read the members of Object.prototype as options', () => {
    const { read, said } = reading({});
    expect(read.optional('constructor', flag)).toBeUndefined();
    expect(said).toEqual([]);
  });
});

describe('shown()', () => {
  it('shows any value on one line and shortens long ones', () => {
    const cycle: { own?: unknown } = {};
    cycle.own = cycle;
    class Nginx {}
    expect(
      [undefined, null, 'a\nb', 5n, Symbol('s'), Nginx, () => 1, cycle, { a: 1 }, [1], new Map(), 'x'.repeat(200)].map(
        shown,
      ),
    ).toEqual([
      'undefined',
      'null',
      '"a\\nb"',
      '5',
      'Symbol(s)',
      'Nginx',
      'a function',
      'an object',
      '{"a":1}',
      '[1]',
      '{}',
      `"${'x'.repeat(79)}...`,
    ]);
  });
});
