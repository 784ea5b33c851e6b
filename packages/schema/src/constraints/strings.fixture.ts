import { Contains, IsByteLength, IsString, Matches, NotContains } from 'class-validator';
import { casesOf } from './constraint-case.fixture.ts';
import { matchOf } from './random-match.fixture.ts';
import { anyJson, textsNear, textsUpTo } from './random-value.fixture.ts';

const short = textsUpTo(8);

/** Cases of strings.ts. */
export const stringCases = [
  ...casesOf('isString', ['@IsString()', [IsString()], anyJson]),
  ...casesOf('isByteLength', ['@IsByteLength(2, 5)', [IsByteLength(2, 5)], short]),
  ...casesOf('contains', ['@Contains(".")', [Contains('.')], textsNear(['.', 'a.b', 'a', ''])]),
  ...casesOf('notContains', ['@NotContains(".")', [NotContains('.')], textsNear(['.', 'a.b', 'a', ''])]),
  ...casesOf(
    'matches',
    ['@Matches(/^[a-z]\\w*$/i)', [Matches(/^[a-z]\w*$/i)], textsNear(matchOf(/^[a-z]\w*$/i))],
    ['@Matches(/a/) @Matches(/n/)', [Matches(/a/), Matches(/n/)], textsNear(['an', 'na', 'banana'])],
  ),
];
