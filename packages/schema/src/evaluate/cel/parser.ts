import { codePointCount } from '../code-points.ts';
import type { Expr, MapEntryExpr } from './ast.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import { unquoteBytes, unquoteString } from './literal.ts';
import { expandMacro } from './macro.ts';
import { type CelIssue, type CelSource } from './source.ts';
import { CelDouble, CelUint, intValue } from './value.ts';

/** cel-go v0.26 `parser/parser.go`: the defaults, which Kubernetes does not change. */
const maxCodePoints = 100_000;
const maxRecursionDepth = 250;

const reservedIdentifiers = new Set(
  (
    'as break const continue else false for function if import in let loop package namespace null return true var ' +
    'void while'
  ).split(' '),
);

const relationOperators = new Set<TokenKind>(['<', '<=', '>=', '>', '==', '!=', 'in']);
/** The tokens an expression can begin with, in the order of upstream's grammar. */
const expressionStart: readonly string[] = [
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

const [bracket = '', brace = '', paren = '', dot = '', ...others] = expressionStart;
const listStart = [bracket, "']'", brace, paren, dot, "','", ...others.slice(0, 2), "'?'", ...others.slice(2)];
const mapStart = [bracket, brace, "'}'", paren, dot, "','", ...others.slice(0, 2), "'?'", ...others.slice(2)];

/** Ends parsing at the first problem from which it cannot go on; the problem is already among the issues. */
class Stop extends Error {}

/**
 * Parses one expression with all macros of Kubernetes 1.36 expanded. Either the tree or at least one issue.
 * Syntax errors carry the words of upstream's generated parser for the mistakes people make; after the second
 * mistake in one expression they may differ.
 */
export function parse(source: CelSource): { expr: Expr } | { issues: readonly CelIssue[] } {
  const size = codePointCount(source.text);
  if (size > maxCodePoints) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
    return { issues: [{ line: -1, column: -1, message }] };
  }
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(source, tokens, issues);
  const expr = parser.parseAll();
  return expr !== undefined && issues.length === 0 ? { expr } : { issues };
}

class Parser {
  readonly #source: CelSource;
  readonly #tokens: readonly Token[];
  readonly #issues: CelIssue[];
  #at = 0;
  #depth = 0;
  /** How many expressions the current one is inside of, itself included. */
  #level = 0;

  constructor(source: CelSource, tokens: readonly Token[], issues: CelIssue[]) {
    this.#source = source;
    this.#tokens = tokens;
    this.#issues = issues;
  }

  parseAll(): Expr | undefined {
    try {
      const expr = this.#expr();
      if (this.#peek().kind !== '<EOF>') {
        // One superfluous token is upstream's "extraneous input"; more of them are a mismatch.
        const verb = this.#peek(1).kind === '<EOF>' ? 'extraneous' : 'mismatched';
        this.#syntaxError(`${verb} input '${this.#peek().text}' expecting <EOF>`);
      }
      return expr;
    } catch (error) {
      if (error instanceof Stop) return undefined;
      throw error;
    }
  }

  // expr: conditionalOr ('?' conditionalOr ':' expr)?
  #expr(): Expr {
    return this.#nested(() => {
      const condition = this.#or();
      const question = this.#accept('?');
      if (question === undefined) return condition;
      const truthy = this.#or();
      this.#expect(':', "':'");
      const falsy = this.#expr();
      return call(question.offset, '_?_:_', [condition, truthy, falsy]);
    });
  }

  #or(): Expr {
    return this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
  }

  /** A chain of one logical operator is one call with many arguments. */
  #logical(symbol: '||' | '&&', name: string, operand: () => Expr): Expr {
    const first = operand();
    const terms = [first];
    let offset = -1;
    for (let token = this.#accept(symbol); token !== undefined; token = this.#accept(symbol)) {
      if (offset === -1) offset = token.offset;
      terms.push(operand());
    }
    return offset === -1 ? first : call(offset, name, terms);
  }

  #relation(): Expr {
    return this.#leftAssociative(
      (token) => relationOperators.has(token.kind),
      () => this.#sum(),
      (token) => (token.kind === 'in' ? '@in' : `_${token.kind}_`),
    );
  }

  #sum(): Expr {
    return this.#leftAssociative(
      (token) => token.kind === '+' || token.kind === '-',
      () => this.#product(),
      (token) => `_${token.kind}_`,
    );
  }

  #product(): Expr {
    return this.#leftAssociative(
      (token) => token.kind === '*' || token.kind === '/' || token.kind === '%',
      () => this.#unary(),
      (token) => `_${token.kind}_`,
    );
  }

  /** Each operator of such a chain makes the tree deeper, so it counts towards the depth as upstream's does. */
  #leftAssociative(isOperator: (token: Token) => boolean, operand: () => Expr, name: (token: Token) => string): Expr {
    const depth = this.#depth;
    let left = operand();
    while (isOperator(this.#peek())) {
      const token = this.#next();
      this.#deepen();
      left = call(token.offset, name(token), [left, operand()]);
    }
    this.#depth = depth;
    return left;
  }

  #unary(): Expr {
    const first = this.#peek();
    if (first.kind === '!') {
      const count = this.#acceptAll('!');
      const operand = this.#member();
      return count % 2 === 0 ? operand : call(first.offset, '!_', [operand]);
    }
    if (first.kind === '-') {
      const next = this.#peek(1).kind;
      if (next === 'NUM_INT' || next === 'NUM_FLOAT') return this.#member();
      const count = this.#acceptAll('-');
      const operand = this.#member();
      return count % 2 === 0 ? operand : call(first.offset, '-_', [operand]);
    }
    return this.#member();
  }

  // member: primary | member '.' '?'? id | member '.' id '(' args ')' | member '[' '?'? expr ']'
  #member(): Expr {
    const depth = this.#depth;
    let operand = this.#primary();
    for (;;) {
      const token = this.#peek();
      if (token.kind === '.') {
        this.#next();
        operand = this.#selection(operand, token);
      } else if (token.kind === '[') {
        this.#next();
        const optional = this.#peek().kind === '?';
        if (optional) this.#next();
        else this.#requireStart([...expressionStart.slice(0, 6), "'?'", ...expressionStart.slice(6)]);
        const index = this.#expr();
        this.#expect(']', "']'");
        operand = call(token.offset, optional ? '_[?_]' : '_[_]', [operand, index]);
      } else {
        break;
      }
      this.#deepen();
    }
    this.#depth = depth;
    return operand;
  }

  #selection(operand: Expr, dot: Token): Expr {
    const optional = this.#accept('?') !== undefined;
    const field = this.#peek();
    if (field.kind === 'ESC_IDENTIFIER') {
      this.#fail(field.offset, "unsupported syntax: '`'");
    }
    if (field.kind !== 'IDENTIFIER') {
      if (optional) {
        const message = `mismatched input '${field.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`;
        this.#report(field.offset, `Syntax error: ${message}`);
        this.#fail(field.offset, 'unsupported ident kind');
      }
      const text = field.kind === '<EOF>' ? '' : field.text;
      this.#syntaxError(
        field.kind === 'true' || field.kind === 'false' || field.kind === 'null'
          ? `mismatched input '${field.text}' expecting IDENTIFIER`
          : `no viable alternative at input '.${text}'`,
      );
    }
    this.#next();
    const open = optional ? undefined : this.#accept('(');
    if (open === undefined) {
      return { kind: 'select', offset: dot.offset, operand, field: field.text, optional, testOnly: false };
    }
    return this.#callOrMacro(open.offset, field.text, this.#arguments(), operand);
  }

  #primary(): Expr {
    const token = this.#peek();
    switch (token.kind) {
      case '(': {
        this.#next();
        const inner = this.#expr();
        this.#expect(')', "')'");
        return inner;
      }
      case '[':
        return this.#list();
      case '{':
        this.#next();
        return this.#map(token.offset);
      case '.':
      case 'IDENTIFIER':
        return this.#identifier();
      case '-':
      case 'NUM_INT':
      case 'NUM_UINT':
      case 'NUM_FLOAT':
        return this.#numberLiteral();
      case 'STRING':
        this.#next();
        return literal(token.offset, this.#unquote(token, unquoteString));
      case 'BYTES':
        this.#next();
        return literal(token.offset, this.#unquote(token, unquoteBytes));
      case 'true':
      case 'false':
        this.#next();
        return literal(token.offset, token.kind === 'true');
      case 'null':
        this.#next();
        return literal(token.offset, null);
      case '!':
        // Only possible after a minus.
        return this.#syntaxError("no viable alternative at input '-!'");
      default:
        this.#requireStart(expressionStart);
        return this.#primary();
    }
  }

  #identifier(): Expr {
    const dot = this.#accept('.');
    const token = this.#peek();
    if (token.kind !== 'IDENTIFIER') {
      this.#syntaxError(`no viable alternative at input '.${token.kind === '<EOF>' ? '' : token.text}'`);
    }
    this.#next();
    const brace = this.#messageBrace();
    if (brace !== undefined) return this.#message(token, brace);
    if (reservedIdentifiers.has(token.text)) this.#fail((dot ?? token).offset, `reserved identifier: ${token.text}`);
    const open = this.#accept('(');
    if (open !== undefined) return this.#callOrMacro(open.offset, token.text, this.#arguments());
    return { kind: 'ident', offset: token.offset, name: token.text };
  }

  /** `a.b{` begins a message: how many tokens away the brace is, or undefined when there is none. */
  #messageBrace(): number | undefined {
    let ahead = 0;
    while (this.#peek(ahead).kind === '.' && this.#peek(ahead + 1).kind === 'IDENTIFIER') ahead += 2;
    return this.#peek(ahead).kind === '{' ? ahead : undefined;
  }

  #message(first: Token, ahead: number): Expr {
    let name = first.text;
    for (let i = 0; i < ahead; i++) name += this.#next().text;
    const { offset } = this.#next();
    while (this.#peek().kind !== '}' && this.#peek().kind !== ',') {
      this.#accept('?');
      const field = this.#peek();
      if (field.kind !== 'IDENTIFIER') this.#syntaxError(`mismatched input '${field.text}' expecting '}'`);
      this.#next();
      this.#expect(':', "':'");
      this.#expr();
      if (this.#accept(',') === undefined) break;
    }
    this.#accept(',');
    this.#expect('}', "'}'");
    return { kind: 'struct', offset, name };
  }

  #list(): Expr {
    const { offset } = this.#next();
    const elements: Expr[] = [];
    const optionals = new Set<number>();
    this.#entries(']', () => {
      if (this.#accept('?') !== undefined) optionals.add(elements.length);
      elements.push(this.#expr());
    });
    return { kind: 'list', offset, elements, optionals };
  }

  #map(offset: number): Expr {
    const entries: MapEntryExpr[] = [];
    this.#entries('}', () => {
      const optional = this.#accept('?') !== undefined;
      const key = this.#expr();
      this.#expect(':', "':'");
      entries.push({ key, value: this.#expr(), optional });
    });
    return { kind: 'map', offset, entries };
  }

  /** Entries between brackets, with an optional comma at the end, even without entries. */
  #entries(close: ']' | '}', parseEntry: () => void): void {
    this.#requireStart(close === ']' ? listStart : mapStart);
    for (;;) {
      if (this.#peek().kind === ',') break;
      if (this.#accept(close) !== undefined) return;
      parseEntry();
      if (this.#peek().kind === close) continue;
      if (this.#peek().kind !== ',') this.#requireStart([`'${close}'`, "','"]);
      if (this.#peek().kind === close) continue;
      if (this.#peek(1).kind === close || this.#peek(1).kind === ',') break;
      this.#next();
    }
    this.#next();
    this.#expect(close, `'${close}'`);
  }

  #arguments(): Expr[] {
    const args: Expr[] = [];
    if (this.#accept(')') !== undefined) return args;
    this.#requireStart([...expressionStart.slice(0, 3), "')'", ...expressionStart.slice(3)]);
    if (this.#accept(')') !== undefined) return args;
    do args.push(this.#expr());
    while (this.#accept(',') !== undefined);
    this.#expect(')', "')'");
    return args;
  }

  #numberLiteral(): Expr {
    const minus = this.#accept('-');
    const token = this.#next();
    const offset = (minus ?? token).offset;
    if (token.kind === 'NUM_FLOAT') {
      const value = Number(token.text);
      if (!Number.isFinite(value)) this.#fail(offset, 'invalid double literal');
      return literal(offset, new CelDouble(minus === undefined ? value : -value));
    }
    if (token.kind === 'NUM_UINT') {
      const value = BigInt(token.text.slice(0, -1));
      if (value > 0xffff_ffff_ffff_ffffn) this.#fail(offset, 'invalid uint literal');
      return literal(offset, new CelUint(value));
    }
    const magnitude = BigInt(token.text);
    const value = minus === undefined ? magnitude : -magnitude;
    if (value !== BigInt.asIntN(64, value)) this.#fail(offset, 'invalid int literal');
    return literal(offset, intValue(value));
  }

  #unquote<T>(token: Token, unquote: (literal: string) => T): T {
    try {
      return unquote(token.text);
    } catch (error) {
      return this.#fail(token.offset, error instanceof Error ? error.message : String(error));
    }
  }

  #callOrMacro(offset: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    const expanded = expandMacro(offset, name, args, target);
    if (expanded === undefined) return call(offset, name, args, target);
    if ('message' in expanded) return this.#fail(expanded.offset, expanded.message);
    return expanded;
  }

  /** Passes one token that can begin nothing here when what follows it can, as upstream's parser recovers. */
  #requireStart(expected: readonly string[]): void {
    const token = this.#peek();
    if (canStart(token, expected)) return;
    const set = `{${expected.join(', ')}}`;
    if (token.kind === '<EOF>' || !canStart(this.#peek(1), expected)) {
      this.#syntaxError(`mismatched input '${token.text}' expecting ${set}`);
    }
    this.#report(token.offset, `Syntax error: extraneous input '${token.text}' expecting ${set}`);
    this.#next();
  }

  #expect(kind: TokenKind, shown: string): void {
    if (this.#accept(kind) !== undefined) return;
    const token = this.#peek();
    if (this.#peek(1).kind === kind) {
      this.#report(token.offset, `Syntax error: extraneous input '${token.text}' expecting ${shown}`);
      this.#next();
      this.#next();
      return;
    }
    const missing = (kind === ')' || kind === ']') && token.kind === '<EOF>' && this.#level <= 1;
    const missingColon = kind === ':' && token.kind !== '<EOF>' && canStart(token, expressionStart);
    if (missing || missingColon) this.#syntaxError(`missing ${shown} at '${token.text}'`);
    this.#syntaxError(`mismatched input '${token.text}' expecting ${shown}`);
  }

  #nested<T>(parseRule: () => T): T {
    this.#deepen(`expression recursion limit exceeded: ${maxRecursionDepth}`);
    this.#level++;
    const result = parseRule();
    this.#level--;
    this.#depth--;
    return result;
  }

  #deepen(message = 'max recursion depth exceeded'): void {
    if (++this.#depth <= maxRecursionDepth) return;
    this.#issues.push({ line: -1, column: -1, message });
    throw new Stop();
  }

  #peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (token === undefined) throw new Error('the lexer ends every list of tokens with <EOF>');
    return token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#peek().kind === kind ? this.#next() : undefined;
  }

  #acceptAll(kind: TokenKind): number {
    let count = 0;
    while (this.#accept(kind) !== undefined) count++;
    return count;
  }

  #syntaxError(message: string): never {
    return this.#fail(this.#peek().offset, `Syntax error: ${message}`);
  }

  #fail(offset: number, message: string): never {
    this.#report(offset, message);
    throw new Stop();
  }

  #report(offset: number, message: string): void {
    this.#issues.push(this.#source.issueAt(offset, message));
  }
}

function canStart(token: Token, expected: readonly string[]): boolean {
  return expected.includes(`'${token.kind}'`) || expected.includes(token.kind);
}

function literal(offset: number, value: null | boolean | number | bigint | string | object): Expr {
  return { kind: 'literal', offset, value: value as Extract<Expr, { kind: 'literal' }>['value'] };
}

function call(offset: number, name: string, args: readonly Expr[], target?: Expr): Expr {
  return target === undefined ? { kind: 'call', offset, name, args } : { kind: 'call', offset, name, args, target };
}
