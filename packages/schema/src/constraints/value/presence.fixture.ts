import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsEmpty,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidatePromise,
} from 'class-validator';
import { casesOf } from '../constraint-case.fixture.ts';
import { anyJson, listsOf, oneOf, pick, textsUpTo } from '../random-value.fixture.ts';

const shortOrEmpty = textsUpTo(1);
const smallInt = [IsInt(), Min(-5), Max(5)];

/** Cases of presence.ts. */
export const presenceCases = [
  ...casesOf('isDefined', ['@IsDefined() @IsString()', [IsDefined(), IsString()], anyJson]),
  ...casesOf(
    'isOptional',
    ['@IsOptional() @IsString()', [IsOptional(), IsString()], anyJson],
    ['@IsOptional() @IsDefined() @IsString()', [IsOptional(), IsDefined(), IsString()], anyJson],
  ),
  ...casesOf('allow', ['@Allow() @IsString()', [Allow(), IsString()], anyJson]),
  ...casesOf('promiseValidation', ['@ValidatePromise() @IsString()', [ValidatePromise(), IsString()], anyJson]),
  ...casesOf(
    'isNotEmpty',
    ['@IsNotEmpty() @IsString()', [IsNotEmpty(), IsString()], shortOrEmpty],
    ['@IsNotEmpty() @IsInt()', [IsNotEmpty(), ...smallInt], oneOf(pick([0, -0, 1, 5, 6]), anyJson)],
    [
      '@IsNotEmpty() @IsArray()',
      [IsNotEmpty(), IsArray(), ArrayMaxSize(2), IsString({ each: true })],
      listsOf(shortOrEmpty),
    ],
    [
      '@IsNotEmpty({ each: true })',
      [IsArray(), IsString({ each: true }), IsNotEmpty({ each: true })],
      listsOf(shortOrEmpty),
    ],
  ),
  ...casesOf(
    'isEmpty',
    ['@IsEmpty() @IsString()', [IsEmpty(), IsString()], shortOrEmpty],
    ['@IsEmpty() @IsOptional() @IsString()', [IsEmpty(), IsOptional(), IsString()], oneOf(shortOrEmpty, anyJson)],
    ['@IsEmpty() @IsInt()', [IsEmpty(), ...smallInt], anyJson, { grade: 'not-expressible', accepts: 'nothing' }],
  ),
  ...casesOf('validateIf', [
    '@ValidateIf((object) => ...) @MaxLength(1)',
    [ValidateIf((_object, value) => value !== 'aa'), MaxLength(1)],
    oneOf(textsUpTo(3, ['a']), anyJson),
    'not-expressible',
  ]),
];
