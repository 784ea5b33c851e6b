const places: readonly (readonly [RegExp, string])[] = [
  [/^Expected (double-quoted )?property name/, 'looking for beginning of object key string'],
  [/^Expected ',' or '\}'/, 'after object key:value pair'],
  [/^Expected ',' or '\]'/, 'after array element'],
  [/^Expected ':'/, 'after object key'],
  [/^Unexpected non-whitespace character after JSON/, 'after top-level value'],
  [/^Bad control character/, 'in string literal'],
];

/** The message of Go's decoder for a body that `JSON.parse` rejected with `error`. */
export function goJsonError(text: string, error: unknown): string {
  const { message } = error as Error;
  const position = /at position (\d+)/.exec(message)?.[1];
  if (text.trim() === '' || /end of JSON|^Unterminated/.test(message) || Number(position) >= text.length) {
    return 'unexpected end of JSON input';
  }
  const token = /^Unexpected token '?(.)/u.exec(message)?.[1];
  const character = position === undefined ? token : [...text.slice(Number(position))][0];
  const place = places.find(([pattern]) => pattern.test(message))?.[1] ?? 'looking for beginning of value';
  return `invalid character '${character ?? text[0]}' ${place}`;
}
