import { EvenkeelError } from '@evenkeel/core';
import { type Comment, type Node, type Program, parseSync } from 'oxc-parser';

/** A module with its syntax tree. Positions are those in {@link text}. */
export class SourceModule {
  /** The absolute path. */
  readonly path: string;
  /** The text without a byte order mark. */
  readonly text: string;
  readonly program: Program;
  /** In the order of the text. */
  readonly comments: readonly Comment[];
  /** The first syntax error, with its line; undefined for a module without errors. The tree is then incomplete. */
  readonly mistake: { readonly line: number; readonly message: string } | undefined;

  constructor(path: string, text: string) {
    const { program, comments, errors } = parseSync(path, text, { sourceType: 'module', preserveParens: false });
    this.path = path;
    this.text = text;
    this.program = program;
    this.comments = comments;
    const first = errors.find(({ severity }) => severity === 'Error');
    this.mistake =
      first === undefined ? undefined : { line: this.lineOf(first.labels[0]?.start ?? 0), message: first.message };
  }

  /** Throws `source-not-parsed` if the module has a syntax error. */
  checked(shown: string): this {
    if (this.mistake === undefined) return this;
    const { line, message } = this.mistake;
    throw new EvenkeelError('source-not-parsed', `${shown}:${line}: ${message}; fix the syntax error first`);
  }

  textOf({ start, end }: Pick<Node, 'start' | 'end'>): string {
    return this.text.slice(start, end);
  }

  /** The line of a position, from 1. */
  lineOf(position: number): number {
    return this.text.slice(0, position).split('\n').length;
  }

  /** The start of the line that contains a position. */
  lineStart(position: number): number {
    return this.text.lastIndexOf('\n', position - 1) + 1;
  }

  /** The blanks at the start of the line that contains a position. */
  indentationAt(position: number): string {
    return /^[ \t]*/.exec(this.text.slice(this.lineStart(position)))?.[0] ?? '';
  }

  /** The end of the blanks and comments that follow a position on its line; the position itself if there are no comments. */
  endOfTail(position: number): number {
    let end = position;
    for (let at = position; ; ) {
      at = this.afterBlanks(at);
      const comment = this.comments.find(({ start }) => start === at);
      if (comment === undefined || this.textOf(comment).includes('\n')) return end;
      end = comment.end;
      at = end;
    }
  }

  afterBlanks(position: number): number {
    let at = position;
    while (this.text[at] === ' ' || this.text[at] === '\t') at++;
    return at;
  }

  /** The position after the newline at `position`, or `position` if there is no newline. */
  afterNewline(position: number): number {
    return position + (/^\r?\n/.exec(this.text.slice(position, position + 2))?.[0].length ?? 0);
  }

  /** The first position of a character in a range, outside of comments. */
  find(character: string, from: number, until: number): number | undefined {
    for (
      let at = this.text.indexOf(character, from);
      at >= 0 && at < until;
      at = this.text.indexOf(character, at + 1)
    ) {
      if (!this.comments.some(({ start, end }) => start <= at && at < end)) return at;
    }
    return undefined;
  }
}

/** Yields a node and all nodes below it, in the order of the text. */
export function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'parent') continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesIn(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
