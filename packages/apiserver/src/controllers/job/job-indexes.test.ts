import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../../test/seed.fixture.ts';
import {
  countCommonIndexes,
  countIndexes,
  firstFreeIndexes,
  formatIndexes,
  hasIndex,
  type IndexRanges,
  mergeIndexes,
  parseIndexes,
  withIndexes,
} from './job-indexes.ts';

describe('parseIndexes', () => {
  it.each([
    ['', ''],
    ['0', '0'],
    ['1,3-5', '1,3-5'],
    ['1,2', '1,2'],
    ['1,2,3', '1-3'],
    ['4-7,9', '4-6'],
    ['7', ''],
    ['x,2,-1,3-1,5', '2,5'],
    ['0-99999999999,2', '2'],
    ['0-9999999999', '0-6'],
  ])('parses %p as %p for seven completions', (text, normal) => {
    expect(formatIndexes(parseIndexes(text, 7))).toBe(normal);
  });

  it('returns no indexes for undefined', () => {
    expect(parseIndexes(undefined, 7)).toEqual([]);
  });
});

describe('lists of indexes', () => {
  const random = new SeededRandom(seed);
  const some = (): Set<number> => new Set(Array.from({ length: random.integer(12) }, () => random.integer(20)));
  const rangesOf = (indexes: Iterable<number>): IndexRanges => withIndexes([], indexes);

  it.each(Array.from({ length: 200 }, (_, round) => [round]))(`behave like sets, seed ${seed}, round %i`, () => {
    const [left, right] = [some(), some()];
    const [ranges, others] = [rangesOf(left), rangesOf(right)];
    expect(parseIndexes(formatIndexes(ranges), 20)).toEqual(ranges);
    expect(countIndexes(ranges)).toBe(left.size);
    expect(mergeIndexes(ranges, others)).toEqual(rangesOf(new Set([...left, ...right])));
    expect(countCommonIndexes(ranges, others)).toBe([...left].filter((index) => right.has(index)).length);
    const all = Array.from({ length: 20 }, (_, index) => index);
    expect(all.filter((index) => hasIndex(ranges, index))).toEqual(all.filter((index) => left.has(index)));
    const count = random.integer(20);
    expect(firstFreeIndexes(ranges, count, 20)).toEqual(all.filter((index) => !left.has(index)).slice(0, count));
  });
});
