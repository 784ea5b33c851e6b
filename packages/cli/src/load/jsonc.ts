import { EvenkeelError } from '@evenkeel/core';

/** JSON with comments and trailing commas, as TypeScript reads its configuration. */
export interface JsonWithComments {
  readonly value: unknown;
  /** The line of the first property with this name, after another one if given; undefined if there is none. */
  lineOf(property: string, after?: string): number | undefined;
}

/** Throws `invalid-config` for text that is not such JSON. The message has the line if it is known. */
export function parseJsonWithComments(text: string): JsonWithComments {
  const plain = withoutTrailingCommas(withoutComments(text.replace(/^\uFEFF/, ' ')));
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch (error) {
    throw new EvenkeelError('invalid-config', `it is not valid JSON: ${(error as Error).message}; fix the syntax`);
  }
  const offsetOf = (property: string, from: number): number => {
    const name = JSON.stringify(property);
    for (let at = plain.indexOf(name, from); at >= 0; at = plain.indexOf(name, at + 1)) {
      if (/^\s*:/.test(plain.slice(at + name.length, at + name.length + 200))) return at;
    }
    return -1;
  };
  return {
    value,
    lineOf: (property, after) => {
      const from = after === undefined ? 0 : offsetOf(after, 0);
      const at = from < 0 ? -1 : offsetOf(property, from);
      return at < 0 ? undefined : plain.slice(0, at).split('\n').length;
    },
  };
}

/** Replaces comments by spaces, so that lines stay the same. */
function withoutComments(text: string): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    result += token.startsWith('/') && token.length > 1 ? token.replaceAll(/[^\n]/g, ' ') : token;
    at = end;
  }
  return result;
}

function withoutTrailingCommas(text: string): string {
  let result = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const isTrailing = text[at] === ',' && /[}\]]/.test(nextVisible(text, end));
    result += isTrailing ? ' ' : text.slice(at, end);
    at = end;
  }
  return result;
}

/** The end of the string, the comment or the character that starts here. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') {
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '"' || text[at] === '\n') return at + 1;
    }
    return text.length;
  }
  const [closing, length] = text.startsWith('//', start) ? ['\n', 0] : text.startsWith('/*', start) ? ['*/', 2] : [];
  if (closing === undefined || length === undefined) return start + 1;
  const end = text.indexOf(closing, start + 2);
  return end < 0 ? text.length : end + length;
}

function nextVisible(text: string, from: number): string {
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (!/\s/.test(character)) return character;
  }
  return '';
}
