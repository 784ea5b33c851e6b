import {
  IsAlpha,
  IsAlphanumeric,
  IsAscii,
  IsBase64,
  IsDateString,
  IsEmail,
  IsFQDN,
  IsHexadecimal,
  IsHexColor,
  IsIP,
  IsISO8601,
  IsJSON,
  IsMilitaryTime,
  IsNumberString,
  IsPort,
  IsRFC3339,
  IsSemVer,
  IsUrl,
  IsUUID,
} from 'class-validator';
import { casesOf } from './constraint-case.fixture.ts';
import { matchOf } from './random-match.fixture.ts';
import { textsNear, textsUpTo } from './random-value.fixture.ts';

const addresses4 = ['127.0.0.1', '10.0.0.255', '255.255.255.255', '0.0.0.0', '1.22.199.249'];
const addresses6 = ['::1', '::', 'fe80::1%eth0', '2001:db8:0:0:1:0:0:1', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8', '1::8'];
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/i;
const dates = ['2026-11-21', '2026', '20261121T120000Z', '2026-W07', '2026-11-21T12:00:00+01:00', '2026-325'];

/** Cases of string-formats.ts. */
export const stringFormatCases = [
  ...casesOf('isPort', ['@IsPort()', [IsPort()], textsNear(matchOf(/\+?0|[1-9][0-9]{0,3}|6553[0-9]|65[45][0-9]{2}/))]),
  ...casesOf(
    'isIp',
    ['@IsIP()', [IsIP()], textsNear([...addresses4, ...addresses6])],
    ["@IsIP('4')", [IsIP('4')], textsNear(addresses4)],
    ["@IsIP('6')", [IsIP('6')], textsNear(addresses6)],
  ),
  ...casesOf('isFqdn', ['@IsFQDN()', [IsFQDN()], textsNear(matchOf(/([a-z0-9-]{1,64}\.){1,3}[a-z]{1,6}/)), 'stricter']),
  ...casesOf('isEmail', ['@IsEmail()', [IsEmail()], textsNear(['user@example.com', 'a.b+c@x.io']), 'looser']),
  ...casesOf('isUrl', ['@IsUrl()', [IsUrl()], textsNear(['https://example.com/x?y=1', 'a.io']), 'not-expressible']),
  ...casesOf(
    'isUuid',
    ['@IsUUID()', [IsUUID()], textsNear(matchOf(uuid))],
    ["@IsUUID('4')", [IsUUID('4')], textsNear(['550e8400-e29b-41d4-a716-446655440000'])],
  ),
  ...casesOf('isHexColor', ['@IsHexColor()', [IsHexColor()], textsNear(matchOf(/#?[0-9a-f]{3,8}/i))]),
  ...casesOf('isHexadecimal', ['@IsHexadecimal()', [IsHexadecimal()], textsNear(matchOf(/(0x|0h)?[0-9a-f]+/i))]),
  ...casesOf('isSemVer', ['@IsSemVer()', [IsSemVer()], textsNear(['1.2.3', '1.2.3-alpha.1+build.5', '0.0.0-0a.-'])]),
  ...casesOf('isBase64', ['@IsBase64()', [IsBase64()], textsNear(matchOf(/([a-z0-9+/]{4})*([a-z]{2}==|[a-z]{3}=)?/i))]),
  ...casesOf('isAlpha', ['@IsAlpha()', [IsAlpha()], textsNear(matchOf(/[a-z]+/i))]),
  ...casesOf('isAlphanumeric', ['@IsAlphanumeric()', [IsAlphanumeric()], textsNear(matchOf(/[a-z0-9]+/i))]),
  ...casesOf('isAscii', ['@IsAscii()', [IsAscii()], textsUpTo(4)]),
  ...casesOf('isNumberString', ['@IsNumberString()', [IsNumberString()], textsNear(matchOf(/[+-]?(\d*\.)?\d+/))]),
  ...casesOf('isMilitaryTime', ['@IsMilitaryTime()', [IsMilitaryTime()], textsNear(matchOf(/[0-2]\d:?[0-6]\d/))]),
  ...casesOf('isRFC3339', [
    '@IsRFC3339()',
    [IsRFC3339()],
    textsNear(['2026-11-21T12:00:00Z', '2026-11-21 12:00:60.5+01:00', '2026-11-21t12:00:00z']),
  ]),
  ...casesOf('isDateString', ['@IsDateString()', [IsDateString()], textsNear(dates), 'not-expressible']),
  ...casesOf('isIso8601', ['@IsISO8601()', [IsISO8601()], textsNear(dates), 'not-expressible']),
  ...casesOf('isJson', ['@IsJSON()', [IsJSON()], textsNear(['{"a":1}', '[1]', '{}', '"a"']), 'not-expressible']),
];
