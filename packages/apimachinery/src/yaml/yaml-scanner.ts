/** A text that is not YAML, or that would expand to more than is sensible. */
export class YamlTextError extends Error {
  override readonly name = 'YamlTextError';
}

export type YamlTokenKind =
  | ('stream end' | 'document start' | 'document end' | 'directive')
  | ('block sequence' | 'block mapping' | 'block end' | '[' | ']' | '{' | '}' | ',' | '-' | 'key' | 'value')
  | ('alias' | 'anchor' | 'tag' | 'scalar');

export interface YamlToken {
  readonly kind: YamlTokenKind;
  /** The line of its start; the first one is 0. */
  readonly line: number;
  /** The content of a scalar, and the name of an alias, an anchor or a tag. */
  readonly text: string;
  /** Whether a scalar has neither quotes nor a block style. */
  readonly isPlain: boolean;
}

/** The place of a token that may turn out to be the key of a mapping. */
interface SimpleKey {
  isPossible: boolean;
  isRequired: boolean;
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** Like `max_flow_level` and `max_indents` of Go's scanner. */
const depthMax = 10_000;
/** The longest key without `?`. */
const simpleKeyMax = 1024;

const escapes: Readonly<Record<string, string>> = {
  ...{ 0: '\0', a: '\x07', b: '\b', t: '\t', '\t': '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b', ' ': ' ' },
  ...{ '"': '"', "'": "'", '\\': '\\', N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029' },
};
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

const isBreak = (it: string): boolean =>
  it === '\n' || it === '\r' || it === '\x85' || it === '\u2028' || it === '\u2029';
const isBlank = (it: string): boolean => it === ' ' || it === '\t';
const isBlankOrEnd = (it: string): boolean => it === '' || isBlank(it) || isBreak(it);
const blanks = /[ \t]*/y;
const doubleQuoted = /[^"\\ \t\n\r\x85\u2028\u2029]*/y;
const singleQuoted = /[^' \t\n\r\x85\u2028\u2029]*/y;
const lineCharacters = /[^\n\r\x85\u2028\u2029]*/y;
const wordCharacters = /[\w-]*/y;
/** Those that neither end a plain scalar, nor start a comment, nor end a line. */
const plainLine = /[^\t\n\r\x85\u2028\u2029:#]*/y;
/** Those that never end a plain scalar. */
const plainCharacters = /[^\s\x85:,?[\]{}]*/y;
const tagCharacters = /(?:[\w;/?:@&=+$,.!~*'()[\]-]|%[\da-fA-F]{2})*/y;

/**
 * Splits YAML into tokens, one at a time, by the rules of YAML 1.1 as the real server reads it (`go.yaml.in/yaml/v2`, `scannerc.go`), with
 * its error texts. docs/decisions/yaml-of-requests.md has the reasons.
 */
export class YamlScanner {
  readonly #text: string;
  #at: number;
  #line: number;
  #lineStart: number;
  #tokens: YamlToken[] = [];
  #head = 0;
  #taken = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #keyAllowed = true;
  readonly #keys: SimpleKey[] = [noKey(0)];
  readonly #keyOfToken = new Map<number, SimpleKey>();
  #ended = false;

  /** Starts at an offset of the text, which is in the given line. */
  constructor(text: string, at: number, line: number) {
    this.#text = text;
    this.#at = at;
    this.#line = line;
    this.#lineStart = at;
  }

  /** The next token, which stays the next one until {@link take}. */
  peek(): YamlToken {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[this.#head] as YamlToken;
  }

  take(): YamlToken {
    const token = this.peek();
    this.#head++;
    this.#taken++;
    if (this.#head === this.#tokens.length) {
      this.#tokens = [];
      this.#head = 0;
    }
    return token;
  }

  #needsMore(): boolean {
    if (this.#head === this.#tokens.length) return true;
    const key = this.#keyOfToken.get(this.#taken);
    return key !== undefined && this.#isValid(key);
  }

  get #column(): number {
    return this.#at - this.#lineStart;
  }

  #char(offset = 0): string {
    return this.#text.charAt(this.#at + offset);
  }

  #fail(problem: string): never {
    throw new YamlTextError(`yaml: ${this.#line === 0 ? '' : `line ${this.#line + 1}: `}${problem}`);
  }

  #add(kind: YamlTokenKind, text = '', line = this.#line, isPlain = false): void {
    this.#tokens.push({ kind, line, text, isPlain });
  }

  #insert(number: number, kind: YamlTokenKind, line: number): void {
    const token = { kind, line, text: '', isPlain: false };
    if (number < 0) this.#tokens.push(token);
    else this.#tokens.splice(this.#head + number - this.#taken, 0, token);
  }

  #nextLine(): string {
    const first = this.#char();
    const length = first === '\r' && this.#char(1) === '\n' ? 2 : 1;
    this.#at += length;
    this.#line++;
    this.#lineStart = this.#at;
    return first === '\u2028' || first === '\u2029' ? first : '\n';
  }

  #fetch() {
    this.#skipToToken();
    this.#unroll(this.#column);
    const first = this.#char();
    if (first === '') return this.#fetchEnd();
    const next = this.#char(1);
    if (this.#column === 0) {
      if (first === '%') return this.#fetchDirective();
      if (this.#isIndicator('---')) return this.#fetchDocument('document start');
      if (this.#isIndicator('...')) return this.#fetchDocument('document end');
    }
    const isAlone = this.#flowLevel > 0 || isBlankOrEnd(next);
    switch (first) {
      case '[':
      case '{':
        return this.#fetchFlowStart(first);
      case ']':
      case '}':
        return this.#fetchFlowEnd(first);
      case ',':
        this.#removeKey();
        this.#keyAllowed = true;
        return this.#fetchCharacter(',');
      case '-':
        if (isBlankOrEnd(next)) return this.#fetchEntry();
        break;
      case '?':
        if (isAlone) return this.#fetchKey();
        break;
      case ':':
        if (isAlone) return this.#fetchValue();
        break;
      case '*':
        return this.#fetchName('alias');
      case '&':
        return this.#fetchName('anchor');
      case '!':
        return this.#fetchTag();
      case '|':
      case '>':
        if (this.#flowLevel > 0) break;
        return this.#fetchBlockScalar(first === '|');
      case "'":
      case '"':
        return this.#fetchQuoted(first);
    }
    const isSpecial = isBlankOrEnd(first) || '-?:,[]{}#&*!|>\'"%@`'.includes(first);
    const startsPlain = first === '-' ? !isBlank(next) : (first === '?' || first === ':') && this.#flowLevel === 0;
    if (isSpecial && !startsPlain) this.#fail('found character that cannot start any token');
    this.#fetchPlain();
  }

  #isIndicator(indicator: string): boolean {
    return this.#text.startsWith(indicator, this.#at) && isBlankOrEnd(this.#char(3));
  }

  #skipToToken(): void {
    for (;;) {
      if (this.#column === 0 && this.#char() === '\ufeff') this.#skipMark();
      while (this.#char() === ' ' || ((this.#flowLevel > 0 || !this.#keyAllowed) && this.#char() === '\t')) this.#at++;
      if (this.#char() === '#') this.#skipComment();
      if (!isBreak(this.#char())) return;
      this.#nextLine();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  #skipMark(): void {
    this.#at++;
    this.#lineStart++;
  }

  #skipComment(): void {
    this.#match(lineCharacters);
  }

  #isValid(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line >= this.#line && key.at + simpleKeyMax >= this.#at) return true;
    if (key.isRequired) this.#fail("could not find expected ':'");
    key.isPossible = false;
    return false;
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    this.#removeKey();
    const key: SimpleKey = {
      isPossible: true,
      isRequired: this.#flowLevel === 0 && this.#indent === this.#column,
      token: this.#taken + this.#tokens.length - this.#head,
      at: this.#at,
      line: this.#line,
      column: this.#column,
    };
    this.#keys[this.#keys.length - 1] = key;
    this.#keyOfToken.set(key.token, key);
  }

  #removeKey(): void {
    const key = this.#keys.at(-1);
    if (key === undefined || !key.isPossible) return;
    if (key.isRequired) this.#fail("could not find expected ':'");
    key.isPossible = false;
    this.#keyOfToken.delete(key.token);
  }

  #roll(column: number, token: number, kind: YamlTokenKind, line: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > depthMax) this.#fail(`exceeded max depth of ${depthMax}`);
    this.#insert(token, kind, line);
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#add('block end');
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #fetchEnd() {
    if (this.#ended) return this.#add('stream end');
    this.#ended = true;
    if (this.#column !== 0) {
      this.#line++;
      this.#lineStart = this.#at;
    }
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#add('stream end');
  }

  /** The prelude has checked directives at the start of the text. The others follow the first document, which is not read further. */
  #fetchDirective(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#add('directive');
    this.#skipComment();
  }

  #fetchDocument(kind: 'document start' | 'document end'): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
    this.#add(kind);
    this.#at += 3;
  }

  #fetchCharacter(kind: YamlTokenKind): void {
    this.#add(kind);
    this.#at++;
  }

  #fetchFlowStart(kind: '[' | '{'): void {
    this.#saveKey();
    this.#keys.push(noKey(this.#at));
    this.#flowLevel++;
    if (this.#flowLevel > depthMax) this.#fail(`exceeded max depth of ${depthMax}`);
    this.#keyAllowed = true;
    this.#fetchCharacter(kind);
  }

  #fetchFlowEnd(kind: ']' | '}'): void {
    this.#removeKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keys.pop();
    }
    this.#keyAllowed = false;
    this.#fetchCharacter(kind);
  }

  #fetchEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) this.#fail('block sequence entries are not allowed in this context');
      this.#roll(this.#column, -1, 'block sequence', this.#line);
    }
    this.#removeKey();
    this.#keyAllowed = true;
    this.#fetchCharacter('-');
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) this.#fail('mapping keys are not allowed in this context');
      this.#roll(this.#column, -1, 'block mapping', this.#line);
    }
    this.#removeKey();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#fetchCharacter('key');
  }

  #fetchValue(): void {
    const key = this.#keys.at(-1);
    if (key !== undefined && this.#isValid(key)) {
      this.#insert(key.token, 'key', key.line);
      this.#roll(key.column, key.token, 'block mapping', key.line);
      key.isPossible = false;
      this.#keyOfToken.delete(key.token);
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#keyAllowed) this.#fail('mapping values are not allowed in this context');
        this.#roll(this.#column, -1, 'block mapping', this.#line);
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#fetchCharacter('value');
  }

  /** Reads what a sticky pattern matches, which may be empty. */
  #match(pattern: RegExp): string {
    const start = this.#at;
    pattern.lastIndex = start;
    pattern.test(this.#text);
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #fetchName(kind: 'alias' | 'anchor'): void {
    this.#saveKey();
    this.#keyAllowed = false;
    this.#at++;
    const name = this.#match(wordCharacters);
    if (name === '' || !(isBlankOrEnd(this.#char()) || '?:,]}%@`'.includes(this.#char()))) {
      this.#fail('did not find expected alphabetic or numeric character');
    }
    this.#add(kind, name);
  }

  #fetchTag(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const start = this.#at;
    this.#at++;
    if (this.#char() === '<') {
      this.#at++;
      const uri = this.#match(tagCharacters);
      if (uri === '') this.#fail('did not find expected tag URI');
      if (this.#char() !== '>') this.#fail("did not find the expected '>'");
      this.#at++;
      this.#endTag(uri);
      return;
    }
    this.#match(wordCharacters);
    const hasHandle = this.#char() === '!';
    if (hasHandle) this.#at++;
    const suffix = this.#match(tagCharacters);
    if (hasHandle && suffix === '') this.#fail('did not find expected tag URI');
    this.#endTag(this.#text.slice(start, this.#at));
  }

  #endTag(name: string): void {
    if (!isBlankOrEnd(this.#char())) this.#fail('did not find expected whitespace or line break');
    this.#add('tag', name);
  }

  #fetchBlockScalar(isLiteral: boolean): void {
    this.#removeKey();
    this.#keyAllowed = true;
    const line = this.#line;
    this.#at++;
    let chomping = '';
    let increment = 0;
    for (let part = 0; part < 2; part++) {
      const it = this.#char();
      if (chomping === '' && (it === '+' || it === '-')) {
        chomping = it;
        this.#at++;
      } else if (increment === 0 && it >= '0' && it <= '9') {
        if (it === '0') this.#fail('found an indentation indicator equal to 0');
        increment = Number(it);
        this.#at++;
      }
    }
    while (isBlank(this.#char())) this.#at++;
    if (this.#char() === '#') this.#skipComment();
    if (this.#char() !== '' && !isBreak(this.#char())) this.#fail('did not find expected comment or line break');
    if (this.#char() !== '') this.#nextLine();
    const fixed = increment > 0 ? Math.max(this.#indent, 0) + increment : 0;
    let { indent, lines: trailing } = this.#blockBreaks(fixed);
    let leading = '';
    let startsBlank = false;
    const parts: string[] = [];
    while (this.#column === indent && this.#char() !== '') {
      const isBlankLine = isBlank(this.#char());
      if (!isLiteral && !startsBlank && !isBlankLine && leading === '\n') {
        if (trailing === '') parts.push(' ');
      } else parts.push(leading);
      parts.push(trailing);
      startsBlank = isBlankLine;
      const start = this.#at;
      this.#skipComment();
      parts.push(this.#text.slice(start, this.#at));
      leading = this.#char() === '' ? '' : this.#nextLine();
      ({ indent, lines: trailing } = this.#blockBreaks(indent));
    }
    if (chomping !== '-') parts.push(leading);
    if (chomping === '+') parts.push(trailing);
    this.#add('scalar', parts.join(''), line);
  }

  /** Reads the indentation and the empty lines before a line of a block scalar. An indentation of 0 is detected. */
  #blockBreaks(indent: number): { readonly indent: number; readonly lines: string } {
    let lines = '';
    let deepest = 0;
    for (;;) {
      while ((indent === 0 || this.#column < indent) && this.#char() === ' ') this.#at++;
      deepest = Math.max(deepest, this.#column);
      if ((indent === 0 || this.#column < indent) && this.#char() === '\t') {
        this.#fail('found a tab character where an indentation space is expected');
      }
      if (!isBreak(this.#char())) break;
      lines += this.#nextLine();
    }
    return { indent: indent === 0 ? Math.max(deepest, this.#indent + 1, 1) : indent, lines };
  }

  #fetchQuoted(quote: "'" | '"'): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const line = this.#line;
    this.#at++;
    const parts: string[] = [];
    for (;;) {
      if (this.#column === 0 && (this.#isIndicator('---') || this.#isIndicator('...'))) {
        this.#fail('found unexpected document indicator');
      }
      if (this.#char() === '') this.#fail('found unexpected end of stream');
      const isAfterBreak = this.#quotedWords(quote, parts);
      if (this.#char() === quote) break;
      this.#fold(parts, isAfterBreak);
    }
    this.#at++;
    this.#add('scalar', parts.join(''), line);
  }

  /** Reads up to the blanks before the next break, or the quote. Returns whether an escaped line break was the last. */
  #quotedWords(quote: "'" | '"', parts: string[]): boolean {
    for (let start = this.#at; ; ) {
      const it = this.#char();
      const isDoubled = quote === "'" && it === "'" && this.#char(1) === "'";
      const isEscape = quote === '"' && it === '\\';
      if (!isDoubled && !isEscape) {
        const end = this.#at;
        if (isBlank(it)) {
          this.#match(blanks);
          if (this.#char() !== '' && !isBreak(this.#char())) continue;
          this.#at = end;
        } else if (it !== quote && !isBlankOrEnd(it)) {
          this.#match(quote === '"' ? doubleQuoted : singleQuoted);
          continue;
        }
        parts.push(this.#text.slice(start, end));
        return false;
      }
      parts.push(this.#text.slice(start, this.#at));
      if (isDoubled) {
        parts.push("'");
        this.#at += 2;
      } else if (isBreak(this.#char(1))) {
        this.#at++;
        this.#nextLine();
        return true;
      } else parts.push(this.#escaped());
      start = this.#at;
    }
  }

  #escaped(): string {
    const it = this.#char(1);
    const length = Object.hasOwn(codeLengths, it) ? (codeLengths[it] ?? 0) : 0;
    if (length === 0) {
      const character = Object.hasOwn(escapes, it) ? escapes[it] : undefined;
      if (character === undefined) this.#fail('found unknown escape character');
      this.#at += 2;
      return character;
    }
    this.#at += 2;
    const digits = this.#text.slice(this.#at, this.#at + length);
    if (digits.length < length || !/^[\da-fA-F]+$/.test(digits)) this.#fail('did not find expected hexdecimal number');
    const code = Number.parseInt(digits, 16);
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
      this.#fail('found invalid Unicode character escape code');
    }
    this.#at += length;
    return String.fromCodePoint(code);
  }

  /** Reads blanks and line breaks in a scalar: a single break becomes a space. */
  #fold(parts: string[], afterBreak: boolean, indent = 0): void {
    const start = this.#at;
    let blanksEnd = this.#at;
    let leading = '';
    let trailing = '';
    let isAfterBreak = afterBreak;
    for (;;) {
      const it = this.#char();
      if (isBlank(it)) {
        if (isAfterBreak && it === '\t' && this.#column < indent) {
          this.#fail('found a tab character that violates indentation');
        }
        this.#at++;
        if (!isAfterBreak) blanksEnd = this.#at;
      } else if (isBreak(it)) {
        const read = this.#nextLine();
        if (isAfterBreak) trailing += read;
        else leading = read;
        isAfterBreak = true;
      } else break;
    }
    if (!isAfterBreak) parts.push(this.#text.slice(start, blanksEnd));
    else if (leading === '\n') parts.push(trailing === '' ? ' ' : trailing);
    else parts.push(leading, trailing);
  }

  #fetchPlain() {
    this.#saveKey();
    this.#keyAllowed = false;
    const line = this.#line;
    const first = this.#at;
    if (this.#flowLevel === 0) this.#skipWords();
    this.#skipPlain();
    const end = this.#char();
    // Most scalars are one word.
    if (!isBlank(end) && !isBreak(end)) return this.#add('scalar', this.#text.slice(first, this.#at), line, true);
    this.#at = first;
    const indent = this.#indent + 1;
    const parts: string[] = [];
    let isAfterBreak = false;
    for (;;) {
      if (this.#column === 0 && (this.#isIndicator('---') || this.#isIndicator('...'))) break;
      if (this.#char() === '#') break;
      const start = this.#at;
      if (this.#flowLevel === 0) this.#skipWords();
      this.#skipPlain();
      if (this.#at === start && parts.length > 0) {
        // What was folded precedes nothing.
        parts.pop();
        break;
      }
      if (this.#at > start) isAfterBreak = false;
      parts.push(this.#text.slice(start, this.#at));
      if (!isBlank(this.#char()) && !isBreak(this.#char())) break;
      const before = this.#line;
      const folded: string[] = [];
      this.#fold(folded, false, indent);
      isAfterBreak = this.#line > before;
      parts.push(folded.join(''));
      if (this.#flowLevel === 0 && this.#column < indent) break;
    }
    if (parts.length % 2 === 0) parts.pop();
    this.#add('scalar', parts.join(''), line, true);
    if (isAfterBreak) this.#keyAllowed = true;
  }

  /** Skips the words of a line of a plain scalar, but not the blanks after them. */
  #skipWords(): void {
    const start = this.#at;
    this.#match(plainLine);
    while (this.#at > start && this.#text.charAt(this.#at - 1) === ' ') this.#at--;
  }

  #skipPlain(): void {
    for (;;) {
      this.#match(plainCharacters);
      const it = this.#char();
      if (isBlankOrEnd(it) || (it === ':' && isBlankOrEnd(this.#char(1)))) return;
      if (this.#flowLevel > 0 && ',?[]{}'.includes(it)) return;
      this.#at++;
    }
  }
}

function noKey(at: number): SimpleKey {
  return { isPossible: false, isRequired: false, token: -1, at, line: 0, column: 0 };
}
