import { goQuote } from '../../apimachinery/index.ts';

/** What is wrong with a list of indexes such as `1,3-5`, in the server's words, and how many it names where nothing is. */
export interface ReadIndexes {
  readonly problem?: string;
  readonly count: number;
}

/** Source: `validateIndexesFormat`, `pkg/apis/batch/validation/validation.go`. */
export function indexesProblem(text: string, completions: number): ReadIndexes {
  let count = 0;
  let last: number | undefined;
  for (const part of text === '' ? [] : text.split(',')) {
    const range = readRange(part, completions);
    if ('problem' in range) return { problem: range.problem, count: 0 };
    if (last !== undefined && last >= range.from) return { problem: notIncreasing(last, range.from), count: 0 };
    count += range.to - range.from + 1;
    last = range.to;
  }
  return { count };
}

/** The lowest index that two lists share; what cannot be read is passed over. Source: `validateFailedIndexesNotOverlapCompleted`. */
export function sharedIndex(left: string, right: string, completions: number): number | undefined {
  const rangesOf = (text: string): Range[] =>
    text === ''
      ? []
      : text.split(',').flatMap((part) => {
          const range = readRange(part, completions);
          return 'problem' in range ? [] : [range];
        });
  const [lefts, rights] = [rangesOf(left), rangesOf(right)];
  for (let at = 0, other = 0; at < lefts.length && other < rights.length; ) {
    const [one, two] = [lefts[at], rights[other]];
    if (one === undefined || two === undefined) return undefined;
    if (one.from <= two.to && two.from <= one.to) return Math.max(one.from, two.from);
    if (one.from <= two.from) at++;
    else other++;
  }
  return undefined;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function readRange(part: string, completions: number): Range | { readonly problem: string } {
  const limits = part.split('-');
  if (limits.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return { problem: `the fragment ${goQuote(part)} ${rule}` };
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    // As Go's Atoi; more digits than these would be out of its range.
    if (!/^[+]?\d{1,18}$/.test(limit)) {
      return { problem: `cannot convert string to integer for index: ${goQuote(limit)}` };
    }
    if (Number(limit) >= completions) return { problem: `too large index: ${goQuote(limit)}` };
    numbers.push(Number(limit));
  }
  const [from = 0, to = from] = numbers;
  return numbers.length > 1 && from >= to ? { problem: notIncreasing(from, to) } : { from, to };
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
