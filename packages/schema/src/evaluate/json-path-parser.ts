import { trimRight } from './apimachinery.ts';

/** One step of a path. Names are those of client-go's parser. */
export type PathStep =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly start: number; readonly end: SliceEnd; readonly step: number }
  | { readonly type: 'union'; readonly paths: readonly (readonly PathStep[])[] }
  | { readonly type: 'filter'; readonly left: readonly PathStep[]; readonly comparison: Comparison | undefined }
  /** A number or boolean, once for each value it is asked of. */
  | { readonly type: 'literal'; readonly value: number | boolean }
  /** A text, whatever it is asked of. */
  | { readonly type: 'text'; readonly text: string }
  /** A word that is none of the above; it parses, and fails when it is evaluated. */
  | { readonly type: 'identifier'; readonly name: string };

/** `one`: the element at the start alone. `undefined`: to the end. */
export type SliceEnd = number | 'one' | undefined;

export interface Comparison {
  /** What stands between the sides; anything but the six comparisons fails when it is evaluated. */
  readonly operator: string;
  readonly right: readonly PathStep[];
}

/** A path that cannot be read, or not be followed. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/**
 * Reads what stands between `{` and `}` in a JSONPath template, as client-go does, oddities included: a bracket ends at
 * the first `]` and a filter at the first `)` that is not quoted, a quoted key may hold dots that separate fields, and a
 * filter may compare but not combine. Takes time linear in the text, for each of the few levels that brackets can nest.
 *
 * Source: client-go `util/jsonpath/parser.go`.
 *
 * @throws JsonPathError where client-go refuses the text
 */
export function parseJsonPath(text: string): PathStep[] {
  return new PathParser(text).parse();
}

class PathParser {
  readonly #text: string;
  readonly #steps: PathStep[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PathStep[] {
    while (this.#at < this.#text.length) this.#step();
    return this.#steps;
  }

  #step(): void {
    const text = this.#text;
    const start = this.#at;
    const character = text[start] ?? '';
    if (text.startsWith('[?(', start)) this.#filter();
    else if (text.startsWith('..', start)) this.#recursive();
    else if (character === '[') this.#bracket();
    else if (character === '"' || character === "'") this.#quoted(character);
    else if (character === '.') this.#field(start + 1);
    else if (character === '+' || character === '-' || isDigit(character)) this.#number();
    else if (isWordCharacter(character)) this.#word();
    else if (character === ' ' || character === '@' || character === '$') this.#at++;
    else throw new JsonPathError(`unrecognized character ${JSON.stringify(character)}`);
  }

  #field(start: number): void {
    this.#at = start;
    while (this.#at < this.#text.length && !isTerminator(this.#text[this.#at])) {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    }
    this.#at = Math.min(this.#at, this.#text.length);
    const name = this.#text.slice(start, this.#at);
    this.#steps.push(name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') });
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.type === 'recursive') throw new JsonPathError('invalid multiple recursive descent');
    this.#at += 2;
    this.#steps.push({ type: 'recursive' });
    if (isWordCharacter(this.#text[this.#at] ?? '')) this.#field(this.#at);
  }

  #number(): void {
    const start = this.#at++;
    while (this.#text[this.#at] === '.' || isDigit(this.#text[this.#at] ?? '')) this.#at++;
    const text = this.#text.slice(start, this.#at);
    const value = Number(text);
    if (text === '+' || text === '-' || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#steps.push({ type: 'literal', value });
  }

  #word(): void {
    const start = this.#at;
    while (this.#at < this.#text.length && !isTerminator(this.#text[this.#at])) this.#at++;
    const name = this.#text.slice(start, this.#at);
    if (name === 'true' || name === 'false') this.#steps.push({ type: 'literal', value: name === 'true' });
    else this.#steps.push({ type: 'identifier', name });
  }

  #quoted(quote: string): void {
    const start = this.#at++;
    for (;;) {
      const character = this.#text[this.#at++];
      if (character === undefined || character === '\n') throw new JsonPathError('unterminated quoted string');
      if (character === quote && this.#text[this.#at - 2] !== '\\') break;
    }
    this.#steps.push({ type: 'text', text: unquote(this.#text.slice(start + 1, this.#at - 1), quote) });
  }

  #bracket(): void {
    const start = this.#at;
    const end = this.#text.indexOf(']', start);
    const content = end < 0 ? '\n' : this.#text.slice(start + 1, end);
    if (content.includes('\n')) throw new JsonPathError('unterminated array');
    this.#at = end + 1;
    const parts = content.split(',');
    if (parts.length > 1) {
      const paths = parts.map((part) => parseJsonPath(`[${trimRight(part.replace(/^ +/, ''), ' ')}]`));
      this.#steps.push({ type: 'union', paths });
      return;
    }
    const key = /^'([^']*)'$/.exec(content)?.[1];
    if (key !== undefined) this.#steps.push(...parseJsonPath(`.${key}`));
    else this.#steps.push(slice(content === '*' ? ':' : content));
  }

  #filter(): void {
    const start = this.#at + 3;
    let opened: string | undefined;
    let closed = false;
    let at = start;
    for (; ; at++) {
      const character = this.#text[at];
      if (character === undefined || character === '\n') throw new JsonPathError('unterminated filter');
      if (character === '"' || character === "'") {
        if (opened === undefined) opened = character;
        else if (character === opened && this.#text[at - 1] !== '\\') closed = true;
      } else if (character === ')' && (opened !== undefined) === closed) break;
    }
    if (this.#text[at + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    this.#at = at + 2;
    const content = this.#text.slice(start, at);
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)([^\n]+)$/.exec(content) ?? [];
    this.#steps.push(
      left === undefined || operator === undefined || right === undefined
        ? { type: 'filter', left: parseJsonPath(content), comparison: undefined }
        : { type: 'filter', left: parseJsonPath(left), comparison: { operator, right: parseJsonPath(right) } },
    );
  }
}

function slice(content: string): PathStep {
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(content);
  if (match === null) throw new JsonPathError(`invalid array index ${content}`);
  const number = (text: string | undefined): number | undefined => {
    if (text === undefined || text === '') return undefined;
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new JsonPathError(`array index ${text} is not a number`);
    return value;
  };
  const start = number(match[1]) ?? 0;
  const end = match[2] === undefined ? 'one' : number(match[2].slice(1));
  return { type: 'slice', start, end, step: number(match[3]?.slice(1)) ?? 1 };
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** Go's `strconv.UnquoteChar` over a whole text. */
function unquote(text: string, quote: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]?))/g,
    (_, byte?: string, short?: string, long?: string, octal?: string, character?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      const hex = byte ?? short ?? long;
      if (hex !== undefined && Number.parseInt(hex, 16) <= 0x10ffff)
        return String.fromCodePoint(Number.parseInt(hex, 16));
      const plain = character === quote ? quote : escapes[character ?? ''];
      if (plain === undefined) throw new JsonPathError(`unquote string ${quote}${text}${quote}: invalid syntax`);
      return plain;
    },
  );
}

function isTerminator(character: string | undefined): boolean {
  return character !== undefined && ' \t\r\n.,[]$@{}'.includes(character);
}

function isDigit(character: string): boolean {
  return /^\p{Nd}$/u.test(character);
}

function isWordCharacter(character: string): boolean {
  return character === '_' || /^[\p{L}\p{Nd}]$/u.test(character);
}
