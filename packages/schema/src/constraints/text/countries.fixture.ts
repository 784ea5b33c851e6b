import {
  IsAlpha,
  IsAlphanumeric,
  IsMobilePhone,
  IsPassportNumber,
  IsPhoneNumber,
  IsPostalCode,
  IsTaxId,
} from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const german = textsNear(matchOf(/((\+49|0)1)(5[0-25-9]\d|6([23]|0\d?)|7([0-57-9]|6\d))\d{7,9}/));
const phones = textsNear(['+4915112345678', '015112345678', '+33612345678', '0612345678', '+12025550123', '99999']);

/** Cases of countries.ts. */
export const countryCases = [
  ...casesOf(
    'isAlpha',
    ['@IsAlpha()', [IsAlpha()], textsNear(matchOf(/[a-z]+/i))],
    ["@IsAlpha('de-DE')", [IsAlpha('de-DE')], textsNear(matchOf(/[a-zäöüß]+/i))],
    ["@IsAlpha('tr-TR')", [IsAlpha('tr-TR')], textsNear(matchOf(/[A-ZÇĞİıÖŞÜ]+/i))],
    ["@IsAlpha('el-GR')", [IsAlpha('el-GR')], textsNear(matchOf(/[Α-ώ]+/i))],
    ["@IsAlpha('th-TH')", [IsAlpha('th-TH' as never)], textsNear(matchOf(/[ก-๐\s]+/i))],
    ["@IsAlpha('ja-JP')", [IsAlpha('ja-JP' as never)], textsNear(matchOf(/[ぁ-んァ-ヶｦ-ﾟ一-龠ー・。、]+/i))],
  ),
  ...casesOf(
    'isAlphanumeric',
    ['@IsAlphanumeric()', [IsAlphanumeric()], textsNear(matchOf(/[a-z0-9]+/i))],
    ["@IsAlphanumeric('fr-FR')", [IsAlphanumeric('fr-FR')], textsNear(matchOf(/[0-9A-ZÀÂÆÇÉÈÊËÏÎÔŒÙÛÜŸ]+/i))],
    ["@IsAlphanumeric('ko-KR')", [IsAlphanumeric('ko-KR' as never)], textsNear(matchOf(/[0-9ㄱ-ㅎㅏ-ㅣ가-힣]*/))],
  ),
  ...casesOf(
    'isMobilePhone',
    ["@IsMobilePhone('de-DE')", [IsMobilePhone('de-DE')], german],
    ["@IsMobilePhone('de-DE', { strictMode: true })", [IsMobilePhone('de-DE', { strictMode: true })], german],
    ["@IsMobilePhone(['de-DE', 'fr-FR'])", [IsMobilePhone(['de-DE', 'fr-FR'] as never)], phones],
    ['@IsMobilePhone()', [IsMobilePhone()], phones, 'looser'],
  ),
  ...casesOf(
    'isPostalCode',
    ["@IsPostalCode('DE')", [IsPostalCode('DE')], textsNear(matchOf(/\d{5}/))],
    ["@IsPostalCode('GB')", [IsPostalCode('GB')], textsNear(['SW1A 1AA', 'gir 0aa', 'M1 1AE', 'EC1A1BB', 'e1'])],
    ["@IsPostalCode('IE')", [IsPostalCode('IE')], textsNear(['D02 AF30', 'A65 F4E2', 'a65 f4o2', 'D0w AF30'])],
    ["@IsPostalCode('NL')", [IsPostalCode('NL')], textsNear(['1234 AB', '9999zz', '1012sd']), 'looser'],
    ["@IsPostalCode('any')", [IsPostalCode('any')], textsNear(['12345', 'SW1A 1AA', '1234', '948']), 'looser'],
  ),
  ...casesOf(
    'isPassportNumber',
    [
      "@IsPassportNumber('DE')",
      [IsPassportNumber('DE')],
      textsNear(['C01X00T47', 'c01x 00t47', ' 123456789']),
      'stricter',
    ],
    [
      "@IsPassportNumber('US')",
      [IsPassportNumber('US')],
      textsNear(['123456789', 'A12345678', 'a 12345678']),
      'stricter',
    ],
    [
      "@IsPassportNumber('CY')",
      [IsPassportNumber('CY')],
      textsNear(['K123456', 'ſ12345678', 'k 12 34 56']),
      'stricter',
    ],
  ),
  ...casesOf(
    'isTaxId',
    ['@IsTaxId()', [IsTaxId(undefined as never)], textsNear(['01-3456789', '12 3456789', '123456789']), 'looser'],
    ["@IsTaxId('de-DE')", [IsTaxId('de-DE')], textsNear(['26954371827', '65299970489', '26/954/371827']), 'looser'],
    ["@IsTaxId('en-GB')", [IsTaxId('en-GB')], textsNear(['1234567890', 'AA123456A', 'aa123456 ']), 'looser'],
    ["@IsTaxId('es-ES')", [IsTaxId('es-ES')], textsNear(['00054237A', '54237A', 'X1234567L']), 'looser'],
  ),
  ...casesOf('isPhoneNumber', [
    "@IsPhoneNumber('DE')",
    [IsPhoneNumber('DE')],
    textsNear(['+4930123456', '030 123456', '+41446681800']),
    'not-expressible',
  ]),
];
