import {
  Contains,
  IsByteLength,
  IsIn,
  IsString,
  Length,
  Matches,
  MaxLength,
  MinLength,
  NotContains,
} from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { anyJson, oneOf, pick, textsNear, textsUpTo } from '../random-value.fixture.ts';

const hasSelector = (value: unknown) => typeof value === 'string' && /[\ufe0e\ufe0f]/.test(value);
const never = { grade: 'not-expressible', accepts: 'nothing' } as const;

const short = textsUpTo(8);

/** Cases of strings.ts. */
export const stringCases = [
  ...casesOf('isString', ['@IsString()', [IsString()], anyJson]),
  ...casesOf(
    'minLength',
    ['@MinLength(3)', [MinLength(3)], short, { grade: 'looser', differsFor: hasSelector }],
    ['@MinLength(1)', [MinLength(1)], textsUpTo(2)],
    ['@MinLength(1.5)', [MinLength(1.5)], short, { grade: 'looser', differsFor: hasSelector }],
    ['@MinLength(NaN)', [MinLength(Number.NaN)], oneOf(short, anyJson), 'exact'],
    ['@MinLength(Infinity)', [MinLength(Infinity)], short, never],
  ),
  ...casesOf(
    'maxLength',
    ['@MaxLength(3)', [MaxLength(3)], short, { grade: 'stricter', differsFor: hasSelector }],
    ['@MaxLength(0)', [MaxLength(0)], textsUpTo(2)],
    ['@MaxLength(3) @Matches(/^[a-z]+$/)', [MaxLength(3), Matches(/^[a-z]+$/)], textsNear(matchOf(/[a-z]{0,5}/))],
    ["@MaxLength(3) @IsIn(['a', 'abcd'])", [MaxLength(3), IsIn(['a', 'abcd'])], pick(['a', 'abcd', 'b'])],
    ['@MaxLength(-1)', [MaxLength(-1)], short, never],
    ['@MaxLength(NaN)', [MaxLength(Number.NaN)], short, never],
  ),
  ...casesOf(
    'isLength',
    ['@Length(2, 5)', [Length(2, 5)], short, { grade: ['looser', 'stricter'], differsFor: hasSelector }],
    ['@Length(1, 5)', [Length(1, 5)], short, { grade: 'stricter', differsFor: hasSelector }],
    ['@Length(2)', [Length(2)], short, { grade: 'looser', differsFor: hasSelector }],
    ['@Length(2, 5) @Matches(/^[a-z]+$/)', [Length(2, 5), Matches(/^[a-z]+$/)], textsNear(matchOf(/[a-z]{0,6}/))],
  ),
  ...casesOf('isByteLength', ['@IsByteLength(2, 5)', [IsByteLength(2, 5)], short]),
  ...casesOf('contains', ['@Contains(".")', [Contains('.')], textsNear(['.', 'a.b', 'a', ''])]),
  ...casesOf('notContains', ['@NotContains(".")', [NotContains('.')], textsNear(['.', 'a.b', 'a', ''])]),
  ...casesOf(
    'matches',
    ['@Matches(/^[a-z]\\w*$/i)', [Matches(/^[a-z]\w*$/i)], textsNear(matchOf(/^[a-z]\w*$/i))],
    ['@Matches(/a/) @Matches(/n/)', [Matches(/a/), Matches(/n/)], textsNear(['an', 'na', 'banana'])],
    ["@Matches('^[a-z]+$', 'i')", [Matches('^[a-z]+$', 'i')], textsNear(matchOf(/[a-z]+/i))],
    [
      '@Matches(/\\B-?/u)',
      [Matches(/\B-?/u)],
      textsNear(['a', 'ab', '-', 'a😀b', 'a-b']),
      {
        grade: ['looser', 'stricter'],
        differsFor: (value) => typeof value === 'string' && /[\u{10000}-\u{10ffff}]/u.test(value),
      },
    ],
    [
      '@Matches(/^.{2}$/)',
      [Matches(/^.{2}$/)],
      textsUpTo(3),
      {
        grade: ['looser', 'stricter'],
        differsFor: (value) => typeof value === 'string' && /[\u{10000}-\u{10ffff}]/u.test(value),
      },
    ],
    ['@Matches(/^.{2}$/u)', [Matches(/^.{2}$/u)], textsUpTo(3)],
    ['@Matches(/^(?!a)[a-z]+$/)', [Matches(/^(?!a)[a-z]+$/)], textsNear(['ab', 'ba'])],
  ),
];
