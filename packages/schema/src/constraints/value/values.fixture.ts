import { IsIntOrString } from '@evenkeel/core';
import {
  Equals,
  IsArray,
  IsBoolean,
  IsEnum,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsOptional,
  IsString,
  NotEquals,
} from 'class-validator';
import { casesOf } from '../constraint-case.fixture.ts';
import { anyJson, listsOf, numbersNear, oneOf, pick, textsNear, textsUpTo } from '../random-value.fixture.ts';

const Eviction = { Lru: 'lru', Lfu: 'lfu' };
const Level = { Low: 1, High: 2, 1: 'Low', 2: 'High' };
const Size = { Small: 0.5, Big: 1, 0.5: 'Small', 1: 'Big' };
const codes = { 1: 'a', 2: 'b' };
const mixed = { Auto: 'auto', One: 1, 1: 'One' };

const letters = textsNear(['a', 'b', 'c', 'abc', 'constructor', '__proto__', '']);
const numbers = oneOf(pick([0, 0.5, 1, 1.5, 2, 2.5, 3, -1, -0]), numbersNear(0, 1, 2.5));
const ports = oneOf(pick([80, 81, 443, 97, 'http', 'a', '', '80']), textsUpTo(2), anyJson);
const objects = [{ a: 1 }, ['a']];

/** Cases of values.ts. */
export const valueCases = [
  ...casesOf('isBoolean', ['@IsBoolean()', [IsBoolean()], anyJson]),
  ...casesOf(
    'isIn',
    ["@IsIn(['a', 'b', 'abc'])", [IsIn(['a', 'b', 'abc'])], letters],
    ["@IsIn(['', 'constructor', '__proto__'])", [IsIn(['', 'constructor', '__proto__'])], letters],
    ['@IsIn([1, 2])', [IsIn([1, 2])], numbers],
    ['@IsIn([1, 2.5])', [IsIn([1, 2.5])], numbers],
    ['@IsIn([0, 1.5]) @IsNumber()', [IsIn([0, 1.5]), IsNumber()], numbers],
    ['@IsIn([1, 1.5]) @IsInt()', [IsIn([1, 1.5]), IsInt()], numbers],
    ["@IsIn(['a', 1]) @IsString()", [IsIn(['a', 1]), IsString()], oneOf(pick(['a', 'b', '1', 1, 97]), letters)],
    ['@IsIn([true])', [IsIn([true])], oneOf(pick([true, false]), anyJson)],
    ["@IsIn(['a', 'b']) @IsIn(['b', 'c'])", [IsIn(['a', 'b']), IsIn(['b', 'c'])], pick(['a', 'b', 'c'])],
    ["@IsIn(['a', {}])", [IsIn(['a', ...objects]), IsString()], letters],
    [
      "@IsIn(['a', 'b'], { each: true })",
      [IsArray(), IsIn(['a', 'b'], { each: true })],
      listsOf(pick(['a', 'b', 'c']), 2),
    ],
    [
      "@IsIn(['a', undefined])",
      [IsIn(['a', undefined]), IsOptional(), IsString()],
      oneOf(letters, anyJson),
      'stricter',
    ],
    ["@IsIn([80, 'http']) @IsIntOrString()", [IsIn([80, 'http']), IsIntOrString()], ports],
    ['@IsIn([80, 443]) @IsIntOrString()', [IsIn([80, 443]), IsIntOrString()], ports],
    ['@IsIn([])', [IsIn([]), IsString()], letters, { grade: 'not-expressible', accepts: 'nothing' }],
    ['@IsIn([{}])', [IsIn(objects), IsString()], letters, { grade: 'not-expressible', accepts: 'nothing' }],
    [
      "@IsIn(['a']) @IsIn(['b'])",
      [IsIn(['a']), IsIn(['b'])],
      letters,
      { grade: 'not-expressible', accepts: 'nothing' },
    ],
  ),
  ...casesOf(
    'equals',
    ["@Equals('a')", [Equals('a')], letters],
    ['@Equals(1)', [Equals(1)], numbers],
    ['@Equals(0.5)', [Equals(0.5)], numbers],
    ['@Equals(-0)', [Equals(-0)], numbers],
    ['@Equals(1) @IsNumber()', [Equals(1), IsNumber()], numbers],
    ['@Equals({})', [Equals(objects[0]), IsString()], letters, { grade: 'not-expressible', accepts: 'nothing' }],
  ),
  ...casesOf(
    'isNotIn',
    ["@IsNotIn(['a', 'b']) @IsString()", [IsNotIn(['a', 'b']), IsString()], letters],
    ['@IsNotIn([1, 2.5]) @IsNumber()', [IsNotIn([1, 2.5]), IsNumber()], oneOf(numbers, pick([1, 2.5]), anyJson)],
    ["@IsNotIn(['a']) @IsOptional()", [IsNotIn(['a']), IsOptional(), IsString()], oneOf(letters, anyJson)],
    ["@IsNotIn(['a']) @IsIn(['a', 'b'])", [IsNotIn(['a']), IsIn(['a', 'b'])], letters],
    ["@IsNotIn(['a']) @IsNotIn(['b'])", [IsNotIn(['a']), IsNotIn(['b']), IsString()], letters],
    [
      "@IsNotIn([80, 'http']) @IsIn([80, 443, 'http', 'a', '']) @IsNotEmpty() @IsIntOrString()",
      [IsNotIn([80, 'http']), IsIn([80, 443, 'http', 'a', '']), IsNotEmpty(), IsIntOrString()],
      ports,
    ],
    ['@IsNotIn([{}])', [IsNotIn(objects), IsString()], anyJson],
  ),
  ...casesOf(
    'notEquals',
    ["@NotEquals('a') @IsString()", [NotEquals('a'), IsString()], letters],
    ['@NotEquals(1) @IsNumber()', [NotEquals(1), IsNumber()], oneOf(pick([1, 1.5]), anyJson, numbers)],
  ),
  ...casesOf(
    'isEnum',
    ['@IsEnum(Eviction)', [IsEnum(Eviction)], textsNear(['lru', 'lfu', 'Lru', 'Lfu'])],
    ['@IsEnum(Level)', [IsEnum(Level)], oneOf(numbers, pick(['Low', 'High', '1'])), 'stricter'],
    ['@IsEnum(Size)', [IsEnum(Size)], oneOf(numbers, pick(['Small', '1'])), 'stricter'],
    ["@IsEnum({ 1: 'a', 2: 'b' })", [IsEnum(codes)], oneOf(letters, pick(['1', 1]))],
    ['@IsEnum(Mixed) @IsString()', [IsEnum(mixed), IsString()], textsNear(['auto', 'One', '1']), 'stricter'],
    [
      '@IsEnum(Eviction, { each: true })',
      [IsArray(), IsEnum(Eviction, { each: true })],
      listsOf(pick(['lru', 'lfu', 'Lru']), 2),
    ],
  ),
];
