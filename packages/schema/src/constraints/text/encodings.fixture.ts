import {
  IsBase32,
  IsBase58,
  IsBase64,
  IsDataURI,
  IsHexadecimal,
  IsJSON,
  IsJWT,
  IsMimeType,
  IsOctal,
} from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const base64 = textsNear(matchOf(/([a-z0-9+/]{4})*([a-z]{2}==|[a-z]{3}=)?/i));
const base64Url = textsNear(matchOf(/([a-z0-9_-]{4})*([a-z]{2}==|[a-z]{3}=)?/i));
const dataUri = matchOf(/\s?data:(text\/[a-z+.]{1,5})?(;charset=utf-8)?(;base64)?\s?,[a-zA-Z0-9,%=\s]{0,9}/);
const mimeType = matchOf(
  /(text|multipart|image|font)\/[a-z0-9.+_-]{1,8}(;\s?(charset|boundary)=("[a-z\s]{0,5}"|[a-z.-]{0,9})(\s?\([a-z]{1,4}\))?){0,2}/i,
);

/** Cases of encodings.ts. */
export const encodingCases = [
  ...casesOf('isHexadecimal', ['@IsHexadecimal()', [IsHexadecimal()], textsNear(matchOf(/(0x|0h)?[0-9a-f]+/i))]),
  ...casesOf('isOctal', ['@IsOctal()', [IsOctal()], textsNear(matchOf(/(0o)?[0-7]+/i))]),
  ...casesOf('isBase32', [
    '@IsBase32()',
    [IsBase32()],
    textsNear(matchOf(/([A-Z2-7]{8}){1,3}={0,2}|[A-Z2-7]{2,9}={0,9}/)),
  ]),
  ...casesOf('isBase58', ['@IsBase58()', [IsBase58()], textsNear(matchOf(/[A-HJ-NP-Za-km-z1-9]*/))]),
  ...casesOf(
    'isBase64',
    ['@IsBase64()', [IsBase64()], base64],
    ['@IsBase64({ urlSafe: true })', [IsBase64({ urlSafe: true })], base64Url],
    ['@IsBase64({ urlSafe: true, padding: true })', [IsBase64({ urlSafe: true, padding: true })], base64Url],
    ['@IsBase64({ padding: false })', [IsBase64({ padding: false })], base64],
  ),
  ...casesOf('isJwt', ['@IsJWT()', [IsJWT()], textsNear(matchOf(/([\w-]{0,9}\.){2}[\w-]{0,9}/))]),
  ...casesOf('isJson', [
    '@IsJSON()',
    [IsJSON()],
    textsNear(['{"a":1}', '[1]', ' {}\n', '"a"', '[{}]', 'null']),
    'looser',
  ]),
  ...casesOf('isDataURI', ['@IsDataURI()', [IsDataURI()], textsNear(dataUri)]),
  ...casesOf('isMimeType', ['@IsMimeType()', [IsMimeType()], textsNear(mimeType)]),
];
