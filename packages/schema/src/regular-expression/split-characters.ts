/**
 * Determines whether the result of an expression depends on how characters beyond U+FFFF are read. Without the flag `u`,
 * JavaScript reads such a character as two halves. With the flag, V8 still starts a search between the halves, where only
 * `\B` can match, because no atom matches a half.
 *
 * The caller reports the parts of an expression in their order. Every atom matches either all halves (`.`, `\S`, `[^a]`) or
 * none, because an expression with a single half is rejected. So an atom that matches one half also matches the whole
 * character, and the two languages agree unless
 * - two atoms that each need a match can share a character (`.+.+`, `.{2}`),
 * - an atom matches exactly one half, and the part beside it must match the other half (`a.b`). This is no problem if the
 *   match starts or ends there (`\S`, `^.`), or if a repetition beside it matches the other half (`\S.*`). Or
 * - an assertion matches between the halves: `\B` does; `^`, `$` and `\b` do not.
 *
 * It may report a difference that does not exist, but it never misses one.
 */
export class SplitCharacters {
  #differ = false;
  #atoms = 0;
  /** The alternatives and the sequence around each open group. */
  readonly #around: Alternatives[] = [];
  #inner: Alternatives = {};
  /** The last reported part, as long as a quantifier may follow. */
  #last: Part | undefined;

  /** Whether the two languages may differ for characters beyond U+FFFF. Read it after all parts have been reported. */
  get differ(): boolean {
    this.#append();
    this.#joinTail(this.#inner.tail);
    return this.#differ;
  }

  /** Reports a character, a class, or an escape for one of these. */
  atom(takesHalves: boolean): void {
    this.#append();
    this.#last = takesHalves ? single(++this.#atoms) : solid;
  }

  assertion(kind: '^' | '$' | 'b' | 'B'): void {
    this.#append();
    if (kind === 'B') this.#differ = true;
    this.#last = solid;
  }

  /** Reports a quantifier of the last part. */
  repeat(min: number, max: number): void {
    const part = this.#last;
    if (part === undefined) return;
    if (max > 1) this.#last = this.#repeated(part, min, max);
    else if (min === 0) this.#last = { ...part, mayBeEmpty: true };
  }

  alternative(): void {
    this.#append();
    this.#inner = { before: this.#ended() };
  }

  open(): void {
    this.#append();
    this.#around.push(this.#inner);
    this.#inner = {};
  }

  close(): void {
    this.#append();
    const group = this.#ended();
    this.#inner = this.#around.pop() ?? {};
    this.#last = group;
  }

  #append(): void {
    const part = this.#last;
    if (part === undefined) return;
    this.#last = undefined;
    const { tail } = this.#inner;
    const isHelped = tail?.isStar === true && part.isAtom === true;
    const helps = part.isStar === true && tail?.isAtom === true;
    this.#joinTail(helps && tail !== undefined ? withoutOnes(tail) : tail);
    this.#inner.tail = isHelped ? withoutOnes(part) : part;
  }

  #joinTail(tail: Part | undefined): void {
    const { sequence } = this.#inner;
    if (tail !== undefined) this.#inner.sequence = sequence === undefined ? tail : this.#joined(sequence, tail);
    this.#inner.tail = undefined;
  }

  /** The part that consists of all alternatives, at the end of the last one. */
  #ended(): Part {
    this.#joinTail(this.#inner.tail);
    const { before, sequence } = this.#inner;
    return either(before, sequence ?? empty);
  }

  #joined(left: Part, right: Part): Part {
    if (left.last !== 'none' && right.first !== 'none') this.#differ = true;
    if (left.hasPreceded || right.hasFollowed) this.#differ = true;
    return {
      mayBeEmpty: left.mayBeEmpty && right.mayBeEmpty,
      first: left.mayBeEmpty ? union(left.first, right.first) : left.first,
      last: right.mayBeEmpty ? union(left.last, right.last) : right.last,
      hasLone: false,
      hasFollowed: left.hasLone || left.hasFollowed,
      hasPreceded: right.hasLone || right.hasPreceded,
    };
  }

  #repeated(part: Part, min: number, max: number): Part {
    const isLoop = max === Number.POSITIVE_INFINITY && min <= 1;
    // A repeated atom matches both halves. If it may match nothing, other parts may also match them.
    if (part.isAtom && isLoop) {
      return min === 0 ? { ...solid, mayBeEmpty: true, isStar: true } : withoutOnes({ ...part, isAtom: false });
    }
    const isOnlyLone = part.hasLone && !part.hasFollowed && !part.hasPreceded;
    if (!(isLoop && isOnlyLone) && (part.hasLone || part.hasFollowed || part.hasPreceded)) this.#differ = true;
    // In a loop an atom follows itself, which is not another atom; a counted group is copied.
    const meetsItself = isLoop && part.first === part.last && part.first !== 'several';
    if (part.first !== 'none' && part.last !== 'none' && !meetsItself) this.#differ = true;
    return { ...withoutOnes(part), mayBeEmpty: part.mayBeEmpty || min === 0 };
  }
}

interface Alternatives {
  /** The completed alternatives. */
  readonly before?: Part;
  /** The current alternative without its last part. */
  sequence?: Part | undefined;
  tail?: Part | undefined;
}

/** The atoms that match halves and need at least one: none, the one with that number, or several. */
type Takers = 'none' | 'several' | number;

interface Part {
  readonly mayBeEmpty: boolean;
  readonly first: Takers;
  readonly last: Takers;
  /** Whether it contains atoms that match one half or one character, with nothing before or after them inside the part. */
  readonly hasLone: boolean;
  /** The same with something after them, but nothing before. */
  readonly hasFollowed: boolean;
  readonly hasPreceded: boolean;
  readonly isAtom?: boolean;
  /** Whether it matches any number of halves, including none. */
  readonly isStar?: boolean;
}

/** A part that matches no halves and separates the parts on its sides. */
const solid: Part = {
  mayBeEmpty: false,
  first: 'none',
  last: 'none',
  hasLone: false,
  hasFollowed: false,
  hasPreceded: false,
};
const empty: Part = { ...solid, mayBeEmpty: true };

function single(number: number): Part {
  return { ...solid, first: number, last: number, hasLone: true, isAtom: true };
}

/** The part if something matches the other half of each of its atoms. */
function withoutOnes(part: Part): Part {
  return { ...part, hasLone: false, hasFollowed: false, hasPreceded: false };
}

function either(left: Part | undefined, right: Part): Part {
  if (left === undefined) return { ...right, isAtom: false, isStar: false };
  return {
    mayBeEmpty: left.mayBeEmpty || right.mayBeEmpty,
    first: union(left.first, right.first),
    last: union(left.last, right.last),
    hasLone: left.hasLone || right.hasLone,
    hasFollowed: left.hasFollowed || right.hasFollowed,
    hasPreceded: left.hasPreceded || right.hasPreceded,
  };
}

function union(one: Takers, other: Takers): Takers {
  if (one === 'none' || one === other) return other;
  return other === 'none' ? one : 'several';
}
