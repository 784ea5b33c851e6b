import { jsonEscape } from '@evenkeel/apimachinery/json-escape';

/**
 * Characters that a terminal acts on or does not show: C0 with newlines and tabs, DEL, C1, line and paragraph
 * separators, controls of the direction of text, and surrogates without a partner.
 */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

const short: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Returns a text as one line that only shows characters: others are written as in JSON, `\u001b`. Text that comes from
 * an API server, an object, a file or an error can therefore neither control the terminal nor look like another line.
 */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => short.get(character) ?? jsonEscape(character));
}
