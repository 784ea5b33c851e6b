import { IsAscii, IsFQDN } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const names = matchOf(
  /([a-z0-9_]{1,32}[a-z0-9_-]{1,32}\.|[a-zé中]{1,8}\.){1,2}([a-z]{1,6}|中国|xn--p1ai|[0-9]{1,3})\.?/,
);
const plainNames = textsNear(matchOf(/([a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?\.){1,3}[a-z]{2,6}/));
const commonNames = textsNear(matchOf(/(\*\.)?([a-z0-9]{1,6}\.){1,3}([a-z]{2,6}|中国|xn--p1ai|[0-9]{1,3})\.?/));
const shortNames = textsNear(matchOf(/([a-z0-9_]{1,6}\.){0,3}([a-z]{2,6}|[0-9]{1,3})/));

/** Cases of domain-names.ts. */
export const domainNameCases = casesOf(
  'isFqdn',
  ['@IsFQDN()', [IsFQDN()], textsNear(names), 'looser'],
  ['@IsFQDN() @IsAscii()', [IsFQDN(), IsAscii()], plainNames],
  ['@IsFQDN({ require_tld: false })', [IsFQDN({ require_tld: false })], shortNames, 'looser'],
  ['@IsFQDN({ allow_underscores: true })', [IsFQDN({ allow_underscores: true })], textsNear(names), 'looser'],
  ['@IsFQDN({ allow_trailing_dot: true })', [IsFQDN({ allow_trailing_dot: true })], commonNames, 'looser'],
  ['@IsFQDN({ allow_wildcard: true })', [IsFQDN({ allow_wildcard: true })], commonNames, 'looser'],
  ['@IsFQDN({ allow_numeric_tld: true })', [IsFQDN({ allow_numeric_tld: true })], commonNames, 'looser'],
  ['@IsFQDN({ ignore_max_length: true })', [IsFQDN({ ignore_max_length: true })], textsNear(names)],
);
