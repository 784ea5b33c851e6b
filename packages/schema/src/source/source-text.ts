import type { Comment } from 'oxc-parser';
import { descriptionOf } from './doc-comment.ts';

export interface Spanned {
  readonly start: number;
  readonly end: number;
}

/** The source text of a module, with its lines and JSDoc comments. */
export class SourceText {
  readonly path: string;
  readonly #text: string;
  readonly #docs: readonly Comment[];
  readonly #lineStarts: readonly number[];

  constructor(path: string, text: string, comments: readonly Comment[]) {
    this.path = path;
    this.#text = text;
    this.#docs = comments.filter((comment) => comment.type === 'Block' && comment.value.startsWith('*'));
    const lineStarts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
    this.#lineStarts = lineStarts;
  }

  slice(node: Spanned): string {
    return this.#text.slice(node.start, node.end);
  }

  lineOf(offset: number): number {
    return countUpTo(this.#lineStarts, offset);
  }

  /** The last JSDoc comment before a name: before, between or after its decorators, but not inside one. */
  descriptionBetween(from: number, to: number, decorators: readonly Spanned[] = []): string | undefined {
    for (let index = countUpTo(this.#docStarts, to) - 1; index >= 0; index--) {
      const doc = this.#docs[index];
      if (doc === undefined || doc.start < from) return undefined;
      if (doc.end > to || decorators.some(({ start, end }) => doc.start >= start && doc.end <= end)) continue;
      return descriptionOf(doc.value.slice(1));
    }
    return undefined;
  }

  get #docStarts(): readonly number[] {
    this.#starts ??= this.#docs.map((doc) => doc.start);
    return this.#starts;
  }
  #starts: readonly number[] | undefined;
}

/** The number of sorted numbers that are at most the limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
