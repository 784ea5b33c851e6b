import { IsCurrency, IsDecimal, IsNumberString } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const numbers = textsNear(matchOf(/[+-]?(\d*[.,٫])?\d+|[+-]?/));
const fractions = textsNear(matchOf(/[+-]?\d*\.\d+|\d+/));
const amounts = textsNear(
  matchOf(/-?\$?-?(0|[1-9]\d{0,2}(,\d{3}){0,2}|[1-9]\d{3})(\.\d{2})?|\$[1-9],000(\.5)?-?|\(\$1\.00\)/),
);
const euros = textsNear(matchOf(/\d{1,3}(\.\d{3})* ?€?/));
const rand = textsNear(matchOf(/R( ?-?)?[1-9]\d{0,2}( \d{3})?(,00)?/));

/** Cases of numerals.ts. */
export const numeralCases = [
  ...casesOf(
    'isNumberString',
    ['@IsNumberString()', [IsNumberString()], numbers],
    ['@IsNumberString({ no_symbols: true })', [IsNumberString({ no_symbols: true })], numbers],
    ["@IsNumberString({ locale: 'de-DE' })", [IsNumberString({ locale: 'de-DE' })], numbers],
    ["@IsNumberString({ locale: 'ar' })", [IsNumberString({ locale: 'ar' })], numbers],
  ),
  ...casesOf(
    'isDecimal',
    ['@IsDecimal()', [IsDecimal()], numbers],
    ['@IsDecimal({ force_decimal: true })', [IsDecimal({ force_decimal: true })], fractions],
    ["@IsDecimal({ decimal_digits: '2' })", [IsDecimal({ decimal_digits: '2' })], numbers],
    ["@IsDecimal({ decimal_digits: '0,2' })", [IsDecimal({ decimal_digits: '0,2' })], numbers],
    ["@IsDecimal({ locale: 'fr-FR' })", [IsDecimal({ locale: 'fr-FR' })], numbers],
  ),
  ...casesOf(
    'isCurrency',
    ['@IsCurrency()', [IsCurrency()], amounts],
    ['@IsCurrency({ require_symbol: true })', [IsCurrency({ require_symbol: true })], amounts],
    ['@IsCurrency({ parens_for_negatives: true })', [IsCurrency({ parens_for_negatives: true })], amounts],
    ['@IsCurrency({ negative_sign_after_digits: true })', [IsCurrency({ negative_sign_after_digits: true })], amounts],
    ['@IsCurrency({ digits_after_decimal: [1, 2] })', [IsCurrency({ digits_after_decimal: [1, 2] })], amounts],
    ['@IsCurrency({ allow_decimal: false })', [IsCurrency({ allow_decimal: false })], amounts],
    [
      "@IsCurrency({ symbol: '€', symbol_after_digits: true, allow_space_after_digits: true, ... })",
      [
        IsCurrency({
          symbol: '€',
          symbol_after_digits: true,
          thousands_separator: '.',
          decimal_separator: ',',
          allow_space_after_digits: true,
        }),
      ],
      euros,
      'looser',
    ],
    [
      "@IsCurrency({ symbol: 'R', negative_sign_before_digits: true, allow_negative_sign_placeholder: true, ... })",
      [
        IsCurrency({
          symbol: 'R',
          negative_sign_before_digits: true,
          thousands_separator: ' ',
          decimal_separator: ',',
          allow_negative_sign_placeholder: true,
        }),
      ],
      rand,
      'looser',
    ],
  ),
];
