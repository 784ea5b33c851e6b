import type { CodeStyle } from './code-style.ts';
import type { SourceModule } from './source-module.ts';
import { insertion, removal, type TextEdit } from './text-edit.ts';

/** Entries between brackets, in an array, an object or an import. */
export interface BracketedList {
  /** The position of the opening bracket. */
  readonly start: number;
  /** The position after the closing bracket. */
  readonly end: number;
  readonly entries: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Returns the edits that add an entry in the list's own format: in a separate line if the other entries have separate lines, otherwise in
 * the line of the list. Comments stay with the entries that they follow.
 *
 * @param index the place of the new entry. Default: the end.
 * @param padding the blanks between the brackets and the new entry of an empty list.
 */
export function entryAdded(
  module: SourceModule,
  list: BracketedList,
  entry: string,
  style: CodeStyle,
  { index = list.entries.length, padding = '' }: { readonly index?: number; readonly padding?: string } = {},
): TextEdit[] {
  const { entries } = list;
  const previous = entries[index - 1];
  const following = entries[index];
  if (previous === undefined && following === undefined) return [firstAdded(module, list, entry, style, padding)];
  const isMultiline = hasLines(module, list);
  if (previous === undefined) {
    const { start = list.start + 1 } = following ?? {};
    const gap = isMultiline ? style.newline + module.indentationAt(start) : gapOf(module, list);
    return [insertion(start, `${entry},${gap}`)];
  }
  const comma = commaAfter(module, list, index - 1);
  const tail = module.endOfTail(comma === undefined ? previous.end : comma + 1);
  if (isMultiline || endsInLineComment(module, tail)) {
    const line = `${style.newline}${module.indentationAt(previous.start)}${entry}`;
    return comma === undefined ? [insertion(previous.end, ','), insertion(tail, line)] : [insertion(tail, `${line},`)];
  }
  const gap = gapOf(module, list);
  if (comma === undefined) return [insertion(tail, `,${gap}${entry}`)];
  return [insertion(comma + 1, `${gap}${entry},`)];
}

function firstAdded(
  module: SourceModule,
  { start, end }: BracketedList,
  entry: string,
  style: CodeStyle,
  padding: string,
): TextEdit {
  const inside = module.text.slice(start + 1, end - 1);
  const comma = style.hasTrailingCommas ? ',' : '';
  const deeper = module.indentationAt(start) + style.indentation;
  const comment = module.comments.findLast((each) => each.start > start && each.end < end);
  if (comment !== undefined) {
    const isLast = !module.text.slice(comment.end, end - 1).includes('\n');
    if (isLast) return insertion(comment.end, ` ${entry}`);
    const before = module.text.slice(module.lineStart(comment.start), comment.start);
    const indentation = before.trim() === '' ? before : deeper;
    return insertion(comment.end, `${style.newline}${indentation}${entry}${comma}`);
  }
  if (inside.includes('\n')) return insertion(start + 1, `${style.newline}${deeper}${entry}${comma}`);
  return inside === ''
    ? insertion(start + 1, `${padding}${entry}${padding}`)
    : insertion(start + 1, `${inside}${entry}`);
}

/** Returns the edits that remove an entry with its comma and the comments behind it on its line. */
export function entryRemoved(module: SourceModule, list: BracketedList, index: number): TextEdit[] {
  const { text } = module;
  const entry = list.entries[index];
  if (entry === undefined) throw new RangeError(`the list has no entry ${index}`);
  const comma = commaAfter(module, list, index);
  const previousComma = index > 0 ? commaAfter(module, list, index - 1) : undefined;
  const end = comma === undefined ? entry.end : comma + 1;
  const lineStart = module.lineStart(entry.start);
  const lineEnd = module.afterBlanks(module.endOfTail(end));
  const afterLine = module.afterNewline(lineEnd);
  if (text.slice(lineStart, entry.start).trim() === '' && lineStart > list.start && afterLine > lineEnd) {
    const isLast = comma === undefined && previousComma !== undefined;
    return [...(isLast ? [removal(previousComma, previousComma + 1)] : []), removal(lineStart, afterLine)];
  }
  if (index < list.entries.length - 1) {
    const next = module.afterBlanks(end);
    if (module.afterNewline(next) === next) return [removal(entry.start, next)];
    return [removal(beforeBlanks(text, entry.start), end)];
  }
  if (previousComma !== undefined) {
    return [removal(comma === undefined ? previousComma : previousComma + 1, end)];
  }
  const before = beforeBlanks(text, entry.start);
  const isAfterComment = module.comments.some((comment) => comment.end === before);
  return [isAfterComment ? removal(before, end) : removal(entry.start, module.afterBlanks(end))];
}

function beforeBlanks(text: string, position: number): number {
  let at = position;
  while (text[at - 1] === ' ' || text[at - 1] === '\t') at--;
  return at;
}

/** Whether entries have separate lines. */
function hasLines(module: SourceModule, { start, entries }: BracketedList): boolean {
  return entries.some((entry, index) =>
    module.text.slice(index === 0 ? start : entries[index - 1]?.end, entry.start).includes('\n'),
  );
}

function commaAfter(module: SourceModule, list: BracketedList, index: number): number | undefined {
  const { end = list.start } = list.entries[index] ?? {};
  return module.find(',', end, list.entries[index + 1]?.start ?? list.end - 1);
}

/** The blanks between the comma and the next entry. */
function gapOf(module: SourceModule, list: BracketedList): string {
  const comma = commaAfter(module, list, 0);
  const second = list.entries[1];
  const gap = comma === undefined || second === undefined ? ' ' : module.text.slice(comma + 1, second.start);
  return gap.trim() === '' ? gap : ' ';
}

function endsInLineComment(module: SourceModule, end: number): boolean {
  return module.comments.some((comment) => comment.end === end && comment.type === 'Line');
}
