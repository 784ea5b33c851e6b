import { parseVersion } from './semantic-version.ts';
import { parseConstraint } from './version-constraint.ts';
import { parseRange } from './version-range.ts';

const versions = ['0.0.0', '0.1.5', '1.0.0-a.1', '1.0.0', '1.0.1', '1.2.3-rc.1', '1.2.3', '2.0.0', '2.1.0', '10.0.0'];

function matching(range: ((version: NonNullable<ReturnType<typeof parseVersion>>) => boolean) | undefined): string {
  if (range === undefined) return 'invalid';
  return versions
    .filter((text) => {
      const version = parseVersion(text);
      return version !== undefined && range(version);
    })
    .join(' ');
}

/** Recorded with github.com/blang/semver v4.0.0 and github.com/Masterminds/semver v3.4.0 (MIT). */
const recorded: readonly (readonly [range: string, blang: string, masterminds: string])[] = [
  ['>=1.0.0 <1.2.3', '1.0.0 1.0.1 1.2.3-rc.1', '1.0.0 1.0.1'],
  ['>=1.0.0, <1.2.3', 'invalid', '1.0.0 1.0.1'],
  ['1.x', '1.0.0 1.0.1 1.2.3-rc.1 1.2.3', '1.0.0 1.0.1 1.2.3'],
  ['1.0.x', '1.0.0 1.0.1', '1.0.0 1.0.1'],
  ['1.x.x', '1.0.0 1.0.1', '1.0.0 1.0.1 1.2.3'],
  ['!=1.x', '', '0.0.0 0.1.5 2.0.0 2.1.0 10.0.0'],
  ['>1.x', '2.0.0 2.1.0 10.0.0', '2.0.0 2.1.0 10.0.0'],
  ['<=1.x', '0.0.0 0.1.5 1.0.0-a.1 1.0.0 1.0.1 1.2.3-rc.1 1.2.3', '0.0.0 0.1.5 1.0.0 1.0.1 1.2.3'],
  [
    '<2.x || >2.0.0',
    '0.0.0 0.1.5 1.0.0-a.1 1.0.0 1.0.1 1.2.3-rc.1 1.2.3 2.1.0 10.0.0',
    '0.0.0 0.1.5 1.0.0 1.0.1 1.2.3 2.1.0 10.0.0',
  ],
  ['|| >1.0.0', 'invalid', 'invalid'],
  ['>1.0.0 ||', 'invalid', 'invalid'],
  ['', 'invalid', 'invalid'],
  ['*', 'invalid', '0.0.0 0.1.5 1.0.0 1.0.1 1.2.3 2.0.0 2.1.0 10.0.0'],
  ['x', 'invalid', '0.0.0 0.1.5 1.0.0 1.0.1 1.2.3 2.0.0 2.1.0 10.0.0'],
  ['>= 1.0.0', '1.0.0 1.0.1 1.2.3-rc.1 1.2.3 2.0.0 2.1.0 10.0.0', '1.0.0 1.0.1 1.2.3 2.0.0 2.1.0 10.0.0'],
  ['> 1.0.0 5', '1.0.1 1.2.3-rc.1 1.2.3 2.0.0 2.1.0 10.0.0', ''],
  ['=>2.0.0', 'invalid', '2.0.0 2.1.0 10.0.0'],
  ['~1.0', 'invalid', '1.0.0 1.0.1'],
  ['~1.0.0', 'invalid', '1.0.0 1.0.1'],
  ['^1.0.0', 'invalid', '1.0.0 1.0.1 1.2.3'],
  ['^0.1.0', 'invalid', '0.1.5'],
  ['^0.0.0', 'invalid', '0.0.0'],
  ['1.0.0 - 2.0.0', '', '1.0.0 1.0.1 1.2.3 2.0.0'],
  ['1', 'invalid', '1.0.0 1.0.1 1.2.3'],
  ['1.2', 'invalid', '1.2.3'],
  ['v1.0.0', 'invalid', '1.0.0'],
  ['01.0.0', 'invalid', '1.0.0'],
  [
    '>=1.0.0-0',
    '1.0.0-a.1 1.0.0 1.0.1 1.2.3-rc.1 1.2.3 2.0.0 2.1.0 10.0.0',
    '1.0.0-a.1 1.0.0 1.0.1 1.2.3-rc.1 1.2.3 2.0.0 2.1.0 10.0.0',
  ],
  ['1.0.0-a.1', '1.0.0-a.1', '1.0.0-a.1'],
  ['!1.0.0', '0.0.0 0.1.5 1.0.0-a.1 1.0.1 1.2.3-rc.1 1.2.3 2.0.0 2.1.0 10.0.0', 'invalid'],
  ['<=*', 'invalid', '0.0.0'],
  ['!=*', 'invalid', '0.1.5 1.0.0 1.0.1 1.2.3 2.0.0 2.1.0 10.0.0'],
  ['>=1.0.0 || <x', 'invalid', '1.0.0 1.0.1 1.2.3 2.0.0 2.1.0 10.0.0'],
  ['latest', 'invalid', 'invalid'],
  ['1.0.0-x', 'invalid', ''],
  ['>1.0', 'invalid', '1.2.3 2.0.0 2.1.0 10.0.0'],
  ['<=1.0', 'invalid', '0.0.0 0.1.5 1.0.0 1.0.1'],
  ['!=1.0', 'invalid', '0.0.0 0.1.5 1.2.3 2.0.0 2.1.0 10.0.0'],
];

describe('parseRange() and parseConstraint()', () => {
  it.each(recorded)('read %j as the packages of Go do', (range, blang, masterminds) => {
    expect([matching(parseRange(range)), matching(parseConstraint(range))]).toEqual([blang, masterminds]);
  });
});
