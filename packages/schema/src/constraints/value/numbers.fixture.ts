import { IsDivisibleBy, IsIn, IsInt, IsNegative, IsNumber, IsPositive, Max, Min } from 'class-validator';
import { casesOf } from '../constraint-case.fixture.ts';
import { anyJson, numbersNear, oneOf, pick } from '../random-value.fixture.ts';

const wide = oneOf(numbersNear(0, 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e18, 1e300), anyJson);
const small = numbersNear(0, 0.5, 1, 2, 5, 10, 10.5);
const multiples = oneOf(
  numbersNear(5, 10, 12, 60),
  (random) => (random.integer(2001) - 1000) * 5,
  (random) => (random.integer(201) - 100) * 12,
);

const isUnsafe = (value: unknown) => typeof value === 'number' && !Number.isSafeInteger(value);
const tiny = { grade: 'looser', differsFor: (value: unknown) => typeof value === 'number' } as const;

/** Cases of numbers.ts. */
export const numberCases = [
  ...casesOf(
    'isInt',
    ['@IsInt()', [IsInt()], wide, { grade: 'stricter', differsFor: isUnsafe }],
    ['@IsInt() @Min(-10) @Max(10)', [IsInt(), Min(-10), Max(10)], oneOf(small, wide)],
    ['@IsInt() @IsIn([1, 2])', [IsInt(), IsIn([1, 2])], oneOf(small, pick([0, 1, 2, 3]))],
  ),
  ...casesOf(
    'isNumber',
    ['@IsNumber()', [IsNumber()], wide],
    [
      '@IsNumber({ allowNaN: true, allowInfinity: true })',
      [IsNumber({ allowNaN: true, allowInfinity: true })],
      oneOf(wide, anyJson),
    ],
    ['@IsNumber({ maxDecimalPlaces: 2 })', [IsNumber({ maxDecimalPlaces: 2 })], small, tiny],
    [
      '@IsNumber({ maxDecimalPlaces: 0 }) @IsInt()',
      [IsNumber({ maxDecimalPlaces: 0 }), IsInt(), Min(-99), Max(99)],
      small,
    ],
  ),
  ...casesOf(
    'min',
    ['@Min(2)', [Min(2)], small],
    ['@Min(0.5)', [Min(0.5)], small],
    ['@Min(-0.5)', [Min(-0.5)], small],
    ['@Min(1.5) @IsInt() @Max(10)', [Min(1.5), IsInt(), Max(10)], small],
    ['@Min(1) @Min(3)', [Min(1), Min(3)], small],
    ['@Min(-Infinity)', [Min(-Infinity)], oneOf(small, anyJson)],
    ['@Min(1e18)', [Min(1e18)], oneOf(wide, pick([1e18, 2e18]))],
    ['@Min(NaN)', [Min(Number.NaN)], small, { grade: 'not-expressible', accepts: 'nothing' }],
    ['@Min(Infinity)', [Min(Infinity)], small, { grade: 'not-expressible', accepts: 'nothing' }],
  ),
  ...casesOf(
    'max',
    ['@Max(10)', [Max(10)], small],
    ['@Max(10.5) @Min(0)', [Max(10.5), Min(0)], small],
    ['@Max(-0.5)', [Max(-0.5)], small],
    ['@Max(Infinity)', [Max(Infinity)], oneOf(small, anyJson)],
    ['@Max(1.5) @IsInt() @Min(-10)', [Max(1.5), IsInt(), Min(-10)], small],
  ),
  ...casesOf(
    'isPositive',
    ['@IsPositive()', [IsPositive()], small],
    ['@IsPositive() @Min(-5)', [IsPositive(), Min(-5)], small],
    ['@IsPositive() @Min(0)', [IsPositive(), Min(0)], small],
    ['@Min(0) @IsPositive() @Min(0.5)', [Min(0), IsPositive(), Min(0.5)], small],
  ),
  ...casesOf(
    'isNegative',
    ['@IsNegative()', [IsNegative()], small],
    ['@IsNegative() @Max(5)', [IsNegative(), Max(5)], small],
  ),
  ...casesOf(
    'isDivisibleBy',
    ['@IsDivisibleBy(5)', [IsDivisibleBy(5)], multiples, { grade: 'stricter', differsFor: isUnsafe }],
    ['@IsDivisibleBy(5) @Min(-999) @Max(999)', [IsDivisibleBy(5), Min(-999), Max(999)], multiples],
    ['@IsDivisibleBy(-5.9) @Min(-999) @Max(999)', [IsDivisibleBy(-5.9), Min(-999), Max(999)], multiples],
    [
      '@IsDivisibleBy(4) @IsDivisibleBy(6)',
      [IsDivisibleBy(4), IsDivisibleBy(6), IsNumber(), Min(-999), Max(999)],
      multiples,
    ],
    [
      '@IsDivisibleBy(4503599627370496) @IsDivisibleBy(3)',
      [IsDivisibleBy(2 ** 52), IsDivisibleBy(3), Min(-(2 ** 53 - 1)), Max(2 ** 53 - 1)],
      pick([0, 3, 2 ** 52]),
    ],
    ['@IsDivisibleBy(0.5)', [IsDivisibleBy(0.5)], multiples, { grade: 'not-expressible', accepts: 'nothing' }],
  ),
];
