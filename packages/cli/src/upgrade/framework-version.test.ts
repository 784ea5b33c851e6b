import { compareVersions, completeVersion, releaseOf } from './framework-version.ts';

describe('compareVersions', () => {
  it('has the order of the examples in the specification of Semantic Versioning, and that of numbers', () => {
    const sorted = [
      ...['0.9.0', '0.10.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
      ...['1.0.0-beta.11', '1.0.0-rc.1', '1.0.0-rc.1-2', '1.0.0', '2.0.0', '2.1.0', '2.1.1'],
    ];
    for (const [left, one] of sorted.entries()) {
      for (const [right, other] of sorted.entries()) {
        expect({ one, other, order: Math.sign(compareVersions(one, other)) }).toEqual({
          ...{ one, other },
          order: Math.sign(left - right),
        });
      }
    }
  });
});

describe('completeVersion', () => {
  it.each([
    ['0.1.0', '0.1.0'],
    ['v1.2.3-rc.1+build', '1.2.3-rc.1'],
    ['1', '1.0.0'],
    ['1.2', '1.2.0'],
    ['latest', undefined],
    ['^1.0.0', undefined],
    ['1.x', undefined],
    ['', undefined],
  ])('%j is %j', (text, expected) => {
    expect(completeVersion(text)).toBe(expected);
  });

  it('belongs to a release', () => {
    expect(releaseOf('0.2.0-test.1')).toBe('0.2.0');
    expect(releaseOf('0.2.0')).toBe('0.2.0');
  });
});
