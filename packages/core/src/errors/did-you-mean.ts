/**
 * Returns `; did you mean "shortNames"?`, or an empty string if no known word is similar. If the word itself is known, the mistake
 * is another one, and the result is empty too.
 */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.includes(word)) return '';
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best === undefined ? '' : `; did you mean "${best}"?`;
}

/** The Levenshtein distance, in which two swapped letters are one step. Returns `limit` if the distance is not less. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swap = isSwapped ? (beforePrevious[column - 2] ?? limit) + 1 : limit;
      const substitution = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min(swap, substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit;
}
