import { codePointCount } from '../../code-points.ts';
import { isReservedWord } from '../value/field-name.ts';
import { CelDouble, CelUint, intValue } from '../value/value.ts';
import type { Expr, MapEntryExpr, StructFieldExpr } from './ast.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import { unquoteBytes, unquoteString } from './literal.ts';
import { expandMacro } from './macro.ts';
import type { CelIssue, CelSource } from './source.ts';
import { expressionStart, ParserStop, TokenStream } from './token-stream.ts';

/** cel-go v0.26 `parser/parser.go`: the defaults, which Kubernetes does not change. */
const maxCodePoints = 100_000;
const maxRecursionDepth = 250;

const relationOperators = new Set<TokenKind>(['<', '<=', '>=', '>', '==', '!=', 'in']);

const [bracket = '', brace = '', paren = '', dot = '', ...others] = expressionStart;
const listStart = [bracket, "']'", brace, paren, dot, "','", ...others.slice(0, 2), "'?'", ...others.slice(2)];
const mapStart = [bracket, brace, "'}'", paren, dot, "','", ...others.slice(0, 2), "'?'", ...others.slice(2)];

/**
 * Parses one expression with all macros of Kubernetes 1.36 expanded. Either the tree or at least one issue.
 * Syntax errors have the messages of upstream's generated parser for common mistakes; after the second error in one
 * expression they may differ.
 */
export function parse(source: CelSource): { expr: Expr } | { issues: readonly CelIssue[] } {
  const size = codePointCount(source.text);
  if (size > maxCodePoints) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
    return { issues: [{ line: -1, column: -1, message }] };
  }
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(new TokenStream(source, tokens, issues));
  const expr = parser.parseAll();
  return expr !== undefined && issues.length === 0 ? { expr } : { issues };
}

class Parser {
  readonly #tokens: TokenStream;
  #depth = 0;

  constructor(tokens: TokenStream) {
    this.#tokens = tokens;
  }

  parseAll(): Expr | undefined {
    try {
      const expr = this.#expr();
      if (this.#tokens.peek().kind !== '<EOF>') {
        // One superfluous token is upstream's "extraneous input"; more of them are a mismatch.
        const verb = this.#tokens.peek(1).kind === '<EOF>' ? 'extraneous' : 'mismatched';
        this.#tokens.syntaxError(`${verb} input '${this.#tokens.peek().text}' expecting <EOF>`);
      }
      return expr;
    } catch (error) {
      if (error instanceof ParserStop) return undefined;
      throw error;
    }
  }

  // expr: conditionalOr ('?' conditionalOr ':' expr)?
  #expr(): Expr {
    return this.#nested(() => {
      const condition = this.#or();
      const question = this.#tokens.accept('?');
      if (question === undefined) return condition;
      const truthy = this.#or();
      this.#tokens.expect(':', "':'");
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
    for (let token = this.#tokens.accept(symbol); token !== undefined; token = this.#tokens.accept(symbol)) {
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

  /** Each operator of such a chain makes the tree deeper, so it counts towards the depth, as upstream. */
  #leftAssociative(isOperator: (token: Token) => boolean, operand: () => Expr, name: (token: Token) => string): Expr {
    const depth = this.#depth;
    let left = operand();
    while (isOperator(this.#tokens.peek())) {
      const token = this.#tokens.next();
      this.#deepen();
      left = call(token.offset, name(token), [left, operand()]);
    }
    this.#depth = depth;
    return left;
  }

  #unary(): Expr {
    const first = this.#tokens.peek();
    if (first.kind === '!') {
      const count = this.#tokens.acceptAll('!');
      const operand = this.#member();
      return count % 2 === 0 ? operand : call(first.offset, '!_', [operand]);
    }
    if (first.kind === '-') {
      const next = this.#tokens.peek(1).kind;
      if (next === 'NUM_INT' || next === 'NUM_FLOAT') return this.#member();
      const count = this.#tokens.acceptAll('-');
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
      const token = this.#tokens.peek();
      if (token.kind === '.') {
        this.#tokens.next();
        operand = this.#selection(operand, token);
      } else if (token.kind === '[') {
        this.#tokens.next();
        const optional = this.#tokens.peek().kind === '?';
        if (optional) this.#tokens.next();
        else this.#tokens.requireStart([...expressionStart.slice(0, 6), "'?'", ...expressionStart.slice(6)]);
        const index = this.#expr();
        this.#tokens.expect(']', "']'");
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
    const optional = this.#tokens.accept('?') !== undefined;
    const field = this.#tokens.peek();
    if (field.kind === 'ESC_IDENTIFIER') {
      this.#tokens.fail(field.offset, "unsupported syntax: '`'");
    }
    if (field.kind !== 'IDENTIFIER') {
      if (optional) {
        const message = `mismatched input '${field.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`;
        this.#tokens.report(field.offset, `Syntax error: ${message}`);
        this.#tokens.fail(field.offset, 'unsupported ident kind');
      }
      const text = field.kind === '<EOF>' ? '' : field.text;
      this.#tokens.syntaxError(
        field.kind === 'true' || field.kind === 'false' || field.kind === 'null'
          ? `mismatched input '${field.text}' expecting IDENTIFIER`
          : `no viable alternative at input '.${text}'`,
      );
    }
    this.#tokens.next();
    const open = optional ? undefined : this.#tokens.accept('(');
    if (open === undefined) {
      return { kind: 'select', offset: dot.offset, operand, field: field.text, optional, testOnly: false };
    }
    return this.#callOrMacro(open.offset, field.text, this.#arguments(), operand);
  }

  #primary(): Expr {
    const token = this.#tokens.peek();
    switch (token.kind) {
      case '(': {
        this.#tokens.next();
        const inner = this.#expr();
        this.#tokens.expect(')', "')'");
        return inner;
      }
      case '[':
        return this.#list();
      case '{':
        this.#tokens.next();
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
        this.#tokens.next();
        return literal(token.offset, this.#unquote(token, unquoteString));
      case 'BYTES':
        this.#tokens.next();
        return literal(token.offset, this.#unquote(token, unquoteBytes));
      case 'true':
      case 'false':
        this.#tokens.next();
        return literal(token.offset, token.kind === 'true');
      case 'null':
        this.#tokens.next();
        return literal(token.offset, null);
      case '!':
        // This is only possible after a minus.
        return this.#tokens.syntaxError("no viable alternative at input '-!'");
      default:
        this.#tokens.requireStart(expressionStart);
        return this.#primary();
    }
  }

  #identifier(): Expr {
    const dot = this.#tokens.accept('.');
    const token = this.#tokens.peek();
    if (token.kind !== 'IDENTIFIER') {
      this.#tokens.syntaxError(`no viable alternative at input '.${token.kind === '<EOF>' ? '' : token.text}'`);
    }
    this.#tokens.next();
    const brace = this.#messageBrace();
    if (brace !== undefined) return this.#message(token, brace);
    if (isReservedWord(token.text)) this.#tokens.fail((dot ?? token).offset, `reserved identifier: ${token.text}`);
    const open = this.#tokens.accept('(');
    if (open !== undefined) return this.#callOrMacro(open.offset, token.text, this.#arguments());
    return { kind: 'ident', offset: token.offset, name: token.text };
  }

  /** `a.b{` starts a message: the number of tokens before the brace, or undefined if there is none. */
  #messageBrace(): number | undefined {
    let ahead = 0;
    while (this.#tokens.peek(ahead).kind === '.' && this.#tokens.peek(ahead + 1).kind === 'IDENTIFIER') ahead += 2;
    return this.#tokens.peek(ahead).kind === '{' ? ahead : undefined;
  }

  #message(first: Token, ahead: number): Expr {
    let name = first.text;
    for (let i = 0; i < ahead; i++) name += this.#tokens.next().text;
    const { offset } = this.#tokens.next();
    const fields: StructFieldExpr[] = [];
    while (this.#tokens.peek().kind !== '}' && this.#tokens.peek().kind !== ',') {
      const optional = this.#tokens.accept('?') !== undefined;
      const field = this.#tokens.peek();
      if (field.kind !== 'IDENTIFIER') {
        const first = optional ? '{IDENTIFIER, ESC_IDENTIFIER}' : "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}";
        const expected = fields.length > 0 && !optional ? "'}'" : first;
        this.#tokens.syntaxError(`mismatched input '${field.text}' expecting ${expected}`);
      }
      this.#tokens.next();
      const colon = this.#tokens.peek();
      this.#tokens.expect(':', "':'");
      fields.push({ offset: colon.offset, name: field.text, value: this.#expr(), optional });
      if (this.#tokens.accept(',') === undefined) break;
    }
    this.#tokens.accept(',');
    this.#tokens.expect('}', "'}'");
    return { kind: 'struct', offset, name, fields };
  }

  #list(): Expr {
    const { offset } = this.#tokens.next();
    const elements: Expr[] = [];
    const optionals = new Set<number>();
    this.#entries(']', () => {
      if (this.#tokens.accept('?') !== undefined) optionals.add(elements.length);
      elements.push(this.#expr());
    });
    return { kind: 'list', offset, elements, optionals };
  }

  #map(offset: number): Expr {
    const entries: MapEntryExpr[] = [];
    this.#entries('}', () => {
      const optional = this.#tokens.accept('?') !== undefined;
      const key = this.#expr();
      this.#tokens.expect(':', "':'");
      entries.push({ key, value: this.#expr(), optional });
    });
    return { kind: 'map', offset, entries };
  }

  /** Entries between brackets, with an optional comma at the end, even without entries. */
  #entries(close: ']' | '}', parseEntry: () => void): void {
    this.#tokens.requireStart(close === ']' ? listStart : mapStart);
    for (;;) {
      if (this.#tokens.peek().kind === ',') break;
      if (this.#tokens.accept(close) !== undefined) return;
      parseEntry();
      if (this.#tokens.peek().kind === close) continue;
      if (this.#tokens.peek().kind !== ',') this.#tokens.requireStart([`'${close}'`, "','"]);
      if (this.#tokens.peek().kind === close) continue;
      if (this.#tokens.peek(1).kind === close || this.#tokens.peek(1).kind === ',') break;
      this.#tokens.next();
    }
    this.#tokens.next();
    this.#tokens.expect(close, `'${close}'`);
  }

  #arguments(): Expr[] {
    const args: Expr[] = [];
    if (this.#tokens.accept(')') !== undefined) return args;
    this.#tokens.requireStart([...expressionStart.slice(0, 3), "')'", ...expressionStart.slice(3)]);
    if (this.#tokens.accept(')') !== undefined) return args;
    do args.push(this.#expr());
    while (this.#tokens.accept(',') !== undefined);
    this.#tokens.expect(')', "')'");
    return args;
  }

  #numberLiteral(): Expr {
    const minus = this.#tokens.accept('-');
    const token = this.#tokens.next();
    const offset = (minus ?? token).offset;
    if (token.kind === 'NUM_FLOAT') {
      const value = Number(token.text);
      if (!Number.isFinite(value)) this.#tokens.fail(offset, 'invalid double literal');
      return literal(offset, new CelDouble(minus === undefined ? value : -value));
    }
    if (token.kind === 'NUM_UINT') {
      const value = BigInt(token.text.slice(0, -1));
      if (value > 0xffff_ffff_ffff_ffffn) this.#tokens.fail(offset, 'invalid uint literal');
      return literal(offset, new CelUint(value));
    }
    const magnitude = BigInt(token.text);
    const value = minus === undefined ? magnitude : -magnitude;
    if (value !== BigInt.asIntN(64, value)) this.#tokens.fail(offset, 'invalid int literal');
    return literal(offset, intValue(value));
  }

  #unquote<T>(token: Token, unquote: (literal: string) => T): T {
    try {
      return unquote(token.text);
    } catch (error) {
      return this.#tokens.fail(token.offset, error instanceof Error ? error.message : String(error));
    }
  }

  #callOrMacro(offset: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    const expanded = expandMacro(offset, name, args, target);
    if (expanded === undefined) return call(offset, name, args, target);
    if ('message' in expanded) return this.#tokens.fail(expanded.offset, expanded.message);
    return expanded;
  }

  #nested<T>(parseRule: () => T): T {
    this.#deepen(`expression recursion limit exceeded: ${maxRecursionDepth}`);
    this.#tokens.level++;
    const result = parseRule();
    this.#tokens.level--;
    this.#depth--;
    return result;
  }

  #deepen(message = 'max recursion depth exceeded'): void {
    if (++this.#depth > maxRecursionDepth) this.#tokens.stop(message);
  }
}

function literal(offset: number, value: null | boolean | number | bigint | string | object): Expr {
  return { kind: 'literal', offset, value: value as Extract<Expr, { kind: 'literal' }>['value'] };
}

function call(offset: number, name: string, args: readonly Expr[], target?: Expr): Expr {
  return target === undefined ? { kind: 'call', offset, name, args } : { kind: 'call', offset, name, args, target };
}
