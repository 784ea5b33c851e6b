import { IsDateString, IsISO8601, IsMilitaryTime, IsRFC3339, IsTimeZone } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const dates = matchOf(
  /[+-]?20[0-9]{2}(-?(0[1-9]|1[0-2])(-?(0[1-9]|[12][0-9]|3[01]))?|-?W[0-5]\d(-?[1-7])?|-?[0-3]\d{2})?([T\s](([01]\d|2[0-4])(:?[0-5]\d)?([.,]\d{1,2})?(:?[0-5]\d)?([.,]\d{1,2})?)?([zZ]|[+-]\d{2}:?(00)?)?)?/,
);
const plain = ['2026-11-21', '2026', '20261121T120000Z', '2026-W07', '2026-11-21T12:00:00+01:00', '2026-325'];
const zones = ['Europe/Berlin', 'UTC', 'Etc/GMT+5', '+05:30', 'america/new_york', 'EST5EDT', '-0800', 'US/Pacific'];

/** Cases of times.ts. */
export const timeCases = [
  ...casesOf('isMilitaryTime', ['@IsMilitaryTime()', [IsMilitaryTime()], textsNear(matchOf(/[0-2]\d:?[0-6]\d/))]),
  ...casesOf('isRFC3339', [
    '@IsRFC3339()',
    [IsRFC3339()],
    textsNear(['2026-11-21T12:00:00Z', '2026-11-21 12:00:60.5+01:00', '2026-11-21t12:00:00z']),
  ]),
  ...casesOf(
    'isDateString',
    ['@IsDateString()', [IsDateString()], textsNear(dates)],
    ['@IsDateString({ strict: true })', [IsDateString({ strict: true })], textsNear(plain), 'looser'],
  ),
  ...casesOf(
    'isIso8601',
    ['@IsISO8601()', [IsISO8601()], textsNear(plain)],
    ['@IsISO8601({ strictSeparator: true })', [IsISO8601({ strictSeparator: true })], textsNear(dates)],
    ['@IsISO8601({ strict: true })', [IsISO8601({ strict: true })], textsNear(dates), 'looser'],
  ),
  ...casesOf('isTimeZone', ['@IsTimeZone()', [IsTimeZone()], textsNear(zones), 'looser']),
];
