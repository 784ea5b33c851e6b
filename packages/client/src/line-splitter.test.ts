import { LineSplitter } from './line-splitter.ts';

const text = 'größe 𝄞\n\n{"a":1}\nhalf';

/** Returns the lines of a splitter for the text when its bytes arrive in these pieces. */
function split(pieces: readonly Uint8Array[], keepEmpty: boolean): { lines: string[]; rest: string | undefined } {
  const splitter = new LineSplitter({ keepEmpty });
  const lines = pieces.flatMap((piece) => splitter.push(piece).map((line) => line.toString('utf8')));
  return { lines, rest: splitter.rest()?.toString('utf8') };
}

describe('LineSplitter', () => {
  it.each([
    [false, ['größe 𝄞', '{"a":1}']],
    [true, ['größe 𝄞', '', '{"a":1}']],
  ])(
    'returns the same lines wherever the bytes are cut, within a character too (keepEmpty: %s)',
    (keepEmpty, lines) => {
      const bytes = Buffer.from(text);
      for (let first = 0; first <= bytes.length; first++) {
        for (let second = first; second <= bytes.length; second++) {
          const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
          expect({ first, second, ...split(pieces, keepEmpty) }).toEqual({ first, second, lines, rest: 'half' });
        }
      }
      const each = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
      expect(split(each, keepEmpty)).toEqual({ lines, rest: 'half' });
    },
  );

  it('has no rest after the last newline', () => {
    expect(split([Buffer.from('one\n')], false)).toEqual({ lines: ['one'], rest: undefined });
  });
});
