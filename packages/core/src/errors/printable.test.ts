import { printable } from './printable.ts';

describe('printable()', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m', 'an escape sequence'],
    ['\u009b31m', '\\u009b31m', 'its C1 form'],
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007', 'the title of a terminal'],
    ['one\r\n  0.31 s  ready      default/web', 'one\\r\\n  0.31 s  ready      default/web', 'a forged line'],
    ['\u0000\b\t\v\f\u007f', '\\u0000\\u0008\\t\\u000b\\u000c\\u007f', 'C0 and DEL'],
    ['\u202eevil\u202c\u2066x\u2069\u200f\u061c', '\\u202eevil\\u202c\\u2066x\\u2069\\u200f\\u061c', 'bidi controls'],
    ['a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d', 'other line separators'],
    ['\ud800x', '\\ud800x', 'half of a character'],
  ])('escapes in %j: %s (%s)', (text, shown) => expect(printable(text)).toBe(shown));

  it('keeps everything that people write', () => {
    const text = 'naïve 日本語 😀 👩‍👩‍👧 שלום مرحبا \\n "quoted" {}';
    expect(printable(text)).toBe(text);
  });

  it('escapes every control character, and yields text that JSON reads back as the original', () => {
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      const shown = printable(character);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      if (shown !== character) expect(JSON.parse(`"${shown}"`)).toBe(character);
    }
  });
});
