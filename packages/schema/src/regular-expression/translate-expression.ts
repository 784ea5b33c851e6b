import { RE2JS } from 're2js';
import { foldedRanges } from './case-folding.ts';
import { SplitCharacters } from './split-characters.ts';

/** The RE2 pattern for a JavaScript expression, or the reason why there is none. */
export type TranslatedExpression =
  | {
      readonly pattern: string;
      /**
       * Whether results may differ for characters beyond U+FFFF: JavaScript counts them as two without the flag `u`, and always
       * for `\B`.
       */
      readonly countsAstralOnce: boolean;
    }
  | { readonly refused: string };

export interface TranslationOptions {
  /** An RE2 pattern for strings that are also allowed before, between and after the matched characters. */
  readonly between?: string;
}

/**
 * Translates a JavaScript regular expression for `pattern` of a schema, which the API server compiles with Go's RE2.
 * The result accepts the same strings. An expression that RE2 cannot express is rejected with the reason.
 */
export function translateExpression(
  { source, flags }: Pick<RegExp, 'source' | 'flags'>,
  options: TranslationOptions = {},
): TranslatedExpression {
  try {
    const translation = new Translation(source, flags, options);
    const pattern = translation.pattern();
    RE2JS.compile(pattern);
    return { pattern, countsAstralOnce: translation.countsAstralOnce };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    // RE2 rejects repetitions that it would have to unroll too far: x{1000}{2}.
    return { refused: `RE2 rejects it (${error instanceof Error ? error.message : String(error)})` };
  }
}

/** The pattern that matches a literal string. */
export function literalPattern(text: string): string {
  return [...text].map((character) => characterPattern(character.codePointAt(0) ?? 0)).join('');
}

class Refusal extends Error {}

/** JavaScript's `\s` inside of a class: RE2's `\s` is smaller. */
export const whitespace =
  '\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
const nonWhitespace =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}';
const controlEscapes: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const maxRepeat = 1000;
/** The size that RE2 compiles quickly; each repetition of `{n}` is a copy. Email addresses and URLs need less than a third. */
const maxSteps = 100_000;
const maxPatternLength = 100_000;

class Translation {
  readonly #source: string;
  readonly #flags: string;
  readonly #unicode: boolean;
  readonly #ignoreCase: boolean;
  readonly #between: string | undefined;
  #at = 0;
  /** Whether the current class or escape contains the halves of characters beyond U+FFFF: all or none of them. */
  #hasHalves = false;
  readonly #splits = new SplitCharacters();
  /** The numbers of RE2 steps of the current alternatives, of those around them, and of the last part. */
  #steps = 0;
  readonly #stepsAround: number[] = [];
  #lastSteps = 0;

  constructor(source: string, flags: string, { between }: TranslationOptions) {
    this.#source = source;
    this.#between = between;
    this.#flags = flags;
    this.#unicode = flags.includes('u');
    this.#ignoreCase = flags.includes('i');
    if (flags.includes('y')) {
      throw new Refusal(
        'with the flag y it starts where the last match ended, so each result may differ; remove the flag',
      );
    }
    if (flags.includes('v')) throw new Refusal('the flag v has no counterpart in RE2; use u');
    if (!this.#unicode && /[\uD800-\uDFFF]/.test(source)) {
      throw new Refusal('it contains a character beyond U+FFFF, which JavaScript reads as two; add the flag u');
    }
  }

  get countsAstralOnce(): boolean {
    return this.#splits.differ;
  }

  pattern(): string {
    let out = '';
    while (this.#at < this.#source.length) {
      out += this.#between === undefined ? this.#term() : this.#spacedTerm();
      if (out.length > maxPatternLength) throw new Refusal(`its pattern has more than ${maxPatternLength} characters`);
    }
    return out;
  }

  #spacedTerm(): string {
    const character = this.#peek() ?? '';
    const term = this.#term();
    if (character === '^') return `^${this.#between}`;
    // A brace that is not a quantifier is a character.
    const isCharacter = !'$()|*+?{'.includes(character) || term === '\\{';
    return isCharacter ? `(?:${term}${this.#between})` : term;
  }

  #term(): string {
    const character = this.#peek();
    switch (character) {
      case '(':
        this.#stepsAround.push(this.#steps);
        this.#steps = 0;
        this.#splits.open();
        return this.#groupStart();
      case '^':
      case '$':
        if (this.#flags.includes('m')) {
          throw new Refusal('with the flag m JavaScript also ends lines at \\r and U+2028, RE2 only at \\n');
        }
        this.#at++;
        this.#splits.assertion(character);
        return character;
      case ')':
        this.#at++;
        this.#lastSteps = this.#steps + 2;
        this.#steps = this.#lastSteps + (this.#stepsAround.pop() ?? 0);
        this.#splits.close();
        return character;
      case '|':
        this.#at++;
        this.#splits.alternative();
        return character;
      case '*':
      case '+':
      case '?':
        this.#at++;
        this.#splits.repeat(character === '+' ? 1 : 0, character === '?' ? 1 : Number.POSITIVE_INFINITY);
        return character + this.#laziness();
      case '{':
        return this.#counts();
      case '.':
        this.#at++;
        this.#countStep(true);
        return this.#flags.includes('s') ? '(?s:.)' : '[^\\n\\r\\x{2028}\\x{2029}]';
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      default:
        this.#countStep(false);
        return this.#literal(this.#codePoint());
    }
  }

  #groupStart(): string {
    const rest = this.#source.slice(this.#at);
    if (!rest.startsWith('(?')) {
      this.#at++;
      return '(';
    }
    if (rest.startsWith('(?:')) {
      this.#at += 3;
      return '(?:';
    }
    if (rest.startsWith('(?=') || rest.startsWith('(?!')) throw new Refusal('RE2 has no lookahead');
    if (rest.startsWith('(?<=') || rest.startsWith('(?<!')) throw new Refusal('RE2 has no lookbehind');
    const named = /^\(\?<[^>]*>/.exec(rest);
    if (named === null) throw new Refusal('it changes flags inside the expression');
    this.#at += named[0].length;
    return '(';
  }

  #counts(): string {
    const counts = /^\{(\d+)(?:,(\d*))?\}/.exec(this.#source.slice(this.#at, this.#at + 40));
    if (counts === null) {
      this.#at++;
      this.#countStep(false);
      return '\\{';
    }
    if (Number(counts[1]) > maxRepeat || Number(counts[2] ?? 0) > maxRepeat) {
      throw new Refusal(`RE2 allows at most ${maxRepeat} repetitions; use @MaxLength to limit the length`);
    }
    this.#at += counts[0].length;
    const copies = Math.max(1, Number(counts[2] || counts[1]));
    this.#steps += this.#lastSteps * (copies - 1);
    this.#lastSteps *= copies;
    if (this.#steps > maxSteps) throw new Refusal('its repetitions are too large for RE2; use @MaxLength');
    const min = Number(counts[1]);
    this.#splits.repeat(min, counts[2] === '' ? Number.POSITIVE_INFINITY : Number(counts[2] ?? min));
    return counts[0] + this.#laziness();
  }

  #laziness(): string {
    if (this.#peek() !== '?') return '';
    this.#at++;
    return '?';
  }

  #countStep(takesHalves: boolean): void {
    this.#steps++;
    this.#lastSteps = 1;
    this.#splits.atom(takesHalves && !this.#unicode);
  }

  #escape(): string {
    const kind = this.#source[this.#at + 1] ?? '';
    if (kind >= '1' && kind <= '9') throw new Refusal('RE2 has no backreferences');
    if (kind === 'k' && (this.#unicode || this.#source.includes('(?<'))) throw new Refusal('RE2 has no backreferences');
    if (kind === 'b' || kind === 'B') {
      if (this.#unicode && this.#ignoreCase) {
        throw new Refusal(
          'with the flags i and u \\b recognises more letters than in RE2; list the allowed characters',
        );
      }
      this.#at += 2;
      this.#steps++;
      this.#lastSteps = 1;
      this.#splits.assertion(kind);
      return `\\${kind}`;
    }
    this.#hasHalves = false;
    const set = this.#setEscape();
    this.#countStep(this.#hasHalves);
    if (set === undefined) return this.#literal(this.#characterEscape());
    return kind === 's' || kind === 'S' ? `[${set}]` : set;
  }

  /** `\d`, `\s`, `\p{L}` and their opposites, written for use inside of a class. Undefined for other escapes. */
  #setEscape(): string | undefined {
    const kind = this.#source[this.#at + 1] ?? '';
    if (kind === 'D' || kind === 'W' || kind === 'S') this.#hasHalves = true;
    if ('dDwW'.includes(kind) && kind !== '') {
      if (this.#unicode && this.#ignoreCase && kind.toLowerCase() === 'w') {
        throw new Refusal('with the flags i and u \\w matches more than in RE2; list the characters');
      }
      this.#at += 2;
      return `\\${kind}`;
    }
    if (kind === 's' || kind === 'S') {
      this.#at += 2;
      return kind === 's' ? whitespace : nonWhitespace;
    }
    if (this.#unicode && (kind === 'p' || kind === 'P')) {
      const property = /^\{(?:(?:Script|sc)=([A-Za-z_]+)|(?:(?:General_Category|gc)=)?([A-Z][a-z]?))\}/.exec(
        this.#source.slice(this.#at + 2),
      );
      if (property === null) throw new Refusal('RE2 supports \\p{...} only for scripts and short general categories');
      if (this.#ignoreCase) throw new Refusal('with the flag i \\p{...} differs in RE2');
      this.#at += 2 + property[0].length;
      return `\\${kind}{${property[1] ?? property[2]}}`;
    }
    return undefined;
  }

  /** The code point of an escape. */
  #characterEscape(): number {
    const rest = this.#source.slice(this.#at + 1);
    const kind = rest[0] ?? '';
    const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(rest) ?? undefined;
    if (hex !== undefined) {
      this.#at += 1 + hex[0].length;
      const unit = Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
      if (unit < 0xd800 || unit > 0xdfff) return unit;
      const low = /^\\u(D[C-Fc-f][0-9a-fA-F]{2})/i.exec(this.#source.slice(this.#at));
      if (!this.#unicode || low === null || unit > 0xdbff) {
        throw new Refusal('it contains half of a character beyond U+FFFF; add the flag u and write \\u{...}');
      }
      this.#at += low[0].length;
      return 0x10000 + ((unit - 0xd800) << 10) + (Number.parseInt(low[1] ?? '', 16) - 0xdc00);
    }
    const braced = this.#unicode ? /^u\{([0-9a-fA-F]+)\}/.exec(rest) : null;
    if (braced !== null) {
      this.#at += 1 + braced[0].length;
      return Number.parseInt(braced[1] ?? '', 16);
    }
    const control = controlEscapes[kind];
    if (control !== undefined) {
      this.#at += 2;
      return control;
    }
    if (kind === '0' && !/^\d/.test(rest.slice(1))) {
      this.#at += 2;
      return 0;
    }
    if (kind === 'c' || (kind >= '0' && kind <= '9')) throw new Refusal(`write the character \\${kind}... as \\xHH`);
    this.#at++;
    return this.#codePoint();
  }

  #class(): string {
    this.#at++;
    this.#hasHalves = false;
    const negated = this.#peek() === '^';
    if (negated) this.#at++;
    let items = '';
    while (this.#peek() !== ']') {
      if (this.#at >= this.#source.length) throw new Refusal('a class is not closed');
      // A hyphen at either end of a class is one in both languages.
      const isEdge = this.#peek() === '-' && (items === '' || this.#source[this.#at + 1] === ']');
      if (isEdge && this.#source[this.#at + 1] !== '-') {
        this.#at++;
        items += '-';
      } else items += this.#classItem();
    }
    this.#at++;
    if (items === '') {
      if (!negated) throw new Refusal('[] never matches');
      this.#countStep(true);
      return '(?s:.)';
    }
    this.#countStep(negated !== this.#hasHalves);
    return `[${negated ? '^' : ''}${items}]`;
  }

  #classItem(): string {
    const low = this.#classAtom();
    if (typeof low === 'string') return low;
    if (this.#peek() !== '-' || this.#source[this.#at + 1] === ']' || this.#at + 1 >= this.#source.length) {
      return this.#range(low, low);
    }
    this.#at++;
    const high = this.#classAtom();
    // Without u, [a-\d] is a, a hyphen and the digits.
    if (typeof high === 'string') return `${this.#range(low, low)}\\-${high}`;
    return this.#range(low, high);
  }

  #classAtom(): number | string {
    if (this.#peek() !== '\\') return this.#codePoint();
    if (this.#source[this.#at + 1] === 'b') {
      this.#at += 2;
      return 8;
    }
    return this.#setEscape() ?? this.#characterEscape();
  }

  #range(low: number, high: number): string {
    const text = rangeText(low, high);
    // A single half of a character beyond U+FFFF is rejected, so a range has all halves or none.
    if (!this.#unicode && low < 0xd800 && high > 0xdfff) {
      this.#hasHalves = true;
      return `${this.#ignoreCase ? this.#foldedBeyondAscii(low, high) : text}\\x{10000}-\\x{10FFFF}`;
    }
    if (!this.#ignoreCase) return text;
    if (high > 0x7f) return this.#foldedBeyondAscii(low, high);
    let folded = text;
    for (const [first, last, shift] of [
      [0x41, 0x5a, 32],
      [0x61, 0x7a, -32],
    ] as const) {
      const from = Math.max(low, first);
      const to = Math.min(high, last);
      if (from <= to) {
        folded += rangeText(from + shift, to + shift);
      }
    }
    return folded + this.#unicodeFoldings(low, high);
  }

  #literal(codePoint: number): string {
    if (!this.#ignoreCase) return characterPattern(codePoint);
    const range = this.#range(codePoint, codePoint);
    return range === classCharacter(codePoint) ? characterPattern(codePoint) : `[${range}]`;
  }

  #foldedBeyondAscii(low: number, high: number): string {
    if (this.#unicode) {
      throw new Refusal(
        'with the flags i and u the case of letters outside of ASCII is folded differently in RE2; write both cases',
      );
    }
    return foldedRanges(low, high)
      .map(([first, last]) => rangeText(first, last))
      .join('');
  }

  /** With i and u, JavaScript matches U+017F as an s and U+212A as a k. */
  #unicodeFoldings(low: number, high: number): string {
    if (!this.#unicode) return '';
    const covers = (letter: string) =>
      [letter, letter.toUpperCase()].some((either) => {
        const code = either.charCodeAt(0);
        return low <= code && code <= high;
      });
    return `${covers('s') ? '\\x{17F}' : ''}${covers('k') ? '\\x{212A}' : ''}`;
  }

  #peek(): string | undefined {
    return this.#source[this.#at];
  }

  #codePoint(): number {
    const codePoint = this.#source.codePointAt(this.#at) ?? 0;
    this.#at += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }
}

function characterPattern(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if ('\\.+*?()|[]{}^$'.includes(character)) return `\\${character}`;
  return printable(codePoint, character);
}

function rangeText(low: number, high: number): string {
  return low === high ? classCharacter(low) : `${classCharacter(low)}-${classCharacter(high)}`;
}

function classCharacter(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  if ('\\[]^-'.includes(character)) return `\\${character}`;
  return printable(codePoint, character);
}

function printable(codePoint: number, character: string): string {
  return codePoint >= 0x20 && codePoint <= 0x7e ? character : `\\x{${codePoint.toString(16).toUpperCase()}}`;
}
