import type { CelIssue, CelSource } from './source.ts';

/** The kind of a token; operators and punctuation are their own kind. */
export type TokenKind =
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'NUM_FLOAT'
  | 'STRING'
  | 'BYTES'
  | '<EOF>'
  | (typeof symbols)[number]
  | 'in'
  | 'true'
  | 'false'
  | 'null';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** UTF-16 offset in the source. */
  readonly offset: number;
}

const symbols = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
] as const;

const whitespace = /[\t \r\n\f]+|\/\/[^\n]*/y;
const number = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|0x[0-9a-fA-F]+[uU]?|\d+[uU]?/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const stringPrefix = /[bB]?[rR]?(?:"""|'''|"|')/y;
const escapeSequence = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/**
 * Splits an expression into tokens, ending with `<EOF>`. Invalid characters are reported and skipped, so that the parser
 * still gets the rest, as upstream does (cel-go v0.26 `parser/gen/CEL.g4`).
 */
export function tokenize(source: CelSource): { tokens: Token[]; issues: CelIssue[] } {
  const { text } = source;
  const tokens: Token[] = [];
  const issues: CelIssue[] = [];
  let offset = 0;
  while (offset < text.length) {
    const skipped = matchAt(whitespace, text, offset);
    if (skipped > 0) {
      offset += skipped;
      continue;
    }
    const found = tokenAt(text, offset);
    if (typeof found === 'number') {
      issues.push(
        source.issueAt(offset, `Syntax error: token recognition error at: '${text.slice(offset, offset + found)}'`),
      );
      offset += found;
    } else {
      tokens.push(found);
      offset += found.text.length;
    }
  }
  tokens.push({ kind: '<EOF>', text: '<EOF>', offset: text.length });
  return { tokens, issues };
}

/** The token at the offset, or the length of the invalid part. */
function tokenAt(text: string, offset: number): Token | number {
  const string = matchAt(stringPrefix, text, offset);
  if (string > 0) {
    const length = stringLength(text, offset, string);
    if (length > 0) {
      const kind = text[offset] === 'b' || text[offset] === 'B' ? 'BYTES' : 'STRING';
      return { kind, text: text.slice(offset, offset + length), offset };
    }
    const quoteAt = text.slice(offset).search(/["']/);
    // A prefix without a quote is an identifier; an unfinished triple quote is an empty string before the third quote.
    if (quoteAt === 0) {
      const triple = string === 3;
      return triple ? { kind: 'STRING', text: text.slice(offset, offset + 2), offset } : -length;
    }
  }
  let length = matchAt(number, text, offset);
  if (length > 0) {
    const lexeme = text.slice(offset, offset + length);
    const hex = lexeme.startsWith('0x');
    const kind = /[uU]$/.test(lexeme) ? 'NUM_UINT' : !hex && /[.eE]/.test(lexeme) ? 'NUM_FLOAT' : 'NUM_INT';
    return { kind, text: lexeme, offset };
  }
  length = matchAt(identifier, text, offset);
  if (length > 0) {
    const lexeme = text.slice(offset, offset + length);
    const kind =
      lexeme === 'in' || lexeme === 'true' || lexeme === 'false' || lexeme === 'null' ? lexeme : 'IDENTIFIER';
    return { kind, text: lexeme, offset };
  }
  length = matchAt(escapedIdentifier, text, offset);
  if (length > 0) return { kind: 'ESC_IDENTIFIER', text: text.slice(offset, offset + length), offset };
  const symbol = symbols.find((candidate) => text.startsWith(candidate, offset));
  if (symbol !== undefined) return { kind: symbol, text: symbol, offset };
  return unrecognizedLength(text, offset);
}

/**
 * The length of the string literal whose prefix and opening quote have the length `prefix`, or minus the length that
 * upstream's lexer had read when it gave up.
 */
function stringLength(text: string, offset: number, prefix: number): number {
  const opening = text.slice(offset, offset + prefix);
  const raw = /[rR]/.test(opening);
  const quote = opening.replace(/^[bBrR]*/, '');
  let at = offset + prefix;
  while (at < text.length) {
    if (text.startsWith(quote, at)) return at + quote.length - offset;
    const char = text[at];
    if (quote.length === 1 && (char === '\n' || char === '\r')) return -(at - offset + 1);
    if (char === '\\' && !raw) {
      const sequence = matchAt(escapeSequence, text, at);
      if (sequence === 0) return -failedEscapeLength(text, at, offset);
      at += sequence;
    } else {
      at++;
    }
  }
  return -(text.length - offset);
}

/** How far the lexer reads into an invalid escape sequence before the invalid character. */
function failedEscapeLength(text: string, at: number, offset: number): number {
  const marker = text[at + 1];
  let length = 2;
  const digits = marker === 'u' ? 4 : marker === 'U' ? 8 : marker === 'x' || marker === 'X' ? 2 : 0;
  for (let i = 0; i < digits && /[0-9a-fA-F]/.test(text[at + length] ?? ''); i++) length++;
  if (digits > 0) length++;
  return Math.min(at + length, text.length) - offset;
}

/** `=`, `&` and `|` are the start of a symbol, so the lexer reads one more character before it gives up. */
function unrecognizedLength(text: string, offset: number): number {
  const char = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  if (char !== '=' && char !== '&' && char !== '|') return char.length;
  const next = text.codePointAt(offset + 1);
  return next === undefined ? 1 : 1 + String.fromCodePoint(next).length;
}

function matchAt(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0].length ?? 0;
}
