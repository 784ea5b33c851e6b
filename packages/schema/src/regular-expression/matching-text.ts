import type { Random } from '@evenkeel/core';

/** Returns a random string. */
export type TextGenerator = (random: Random) => string;

/**
 * Strings that a regular expression probably accepts: the generator follows the expression with random choices. It ignores
 * assertions other than `^` and `$`, and syntax that only RE2 has, so some strings do not match.
 */
export function matchOf(expression: RegExp): TextGenerator {
  const writer = new Parser(expression.source, expression.flags).alternatives();
  return (random) => writer(random, []);
}

/** Ordinary characters, and characters for which engines differ. */
export const oddCharacters: readonly string[] = [
  ...'abfkszABFKSZ0159.,:;-_+#%@/\\ ="\'()[]{}<>^$|*?!&~`',
  ...['\n', '\r', '\t', '\v', '\0', '\x7f', '\u00a0', '\u2028', '\ufeff', '\u200d', '\ufe0f', '\u0301'],
  ...['é', 'É', 'ß', 'ſ', '\u212a', 'İ', 'ı', 'Ω', 'я', '中', 'あ', 'Ａ', '１', '٣', '\ud7ff', '😀', '𝒳', '𐐀'],
];

type Writer = (random: Random, captures: string[]) => string;
type Accepts = (character: string) => boolean;

class Parser {
  readonly #source: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  #groups = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#ignoresCase = flags.includes('i');
  }

  alternatives(): Writer {
    const sequences = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      sequences.push(this.#sequence());
    }
    return (random, captures) => (sequences[random.integer(sequences.length)] ?? nothing)(random, captures);
  }

  #sequence(): Writer {
    const terms: Writer[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      terms.push(this.#repeated(this.#atom()));
    }
    return (random, captures) => {
      let text = '';
      for (const term of terms) text += term(random, captures);
      return text;
    };
  }

  #repeated(atom: Writer): Writer {
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at, this.#at + 20));
    if (quantifier === null) return atom;
    this.#at += quantifier[0].length;
    const [sign] = quantifier[0];
    const min = sign === '+' ? 1 : Number(quantifier[1] ?? 0);
    const hasNoEnd = sign === '*' || sign === '+' || (quantifier[2] === ',' && quantifier[3] === '');
    const max = sign === '?' ? 1 : hasNoEnd ? min + 5 : Number(quantifier[3] || quantifier[1]);
    return (random, captures) => {
      const isFar = hasNoEnd && random.integer(50) === 0;
      const count = isFar ? min + random.integer(80) : min + random.integer(max - min + 1);
      let text = '';
      for (let at = 0; at < count; at++) text += atom(random, captures);
      return text;
    };
  }

  #atom(): Writer {
    const character = this.#next();
    switch (character) {
      case '^':
      case '$':
        return nothing;
      case '.':
        return anyOf((one) => !/[\n\r\u2028\u2029]/.test(one));
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      default:
        return this.#literal(character);
    }
  }

  #group(): Writer {
    const kind = /^\?(?::|=|!|<=|<!|<\w+>)/.exec(this.#source.slice(this.#at, this.#at + 40))?.[0] ?? '';
    this.#at += kind.length;
    const captures = kind === '' || kind.endsWith('>') ? this.#groups++ : undefined;
    const content = this.alternatives();
    this.#at++;
    if (/^\?<?[=!]/.test(kind)) return nothing;
    if (captures === undefined) return content;
    return (random, found) => {
      const text = content(random, found);
      found[captures] = text;
      return text;
    };
  }

  #class(): Writer {
    const start = this.#at;
    while (this.#at < this.#source.length && this.#source[this.#at] !== ']')
      this.#at += this.#source[this.#at] === '\\' ? 2 : 1;
    const body = this.#source.slice(start, this.#at++);
    const accepts = classExpression(body, this.#ignoresCase);
    return anyOf((one) => accepts.test(one), namedIn(body));
  }

  #escape(): Writer {
    const rest = this.#source.slice(this.#at);
    const coded = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\})/.exec(rest);
    if (coded !== null) {
      this.#at += coded[0].length;
      return this.#literal(String.fromCodePoint(Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? '', 16)));
    }
    const property = /^[pP]\{[^}]*\}/.exec(rest);
    if (property !== null) {
      this.#at += property[0].length;
      return anyOf(accepting(new RegExp(`^\\${property[0]}$`, 'u')));
    }
    const kind = this.#next();
    if ('dDwWsS'.includes(kind)) return anyOf(accepting(new RegExp(`^\\${kind}$`, 'u')));
    if (kind >= '1' && kind <= '9') return (_random, captures) => captures[Number(kind) - 1] ?? '';
    if (kind === 'b' || kind === 'B') return nothing;
    const controls: Readonly<Record<string, string>> = { t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', 0: '\0' };
    return this.#literal(controls[kind] ?? kind);
  }

  #literal(character: string): Writer {
    if (!this.#ignoresCase) return () => character;
    const cases = [character, character.toLowerCase(), character.toUpperCase()];
    return (random) => cases[random.integer(3)] ?? character;
  }

  #next(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }
}

const nothing: Writer = () => '';

const ascii = Array.from({ length: 128 }, (_unused, code) => String.fromCharCode(code));

function anyOf(accepts: Accepts, named: readonly string[] = []): Writer {
  const characters = [...new Set([...ascii, ...oddCharacters, ...named])].filter(accepts);
  return (random) => characters[random.integer(characters.length)] ?? '';
}

function accepting(expression: RegExp): Accepts {
  return (character) => expression.test(character);
}

/** The flag u, which characters beyond U+FFFF need, changes the meaning of `\-` and `\_`. */
function classExpression(body: string, ignoresCase: boolean): RegExp {
  const flag = ignoresCase ? 'i' : '';
  try {
    return new RegExp(`^[${body}]$`, `u${flag}`);
  } catch {
    return new RegExp(`^[${body}]$`, flag);
  }
}

/** The single characters of a class, and some of each of its ranges. */
function namedIn(body: string): string[] {
  const characters = [...body].map((character) => character.codePointAt(0) ?? 0);
  const code = '\\\\u[0-9a-fA-F]{4}|\\\\x[0-9a-fA-F]{2}|[^\\\\]';
  for (const [, low = '', high = ''] of body.matchAll(new RegExp(`(${code})-(${code})`, 'gsu'))) {
    const [first, last] = [codeOf(low), codeOf(high)];
    const step = Math.max(1, Math.floor((last - first) / 40));
    for (let at = first; at <= last; at += step) characters.push(at);
    characters.push(last);
  }
  return characters.map((one) => String.fromCodePoint(one)).filter((one) => one.isWellFormed());
}

function codeOf(text: string): number {
  return text.length > 2 && text.startsWith('\\') ? Number.parseInt(text.slice(2), 16) : (text.codePointAt(0) ?? 0);
}
