/** A range of completion indexes, both ends included. */
interface IndexRange {
  readonly first: number;
  readonly last: number;
}

/** Completion indexes of an Indexed Job: ascending ranges with a gap between any two, formatted as `1,3-5`. */
export type IndexRanges = readonly IndexRange[];

/**
 * Parses the completion indexes in a status. Indexes from `completions` on and invalid ones are omitted. The cost grows
 * with the length of the string, not with the number of indexes, because a short string can name a billion of them.
 * Source: `parseIndexesFromString`, `pkg/controller/job/indexed_job_utils.go`.
 */
export function parseIndexes(text: string | undefined, completions: number): IndexRanges {
  if (text === undefined || text === '') return [];
  const ranges: IndexRange[] = [];
  for (const part of text.split(',')) {
    const limits = part.split('-').map(indexOf);
    const [first, last] = limits.length === 1 ? [limits[0], limits[0]] : limits;
    if (first === undefined || last === undefined || last < first || first >= completions) continue;
    ranges.push({ first, last: Math.min(last, completions - 1) });
  }
  return normalised(ranges);
}

function indexOf(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

export function formatIndexes(ranges: IndexRanges): string {
  return ranges
    .map(({ first, last }) => {
      if (first === last) return `${first}`;
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
    })
    .join(',');
}

export function withIndexes(ranges: IndexRanges, indexes: Iterable<number>): IndexRanges {
  return mergeIndexes(
    ranges,
    [...indexes].map((index) => ({ first: index, last: index })),
  );
}

export function mergeIndexes(left: IndexRanges, right: IndexRanges): IndexRanges {
  return normalised([...left, ...right]);
}

function normalised(ranges: readonly IndexRange[]): IndexRanges {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of ranges.toSorted((left, right) => left.first - right.first)) {
    const before = merged.at(-1);
    if (before === undefined || first > before.last + 1) merged.push({ first, last });
    else before.last = Math.max(before.last, last);
  }
  return merged;
}

export function countIndexes(ranges: IndexRanges): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function hasIndex(ranges: IndexRanges, index: number): boolean {
  return ranges.some(({ first, last }) => first <= index && index <= last);
}

/** The number of indexes that are in both lists. */
export function countCommonIndexes(left: IndexRanges, right: IndexRanges): number {
  return countIndexes(left) + countIndexes(right) - countIndexes(mergeIndexes(left, right));
}

/** The lowest indexes below `completions` that are not taken, at most `count`. */
export function firstFreeIndexes(taken: IndexRanges, count: number, completions: number): number[] {
  const free: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...taken, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && free.length < count; candidate++) free.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return free;
}
