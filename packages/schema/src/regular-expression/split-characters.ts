/**
 * Finds out where it matters that JavaScript, without the flag `u`, reads a character beyond U+FFFF as two halves. With it,
 * V8 still begins to search between them, where only `\B` finds something: no atom takes halves, then.
 *
 * It is told of an expression's parts in the order in which they are written. Every atom takes either all halves
 * (`.`, `\S`, `[^a]`) or none, because an expression that names one half alone is refused. So whoever takes one half may
 * take the whole character as well, and the two languages agree unless
 * - two atoms that need something can share a character (`.+.+`, `.{2}`),
 * - an atom takes exactly one, so that it leaves the other half to what stands beside it (`a.b`); a match that begins
 *   or ends there (`\S`, `^.`) leaves it to nobody, and a repetition beside it (`\S.*`) takes it, or
 * - an assertion holds between the halves: `\B` does, `^`, `$` and `\b` do not.
 *
 * It may say that they differ where they do not, never the other way round.
 */
export class SplitCharacters {
  #differ = false;
  #atoms = 0;
  /** The alternatives and the sequence around each group that is open. */
  readonly #around: Alternatives[] = [];
  #inner: Alternatives = {};
  /** What was told last, as long as a quantifier may follow. */
  #last: Part | undefined;

  /** Whether the two languages may differ for characters beyond U+FFFF, when the whole expression was told. */
  get differ(): boolean {
    this.#append();
    this.#joinTail(this.#inner.tail);
    return this.#differ;
  }

  /** A character, a class, or an escape that stands for one. */
  atom(takesHalves: boolean): void {
    this.#append();
    this.#last = takesHalves ? single(++this.#atoms) : solid;
  }

  assertion(kind: '^' | '$' | 'b' | 'B'): void {
    this.#append();
    if (kind === 'B') this.#differ = true;
    this.#last = solid;
  }

  /** A quantifier of what was told last. */
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

  /** The alternatives that were told, when the last of them ends. */
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
    // One that is repeated takes both halves, and where it may take nothing, it may leave them to others too.
    if (part.isAtom && isLoop) {
      return min === 0 ? { ...solid, mayBeEmpty: true, isStar: true } : withoutOnes({ ...part, isAtom: false });
    }
    const isOnlyLone = part.hasLone && !part.hasFollowed && !part.hasPreceded;
    if (!(isLoop && isOnlyLone) && (part.hasLone || part.hasFollowed || part.hasPreceded)) this.#differ = true;
    // In a loop an atom meets itself, which is no other; a counted group is copied.
    const meetsItself = isLoop && part.first === part.last && part.first !== 'several';
    if (part.first !== 'none' && part.last !== 'none' && !meetsItself) this.#differ = true;
    return { ...withoutOnes(part), mayBeEmpty: part.mayBeEmpty || min === 0 };
  }
}

interface Alternatives {
  /** Those that were told to their end. */
  readonly before?: Part;
  /** What was told of the present one, but its last part. */
  sequence?: Part | undefined;
  tail?: Part | undefined;
}

/** Of the atoms that take halves and need at least one: none, the one with that number, or several. */
type Takers = 'none' | 'several' | number;

interface Part {
  readonly mayBeEmpty: boolean;
  readonly first: Takers;
  readonly last: Takers;
  /** It contains atoms that take one half or one character, and nothing in it stands before or behind them. */
  readonly hasLone: boolean;
  /** The same with something in it behind them, but nothing before. */
  readonly hasFollowed: boolean;
  readonly hasPreceded: boolean;
  readonly isAtom?: boolean;
  /** It takes as many halves as it is given, and may take none. */
  readonly isStar?: boolean;
}

/** What no half takes part in: nothing that takes halves can reach through it. */
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

/** The same where each atom in it finds a taker for the other half. */
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
