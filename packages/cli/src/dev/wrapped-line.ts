/** A part of a line in one style. */
export interface StyledText {
  readonly text: string;
  /** Adds the style. It must not change the width. */
  readonly paint: (text: string) => string;
}

/** The narrowest column in which text is wrapped. */
const narrowest = 30;

/**
 * Breaks a line between words, so that each row fits into `columns`. Rows after the first are indented by `indent`, which
 * is also the width of what stands before the first. A longer word stays whole, because it may be a path to copy.
 */
export function wrappedLine(parts: readonly StyledText[], indent: number, columns: number): string {
  const room = Math.max(narrowest, columns - indent);
  let line = '';
  let used = 0;
  for (const { text, paint } of parts) {
    let row = '';
    for (const [word, spaces = ''] of text.matchAll(/( *)[^ ]+/g)) {
      const width = widthOf(word);
      if (used > 0 && used + width > room) {
        line += `${paint(row)}\n${' '.repeat(indent)}`;
        row = word.slice(spaces.length);
        used = width - spaces.length;
      } else {
        row += word;
        used += width;
      }
    }
    line += paint(row);
  }
  return line;
}

/** Characters that take two columns in a terminal. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;

function widthOf(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII
  if (/^[\u0000-\u007f]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : /\p{Mark}/u.test(character) ? 0 : 1;
  return width;
}
