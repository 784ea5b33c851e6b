import { codePointCount } from '../../code-points.ts';

/**
 * A problem in an expression, found while compiling: `line` counts from 1, `column` (in code points) from 0. `line` is -1 if
 * the problem has no position, for example for an expression that is too long.
 */
export interface CelIssue {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The longest line that an error message repeats; cel-go v0.26 `common/error.go`. */
const maxSnippetLength = 16_384;
const wideDot = '．';
const wideCaret = '＾';

/** The source of an expression. It converts offsets to positions and formats errors as the API server does. */
export class CelSource {
  readonly text: string;
  readonly #lineStarts: readonly number[];

  constructor(text: string) {
    this.text = text;
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  /** Creates an issue at a UTF-16 offset of the source. */
  issueAt(offset: number, message: string): CelIssue {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: codePointCount(this.text.slice(this.#lineStarts[low], offset)), message };
  }

  /** All issues by position, each with its line and a caret, as the API server prints them. */
  display(issues: readonly CelIssue[]): string {
    const sorted = [...issues].sort((a, b) => a.line - b.line || a.column - b.column);
    return sorted.map((issue) => this.#displayOne(issue)).join('\n');
  }

  #displayOne(issue: CelIssue): string {
    const head = `ERROR: <input>:${issue.line}:${issue.column + 1}: ${issue.message}`;
    const start = this.#lineStarts[issue.line - 1];
    if (start === undefined) return head;
    const next = this.#lineStarts[issue.line];
    const line = this.text.slice(start, next === undefined ? undefined : next - 1).replaceAll('\t', ' ');
    if (line.length > maxSnippetLength) return head;
    const points = [...line];
    const dots = points.slice(0, issue.column).map((point) => (isWide(point) ? wideDot : '.'));
    const caret = isWide(points[issue.column] ?? ' ') ? wideCaret : '^';
    return `${head}\n | ${line}\n | ${dots.join('')}${caret}`;
  }
}

function isWide(point: string): boolean {
  return (point.codePointAt(0) ?? 0) > 0x7f;
}
