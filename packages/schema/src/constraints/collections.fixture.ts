import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsInt,
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { casesOf } from './constraint-case.fixture.ts';
import { anyJson, listsOf, oneOf, pick } from './random-value.fixture.ts';

const strings = IsString({ each: true });
const letters = listsOf(pick(['a', 'b', 'c', 'A']), 4);
const numbers = listsOf(pick([0, 1, 1.5, 2, 2.5, 3]), 4);
const smallInts = [IsInt({ each: true }), Min(0, { each: true }), Max(9, { each: true })];
const never = { grade: 'not-expressible', accepts: 'nothing' } as const;

/** Cases of collections.ts. */
export const collectionCases = [
  ...casesOf('isArray', [
    '@IsArray() @IsString({ each: true })',
    [IsArray(), strings],
    oneOf(letters, anyJson, listsOf(anyJson, 2)),
  ]),
  ...casesOf('arrayNotEmpty', ['@ArrayNotEmpty()', [ArrayNotEmpty(), strings], letters]),
  ...casesOf(
    'arrayMinSize',
    ['@ArrayMinSize(2)', [ArrayMinSize(2), strings], letters],
    ['@ArrayMinSize(1.5)', [ArrayMinSize(1.5), strings], letters],
    ['@ArrayMinSize(NaN)', [ArrayMinSize(Number.NaN), strings], letters, never],
  ),
  ...casesOf(
    'arrayMaxSize',
    ['@ArrayMaxSize(2)', [ArrayMaxSize(2), strings], letters],
    ['@ArrayMaxSize(3) @ArrayMaxSize(2.5)', [ArrayMaxSize(3), ArrayMaxSize(2.5), strings], letters],
    ['@ArrayMaxSize(-1)', [ArrayMaxSize(-1), strings], letters, never],
  ),
  ...casesOf(
    'arrayContains',
    [
      "@ArrayContains(['a', 'b'])",
      [ArrayContains(['a', 'b']), ArrayMaxSize(9), strings, MaxLength(9, { each: true })],
      letters,
    ],
    ['@ArrayContains([1, 2.5])', [ArrayContains([1, 2.5]), IsNumber({}, { each: true }), ArrayMaxSize(9)], numbers],
    ["@ArrayContains(['a', 1])", [ArrayContains(['a', 1]), strings], letters, never],
  ),
  ...casesOf(
    'arrayNotContains',
    ["@ArrayNotContains(['a'])", [ArrayNotContains(['a']), strings], letters],
    ['@ArrayNotContains([1, 2.5])', [ArrayNotContains([1, 2.5]), IsNumber({}, { each: true })], numbers],
    ['@ArrayNotContains([1, 2.5]) of integers', [ArrayNotContains([1, 2.5]), ...smallInts], numbers],
  ),
  ...casesOf(
    'arrayUnique',
    ['@ArrayUnique()', [ArrayUnique(), strings], letters],
    ['@ArrayUnique() of numbers', [ArrayUnique(), IsNumber({}, { each: true })], numbers],
    [
      '@ArrayUnique((text) => text.toLowerCase())',
      [ArrayUnique((text: string) => text.toLowerCase()), strings],
      letters,
      'not-expressible',
    ],
  ),
];
