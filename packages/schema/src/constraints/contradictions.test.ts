import { ExclusiveMaximum, ExclusiveMinimum, Items, MaxProperties, MinProperties, Values } from '@evenkeel/core';
import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsBoolean,
  IsEmpty,
  IsIn,
  IsInt,
  IsNegative,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { prepare } from './constraint-case.fixture.ts';

/** The errors about a property with these decorators. */
async function errorsOf(...decorators: PropertyDecorator[]): Promise<readonly string[]> {
  const { findings } = await prepare({ decorators });
  return findings.filter(({ level }) => level === 'error').map(({ code, message }) => `${code}: ${message}`);
}

const texts = IsString({ each: true });

describe('contradictionIn', () => {
  it.each<[string, PropertyDecorator[]]>([
    ['@Min and @Max contradict each other: no whole number is at least 5 and at most 1', [Min(5), Max(1), IsInt()]],
    [
      '@Min and @Max contradict each other: no number is at least 0.5 and at most 0.25',
      [Max(0.25), Min(0.5), IsNumber()],
    ],
    [
      '@IsPositive and @Max contradict each other: no number is greater than 0 and at most 0',
      [IsPositive(), Max(0), IsNumber()],
    ],
    [
      '@IsPositive and @IsNegative contradict each other: no whole number is greater than 0 and less than 0',
      [IsPositive(), IsNegative(), IsInt()],
    ],
    [
      '@ExclusiveMinimum() and @ExclusiveMaximum() contradict each other: no whole number is greater than 1 and less than 2',
      [ExclusiveMinimum(1), ExclusiveMaximum(2), IsInt()],
    ],
    [
      '@MinLength and @MaxLength contradict each other: no string has at least 5 and at most 3 characters',
      [MinLength(5), MaxLength(3)],
    ],
    ['@Length contradicts itself: no string has at least 5 and at most 3 characters', [Length(5, 3)]],
    [
      '@IsNotEmpty and @IsEmpty contradict each other: no string has at least 1 and at most 0 characters',
      [IsNotEmpty(), IsEmpty(), IsString()],
    ],
    [
      '@ArrayMinSize and @ArrayMaxSize contradict each other: no list has at least 3 and at most 2 items',
      [ArrayMinSize(3), ArrayMaxSize(2), texts],
    ],
    [
      '@MinProperties() and @MaxProperties() contradict each other: no object has at least 3 and at most 2 keys',
      [MinProperties(3), MaxProperties(2), Values(IsString())],
    ],
    [
      'its elements: @MinLength and @MaxLength contradict each other: no string has at least 5 and at most 3 characters',
      [MinLength(5, { each: true }), MaxLength(3, { each: true })],
    ],
    [
      'its items: @Min and @Max contradict each other: no whole number is at least 5 and at most 1',
      [Items(IsInt(), Min(5), Max(1))],
    ],
    [
      '@IsIn and @Equals contradict each other: none of "b", "c" is in the list "a", so no value is accepted',
      [Equals('a'), IsIn(['b', 'c'])],
    ],
    [
      '@Equals and @Equals contradict each other: none of "b" is in the list "a", so no value is accepted',
      [Equals('a'), Equals('b')],
    ],
    [
      '@IsIn and @IsNotIn contradict each other: none of "a", "b" remains',
      [IsIn(['a', 'b']), IsNotIn(['a', 'b', 'c'])],
    ],
    ['@IsIn and @MinLength contradict each other: none of "a", "b" remains', [IsIn(['a', 'b']), MinLength(2)]],
    ['@IsIn and @Matches contradict each other: none of "a" remains', [IsIn(['a']), Matches(/^[b-z]/), MinLength(1)]],
    ['@IsIn and @Max contradict each other: none of 5, 6 remains', [IsIn([5, 6]), Max(4), IsInt()]],
    ['its type and @IsNotIn contradict each other: none of true, false remains', [IsNotIn([true, false]), IsBoolean()]],
  ])('reports decorators that contradict each other: %s', async (text, decorators) => {
    const what = text.includes('itself') ? 'it' : 'one of them';
    expect(await errorsOf(...decorators)).toEqual([`impossible-constraint: ${text}; change or remove ${what}`]);
  });

  it.each<[string, PropertyDecorator[]]>([
    ['@MaxLength: no string has -1 characters', [MaxLength(-1)]],
    ['@IsIn: it lists no values', [IsIn([]), IsString()]],
    [
      '@Equals: it compares objects by identity, and objects from JSON are never identical (list strings or numbers)',
      [Equals({}), IsString()],
    ],
  ])('reports a decorator that no value satisfies: %s', async (text, decorators) => {
    expect(await errorsOf(...decorators)).toEqual([
      `impossible-constraint: ${text}, so no value is accepted; change or remove it`,
    ]);
  });

  it('reports nothing if one value remains', async () => {
    expect(await errorsOf(Min(1), Max(1), IsInt())).toEqual([]);
    expect(await errorsOf(ExclusiveMinimum(1), ExclusiveMaximum(3), IsInt())).toEqual([]);
    expect(await errorsOf(Length(3, 3))).toEqual([]);
    expect(await errorsOf(IsIn(['a', 'b']), IsNotIn(['a']))).toEqual([]);
    expect(await errorsOf(IsIn(['a', 'b']), Equals('b'), MaxLength(1))).toEqual([]);
    expect(await errorsOf(ArrayMaxSize(0), texts)).toEqual([]);
    expect(await errorsOf(IsNotIn([true]), IsBoolean())).toEqual([]);
  });
});
