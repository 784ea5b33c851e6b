import {
  IsAscii,
  IsBooleanString,
  IsFullWidth,
  IsHalfWidth,
  IsLowercase,
  IsMultibyte,
  IsSurrogatePair,
  IsUppercase,
  IsVariableWidth,
} from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear, textsUpTo } from '../random-value.fixture.ts';

const few = textsUpTo(4);
const wide = textsUpTo(3, ['a', '1', ' ', '中', '１', 'Ａ', 'ﾊ', '｡', '\n', '\u007f', 'é', '😀', '￮', '\u00a0']);

/** Cases of texts.ts. */
export const textCases = [
  ...casesOf('isAscii', ['@IsAscii()', [IsAscii()], few]),
  ...casesOf('isMultibyte', ['@IsMultibyte()', [IsMultibyte()], few]),
  ...casesOf('isSurrogatePair', ['@IsSurrogatePair()', [IsSurrogatePair()], few]),
  ...casesOf('isFullWidth', ['@IsFullWidth()', [IsFullWidth()], wide]),
  ...casesOf('isHalfWidth', ['@IsHalfWidth()', [IsHalfWidth()], wide]),
  ...casesOf('isVariableWidth', ['@IsVariableWidth()', [IsVariableWidth()], wide]),
  ...casesOf('isLowercase', [
    '@IsLowercase()',
    [IsLowercase()],
    textsNear(matchOf(/[a-zß-ÿα-ωа-я0-9 ]{0,9}/)),
    'looser',
  ]),
  ...casesOf('isUppercase', [
    '@IsUppercase()',
    [IsUppercase()],
    textsNear(matchOf(/[A-ZÀ-ÞΑ-ΡЀ-Я0-9 ]{0,9}/)),
    'looser',
  ]),
  ...casesOf('isBooleanString', [
    '@IsBooleanString()',
    [IsBooleanString()],
    textsNear(['true', 'false', '0', '1', 'yes', '']),
  ]),
];
