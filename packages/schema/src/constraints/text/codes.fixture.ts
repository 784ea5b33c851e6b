import {
  IsBIC,
  IsCreditCard,
  IsEAN,
  IsIBAN,
  IsISBN,
  IsISIN,
  IsISO4217CurrencyCode,
  IsISO6391,
  IsISO31661Alpha2,
  IsISO31661Alpha3,
  IsISO31661Numeric,
  IsISSN,
  IsLocale,
} from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const twoLetters = textsNear(matchOf(/[A-Z]{2}|[a-z]{2}|[ßﬁﬂﬆ]|[ıſ][a-z]/));
const countries = textsNear(['DEU', 'usa', 'Fra', 'ſau', 'ıta', 'ßd', 'pſE', 'xkx', 'eﬆ', 'aaa']);
const currencies = textsNear(['EUR', 'usd', 'Chf', 'ßp', 'ıdr', 'SE\u212a', 'xxx', 'xau', 'abc', 'zzz']);
const locales = ['en-US', 'de', 'zh-Hant-CN', 'x-foo-bar', 'i-klingon', 'sl-rozaj-biske', 'de_DE', 'en-a-bbb-x-a-ccc'];
const ibans = [
  ...['DE89370400440532013000', 'GB82 WEST 1234 5698 7654 32', 'FR14 2004 1010 0505 0001 3M02 606', 'NO9386011117947'],
  ...['de89 3704-0044-0532-0130-00', 'MT84MALT011000012345MTLCAST001S', 'FI2112345600000785'],
];
const books = ['978-3-16-148410-0', '3-8362-2119-5', '0306406152', '080442957X', '9780306406157', '3 8362 2119 5'];
const books10 = books.filter((book) => book.replace(/\D/g, '').length < 13);
const books13 = books.filter((book) => book.replace(/\D/g, '').length === 13);
const cards = ['4111111111111111', '5500 0000 0000 0004', '3782-822463-10005', '6011000000000004', '5100'];
const serials = ['0378-5955', '2434-561X', '03785955', '1050-124x'];

/** Cases of codes.ts. */
export const codeCases = [
  ...casesOf('isISO31661Alpha2', ['@IsISO31661Alpha2()', [IsISO31661Alpha2()], twoLetters]),
  ...casesOf('isISO31661Alpha3', ['@IsISO31661Alpha3()', [IsISO31661Alpha3()], countries]),
  ...casesOf('isISO31661Numeric', ['@IsISO31661Numeric()', [IsISO31661Numeric()], textsNear(matchOf(/\d{3}/))]),
  ...casesOf('isISO4217CurrencyCode', ['@IsISO4217CurrencyCode()', [IsISO4217CurrencyCode()], currencies]),
  ...casesOf('isISO6391', ['@IsISO6391()', [IsISO6391()], textsNear(matchOf(/[a-z]{2}/))]),
  ...casesOf('isLocale', ['@IsLocale()', [IsLocale()], textsNear(locales)]),
  ...casesOf('isBIC', [
    '@IsBIC()',
    [IsBIC()],
    textsNear(['DEUTDEFF', 'deutdeff500', 'NEDSZAJJXXX', 'NBKOXKPR', 'AAAAßAA']),
  ]),
  ...casesOf('isIBAN', ['@IsIBAN()', [IsIBAN()], textsNear(ibans), 'looser']),
  ...casesOf('isEAN', [
    '@IsEAN()',
    [IsEAN()],
    textsNear(['4006381333931', '73513537', '9780306406157', '00614141999996']),
  ]),
  ...casesOf('isIsin', [
    '@IsISIN()',
    [IsISIN()],
    textsNear(['US0378331005', 'AU0000XVGZA3', 'GB0002634946', 'DE000BAY0017', 'LU0079837604']),
  ]),
  ...casesOf(
    'isISSN',
    ['@IsISSN()', [IsISSN()], textsNear(serials)],
    ['@IsISSN({ require_hyphen: true })', [IsISSN({ require_hyphen: true })], textsNear(serials)],
    ['@IsISSN({ case_sensitive: true })', [IsISSN({ case_sensitive: true })], textsNear(serials)],
  ),
  ...casesOf(
    'isIsbn',
    ['@IsISBN()', [IsISBN()], textsNear(books), 'looser'],
    ["@IsISBN('10')", [IsISBN('10')], textsNear(books10), 'looser'],
    ["@IsISBN('13')", [IsISBN('13')], textsNear(books13), 'looser'],
  ),
  ...casesOf('isCreditCard', ['@IsCreditCard()', [IsCreditCard()], textsNear(cards), 'looser']),
];
