import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { formatPath, KeyElement, type PathElement, ValueElement } from './path-element.ts';
import { PathSet } from './path-set.ts';

const elements: readonly PathElement[] = [
  'a',
  'b',
  '__proto__',
  new KeyElement(['name'], ['x']),
  new KeyElement(['name'], [1]),
  new ValueElement('a'),
  new ValueElement(2),
];

function randomPaths(random: SeededRandom): PathElement[][] {
  const path = () =>
    Array.from({ length: 1 + random.integer(3) }, () => elements[random.integer(elements.length)] as PathElement);
  return Array.from({ length: random.integer(8) }, path);
}

const textsOf = (paths: Iterable<readonly PathElement[]>) => [...paths].map(formatPath).sort();

describe('PathSet', () => {
  it(`behaves like a set of strings (seed ${seed})`, () => {
    const random = new SeededRandom(seed);
    for (let i = 0; i < 500; i++) {
      const [left, right] = [randomPaths(random), randomPaths(random)];
      const [a, b] = [PathSet.of(...left), PathSet.of(...right)];
      const [inA, inB] = [new Set(textsOf(left)), new Set(textsOf(right))];
      expect(textsOf(a.paths())).toEqual([...inA].sort());
      expect(textsOf(a.union(b).paths())).toEqual([...new Set([...inA, ...inB])].sort());
      expect(textsOf(a.intersection(b).paths())).toEqual([...inA].filter((path) => inB.has(path)).sort());
      expect(textsOf(a.difference(b).paths())).toEqual([...inA].filter((path) => !inB.has(path)).sort());
      const isUnder = (path: PathElement[]) => path.some((_, n) => inB.has(formatPath(path.slice(0, n + 1))));
      const outside = left.filter((path) => !isUnder(path));
      expect(textsOf(a.recursiveDifference(b).paths())).toEqual([...new Set(textsOf(outside))].sort());
      expect(a.equals(PathSet.of(...left.toReversed()))).toBe(true);
      expect(a.equals(b)).toBe(textsOf(a.paths()).join('\n') === textsOf(b.paths()).join('\n'));
      for (const path of left) expect([a.has(path), b.has(path)]).toEqual([true, inB.has(formatPath(path))]);
    }
  });

  it('returns an operand if it equals the result', () => {
    const a = PathSet.of(['a', 'b'], ['c']);
    const other = PathSet.of(['x']);
    expect(a.union(PathSet.empty)).toBe(a);
    expect(a.difference(other)).toBe(a);
    expect(a.recursiveDifference(other)).toBe(a);
    expect(a.difference(a)).toBe(PathSet.empty);
    expect(a.intersection(other)).toBe(PathSet.empty);
  });

  it('returns only members without members below them as leaves', () => {
    expect(textsOf(PathSet.of(['a'], ['a', 'b'], ['c']).leaves().paths())).toEqual(['.a.b', '.c']);
  });

  it('formats paths as the real server does', () => {
    const path = ['spec', new KeyElement(['port', 'protocol'], [80, 'TCP']), new ValueElement('x"y')];
    expect(formatPath(path)).toBe('.spec[port=80,protocol="TCP"][="x\\"y"]');
  });
});
