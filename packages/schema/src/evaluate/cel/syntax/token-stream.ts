import type { Token, TokenKind } from './lexer.ts';
import type { CelIssue, CelSource } from './source.ts';

/** The tokens that can start an expression, in the order of upstream's grammar. */
export const expressionStart: readonly string[] = [
  "'['",
  "'{'",
  "'('",
  "'.'",
  "'-'",
  "'!'",
  "'true'",
  "'false'",
  "'null'",
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];

/** Ends parsing at the first problem after which it cannot continue; the problem is already in the issues. */
export class ParserStop extends Error {}

/** The tokens of an expression, read from the left, with the messages of upstream's parser for unexpected tokens. */
export class TokenStream {
  /** The nesting depth of the current expression, including itself; the parser sets it. */
  level = 0;
  readonly #source: CelSource;
  readonly #tokens: readonly Token[];
  readonly #issues: CelIssue[];
  #at = 0;

  /** Adds problems to `issues`. */
  constructor(source: CelSource, tokens: readonly Token[], issues: CelIssue[]) {
    this.#source = source;
    this.#tokens = tokens;
    this.#issues = issues;
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new Error('the lexer ends every list of tokens with <EOF>');
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  accept(kind: TokenKind): Token | undefined {
    return this.peek().kind === kind ? this.next() : undefined;
  }

  acceptAll(kind: TokenKind): number {
    let count = 0;
    while (this.accept(kind) !== undefined) count++;
    return count;
  }

  expect(kind: TokenKind, shown: string): void {
    if (this.accept(kind) !== undefined) return;
    const token = this.peek();
    if (this.peek(1).kind === kind) {
      this.report(token.offset, `Syntax error: extraneous input '${token.text}' expecting ${shown}`);
      this.next();
      this.next();
      return;
    }
    const missing = (kind === ')' || kind === ']') && token.kind === '<EOF>' && this.level <= 1;
    const missingColon = kind === ':' && token.kind !== '<EOF>' && canStart(token, expressionStart);
    if (missing || missingColon) this.syntaxError(`missing ${shown} at '${token.text}'`);
    this.syntaxError(`mismatched input '${token.text}' expecting ${shown}`);
  }

  /** Skips one unexpected token if the next one is expected, as upstream's parser recovers. */
  requireStart(expected: readonly string[]): void {
    const token = this.peek();
    if (canStart(token, expected)) return;
    const set = `{${expected.join(', ')}}`;
    if (token.kind === '<EOF>' || !canStart(this.peek(1), expected)) {
      this.syntaxError(`mismatched input '${token.text}' expecting ${set}`);
    }
    this.report(token.offset, `Syntax error: extraneous input '${token.text}' expecting ${set}`);
    this.next();
  }

  syntaxError(message: string): never {
    return this.fail(this.peek().offset, `Syntax error: ${message}`);
  }

  fail(offset: number, message: string): never {
    this.report(offset, message);
    throw new ParserStop();
  }

  report(offset: number, message: string): void {
    this.#issues.push(this.#source.issueAt(offset, message));
  }

  /** Ends parsing with a problem that has no position. */
  stop(message: string): never {
    this.#issues.push({ line: -1, column: -1, message });
    throw new ParserStop();
  }
}

function canStart(token: Token, expected: readonly string[]): boolean {
  return expected.includes(`'${token.kind}'`) || expected.includes(token.kind);
}
