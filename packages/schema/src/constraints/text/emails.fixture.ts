import { IsAscii, IsEmail } from 'class-validator';
import { matchOf } from '../../regular-expression/matching-text.ts';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const addresses = [
  ...['user@example.com', 'a.b+c@x.io', '"a b\\"c"@example.com', '"@example.com', 'ü@example.com', "o'brien@x.co.uk"],
  ...['user@münchen.de', '"a@b"@x.org', 'a@sub.xn--p1ai', 'a@127.0.0.1', 'a@[::1]', 'user@localhost', 'a_@b_c.com'],
];
const named = ['Ann <ann@example.com>', '"Ann B." <a@x.io>', 'ann@example.com', 'ann@example.com>', '<a@x.io>'];
const long = matchOf(/[a-zü]{50,70}@([a-z]{62,64}\.)com/);

/** Cases of emails.ts. */
export const emailCases = casesOf(
  'isEmail',
  ['@IsEmail()', [IsEmail()], textsNear(addresses), 'looser'],
  ['@IsEmail() @IsAscii()', [IsEmail(), IsAscii()], textsNear(addresses)],
  ['@IsEmail() of long names', [IsEmail()], textsNear(long), 'looser'],
  [
    '@IsEmail({ allow_utf8_local_part: false })',
    [IsEmail({ allow_utf8_local_part: false })],
    textsNear(addresses),
    'looser',
  ],
  ['@IsEmail({ allow_ip_domain: true })', [IsEmail({ allow_ip_domain: true })], textsNear(addresses), 'looser'],
  ['@IsEmail({ require_tld: false })', [IsEmail({ require_tld: false })], textsNear(addresses), 'looser'],
  ['@IsEmail({ allow_display_name: true })', [IsEmail({ allow_display_name: true })], textsNear(named), 'looser'],
  ['@IsEmail({ require_display_name: true })', [IsEmail({ require_display_name: true })], textsNear(named), 'looser'],
  [
    "@IsEmail({ host_whitelist: ['x.io'] })",
    [IsEmail({ host_whitelist: ['x.io'] })],
    textsNear(['a@x.io', 'a@X.io', 'a@y.io', 'x.io']),
    'looser',
  ],
);
