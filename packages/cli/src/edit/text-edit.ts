/** Replaces a range of a text. An insertion has an empty range. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const insertion = (at: number, text: string): TextEdit => ({ start: at, end: at, text });
export const removal = (start: number, end: number): TextEdit => ({ start, end, text: '' });

/** Returns a text with edits, whose positions are those before any edit. Insertions at one position keep their order. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((left, right) => left.start - right.start);
  let result = '';
  let at = 0;
  for (const edit of sorted) {
    if (edit.start < at) throw new RangeError(`the edits at ${at} and ${edit.start} overlap`);
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
