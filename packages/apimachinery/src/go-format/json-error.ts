import { goQuote } from './go-format.ts';

/** What a scanner expects next; it returns the following state, or why the character is invalid. */
type State = (character: string) => State | string;

const isSpace = (it: string): boolean => it === ' ' || it === '\n' || it === '\t' || it === '\r';
const isDigit = (it: string): boolean => it >= '0' && it <= '9';

/** The states of Go's `encoding/json` scanner (`scanner.go`), with its words for each place in a text. */
class JsonScanner {
  /** What surrounds the current position: an object before or after a colon, or an array. */
  readonly #open: ('key' | 'value' | 'array')[] = [];

  readonly beginValue: State = (it) => {
    if (isSpace(it)) return this.beginValue;
    if (it === '{') return this.#push('key', this.#beginKeyOrEnd);
    if (it === '[') return this.#push('array', this.#beginValueOrEnd);
    if (it === '"') return this.inString;
    if (it === '-') return this.#afterMinus;
    if (it === '0') return this.#afterInteger;
    if (isDigit(it)) return this.#inInteger;
    const literal = ['true', 'false', 'null'].find((word) => word.startsWith(it));
    return literal === undefined ? 'looking for beginning of value' : this.#inLiteral(literal, 1);
  };

  readonly #beginValueOrEnd: State = (it) => {
    if (isSpace(it)) return this.#beginValueOrEnd;
    return it === ']' ? this.#endValue(it) : this.beginValue(it);
  };

  readonly #beginKeyOrEnd: State = (it) => {
    if (isSpace(it)) return this.#beginKeyOrEnd;
    if (it !== '}') return this.#beginKey(it);
    this.#open[this.#open.length - 1] = 'value';
    return this.#endValue(it);
  };

  readonly #beginKey: State = (it) => {
    if (isSpace(it)) return this.#beginKey;
    return it === '"' ? this.inString : 'looking for beginning of object key string';
  };

  readonly #endValue: State = (it) => {
    if (isSpace(it)) return this.#endValue;
    const last = this.#open.length - 1;
    switch (this.#open[last]) {
      case 'key':
        if (it !== ':') return 'after object key';
        this.#open[last] = 'value';
        return this.beginValue;
      case 'value':
        if (it === '}') return this.#pop();
        if (it !== ',') return 'after object key:value pair';
        this.#open[last] = 'key';
        return this.#beginKey;
      case 'array':
        if (it === ']') return this.#pop();
        return it === ',' ? this.beginValue : 'after array element';
      default:
        return 'after top-level value';
    }
  };

  /** Public, so that the characters of a long string need no call each. */
  readonly inString: State = (it) => {
    if (it === '"') return this.#endValue;
    if (it === '\\') return this.#inEscape;
    return it < ' ' ? 'in string literal' : this.inString;
  };

  readonly #inEscape: State = (it) => {
    if (it === 'u') return this.#inHex(4);
    return 'bfnrt\\/"'.includes(it) ? this.inString : 'in string escape code';
  };

  readonly #afterMinus: State = (it) => {
    if (it === '0') return this.#afterInteger;
    return isDigit(it) ? this.#inInteger : 'in numeric literal';
  };

  readonly #inInteger: State = (it) => (isDigit(it) ? this.#inInteger : this.#afterInteger(it));

  readonly #afterInteger: State = (it) => {
    if (it !== '.') return this.#beforeExponent(it);
    return (first) => (isDigit(first) ? this.#inFraction : 'after decimal point in numeric literal');
  };

  readonly #inFraction: State = (it) => (isDigit(it) ? this.#inFraction : this.#beforeExponent(it));

  #beforeExponent(it: string): State | string {
    if (it !== 'e' && it !== 'E') return this.#endValue(it);
    return (sign) => (sign === '+' || sign === '-' ? this.#beginExponent : this.#beginExponent(sign));
  }

  readonly #beginExponent: State = (it) => (isDigit(it) ? this.#inExponent : 'in exponent of numeric literal');

  readonly #inExponent: State = (it) => (isDigit(it) ? this.#inExponent : this.#endValue(it));

  #inHex(left: number): State {
    return (it) => {
      if (!/^[0-9a-fA-F]$/.test(it)) return 'in \\u hexadecimal character escape';
      return left === 1 ? this.inString : this.#inHex(left - 1);
    };
  }

  #inLiteral(word: string, at: number): State {
    return (it) => {
      if (it !== word[at]) return `in literal ${word} (expecting '${word[at]}')`;
      return at + 1 === word.length ? this.#endValue : this.#inLiteral(word, at + 1);
    };
  }

  #push(what: 'key' | 'array', next: State): State {
    this.#open.push(what);
    return next;
  }

  #pop(): State {
    this.#open.pop();
    return this.#endValue;
  }
}

/** The message of Go's decoder for a text that is not JSON. */
export function goJsonError(text: string): string {
  const scanner = new JsonScanner();
  let state = scanner.beginValue;
  for (let at = 0; at <= text.length; at++) {
    if (state === scanner.inString) at = endOfPlain(text, at);
    // Go passes a space at the end, so that a number or a literal ends.
    const next = state(text[at] ?? ' ');
    if (typeof next !== 'string') state = next;
    else return `invalid character ${goQuoteByte(String.fromCodePoint(text.codePointAt(at) ?? 0x20))} ${next}`;
  }
  return 'unexpected end of JSON input';
}

/** The position of the next character from `at` that may end a string, or that it cannot have. */
function endOfPlain(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code < 0x20 || code === 0x22 || code === 0x5c) break;
  }
  return end;
}

/** The first byte of a character in UTF-8, as Go quotes it in a message about JSON. */
function goQuoteByte(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  const [byte = 0] = new TextEncoder().encode(character);
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
