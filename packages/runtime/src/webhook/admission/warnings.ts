/** The limits of apiserver `pkg/warning`, in characters: of all warnings of a request, and of each if there are more. */
const allMax = 4096;
const eachMax = 256;

/** Returns warnings as the API server shows them: without line breaks, cut to its limits. */
export function limitedWarnings(given: readonly string[]): string[] {
  // A header cannot have control characters.
  const texts = given.map((text) => text.toWellFormed().replace(/\p{Cc}+/gu, ' '));
  const cut = texts.map((text) => [...text]);
  if (cut.reduce((total, text) => total + text.length, 0) <= allMax) return texts;
  const kept: string[] = [];
  let total = 0;
  for (const text of cut) {
    const short = text.slice(0, eachMax);
    total += short.length;
    if (total > allMax) break;
    kept.push(short.join(''));
  }
  return kept;
}
