import {
  IsBtcAddress,
  IsEthereumAddress,
  IsFirebasePushId,
  IsHash,
  IsISRC,
  IsMagnetURI,
  IsMongoId,
  IsSemVer,
  IsUUID,
} from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const uuid = textsNear(
  matchOf(
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-8][0-9a-f]{3}-[89abc][0-9a-f]{3}-[0-9a-f]{12}|(f{8}-(f{4}-){3}f{12})|(0{8}-(0{4}-){3}0{12})/i,
  ),
);
const magnet =
  /magnet:\?(dn=a&)?xt(\.1)?=urn:((btih|SHA1|tree:tiger):[a-z0-9]{32}([A-Z0-9]{8})?|btmh:1220[a-z0-9]{64})(&tr=b)?/;
const uuid4 = textsNear(['550e8400-e29b-41d4-a716-446655440000']);

/** Cases of identifiers.ts. */
export const identifierCases = [
  ...casesOf(
    'isUuid',
    ['@IsUUID()', [IsUUID()], uuid],
    ["@IsUUID('4')", [IsUUID('4')], uuid4],
    ["@IsUUID('loose')", [IsUUID('loose')], uuid],
    [
      "@IsUUID(['4', 'nil'])",
      [IsUUID(['4', 'nil'] as never)],
      textsNear((random) => [uuid, uuid4][random.integer(2)]?.(random) ?? ''),
    ],
  ),
  ...casesOf('isSemVer', ['@IsSemVer()', [IsSemVer()], textsNear(['1.2.3', '1.2.3-alpha.1+build.5', '0.0.0-0a.-'])]),
  ...casesOf('isMongoId', ['@IsMongoId()', [IsMongoId()], textsNear(matchOf(/[0-9a-f]{24}|0[xh][0-9a-f]{22}/i))]),
  ...casesOf('IsFirebasePushId', ['@IsFirebasePushId()', [IsFirebasePushId()], textsNear(matchOf(/[\w-]{20}/))]),
  ...casesOf('isEthereumAddress', [
    '@IsEthereumAddress()',
    [IsEthereumAddress()],
    textsNear(matchOf(/0x[0-9a-f]{40}/i)),
  ]),
  ...casesOf('isBtcAddress', [
    '@IsBtcAddress()',
    [IsBtcAddress()],
    textsNear(matchOf(/(bc1|tb1|bc1p)[ac-hj-np-z02-9]{39,58}|[123m][A-HJ-NP-Za-km-z1-9]{25,39}/)),
  ]),
  ...casesOf('isISRC', ['@IsISRC()', [IsISRC()], textsNear(matchOf(/[A-Z]{2}[0-9A-Z]{3}\d{7}/))]),
  ...casesOf(
    'isHash',
    ["@IsHash('md5')", [IsHash('md5')], textsNear(matchOf(/[0-9a-f]{32}/i))],
    ["@IsHash('sha256')", [IsHash('sha256')], textsNear(matchOf(/[0-9a-f]{64}/i))],
    ["@IsHash('crc32')", [IsHash('crc32')], textsNear(matchOf(/[0-9a-f]{8}/i))],
  ),
  ...casesOf('isMagnetURI', ['@IsMagnetURI()', [IsMagnetURI()], textsNear(matchOf(magnet))]),
];
