import { WarningRecorder } from './warning-recorder.ts';

function headersFor(...texts: readonly string[]): string[] {
  const recorder = new WarningRecorder();
  for (const text of texts) recorder.add(text);
  return recorder.headers();
}

const lengths = (headers: readonly string[]): number[] =>
  headers.map((header) => [...header].length - '299 - ""'.length);

describe('WarningRecorder', () => {
  it('returns each warning once, in order, and no empty ones', () => {
    expect(headersFor('b', 'a "quoted" one', '', 'b')).toEqual(['299 - "b"', '299 - "a \\"quoted\\" one"']);
  });

  it('does not cut warnings of up to 4,096 characters in total', () => {
    expect(lengths(headersFor('a'.repeat(4000), 'b'.repeat(96)))).toEqual([4000, 96]);
  });

  it('cuts each warning to 256 characters if the total is longer', () => {
    expect(lengths(headersFor('a'.repeat(4000), 'b'.repeat(97), 'c'.repeat(300)))).toEqual([256, 97, 256]);
    expect(lengths(headersFor('a'.repeat(5000)))).toEqual([256]);
  });

  it('ignores further warnings when the cut ones have 4,096 characters', () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(316, 'x'));
    expect(lengths(headersFor(...texts))).toEqual(Array.from({ length: 16 }, () => 256));
  });

  it('counts and cuts whole characters, not UTF-16 code units', () => {
    expect(lengths(headersFor('😀'.repeat(4096)))).toEqual([4096]);
    expect(headersFor('😀'.repeat(4097))).toEqual([`299 - "${'😀'.repeat(256)}"`]);
  });

  it('drops a warning with control characters, which are invalid in a header', () => {
    expect(headersFor('one\ntwo', 'three')).toEqual(['299 - "three"']);
  });
});
