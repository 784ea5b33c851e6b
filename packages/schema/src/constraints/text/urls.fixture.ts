import { IsUrl } from 'class-validator';
import { casesOf } from '../constraint-case.fixture.ts';
import { textsNear } from '../random-value.fixture.ts';

const urls = [
  ...[
    'https://example.com/x?y=1',
    'a.io',
    'http://user:pw@example.com:8080/#top',
    'ftp://[::1]:21/a',
    'example.com:80',
  ],
  ...['HTTP:example.com', 'user:pw@example.com', 'us%41er:pw@example.com', '//example.com', 'http://localhost:3000'],
  ...[
    'mailto:a@example.com',
    'http:///a',
    'redis://x.io',
    'javascript:alert()@x.io',
    'x.io/?a&b',
    'http://127.0.0.1/a#b',
  ],
  ...[
    'http://x.io:00080',
    'http://x.io:',
    'https://münchen.de/ä',
    `http://x.io/${'a'.repeat(2070)}`,
    'http://1:2@x.io',
  ],
];

/** Cases of urls.ts. */
export const urlCases = casesOf(
  'isUrl',
  ['@IsUrl()', [IsUrl()], textsNear(urls), 'looser'],
  ['@IsUrl({ require_protocol: true })', [IsUrl({ require_protocol: true })], textsNear(urls), 'looser'],
  [
    "@IsUrl({ protocols: ['redis'] })",
    [IsUrl({ protocols: ['redis'] })],
    textsNear(['redis://x.io', ...urls]),
    'looser',
  ],
  ['@IsUrl({ require_valid_protocol: false })', [IsUrl({ require_valid_protocol: false })], textsNear(urls), 'looser'],
  ['@IsUrl({ require_tld: false })', [IsUrl({ require_tld: false })], textsNear(urls), 'looser'],
  ['@IsUrl({ require_host: false })', [IsUrl({ require_host: false })], textsNear(urls), 'looser'],
  ['@IsUrl({ require_port: true })', [IsUrl({ require_port: true })], textsNear(urls), 'looser'],
  [
    '@IsUrl({ allow_protocol_relative_urls: true })',
    [IsUrl({ allow_protocol_relative_urls: true })],
    textsNear(urls),
    'looser',
  ],
  [
    '@IsUrl({ allow_fragments: false, allow_query_components: false })',
    [IsUrl({ allow_fragments: false, allow_query_components: false })],
    textsNear(urls),
    'looser',
  ],
  ['@IsUrl({ disallow_auth: true })', [IsUrl({ disallow_auth: true })], textsNear(urls), 'looser'],
  ["@IsUrl({ host_whitelist: ['x.io'] })", [IsUrl({ host_whitelist: ['x.io'] })], textsNear(urls), 'looser'],
  ['@IsUrl({ host_whitelist: [/x/] })', [IsUrl({ host_whitelist: [/x/] })], textsNear(urls), 'looser'],
  ["@IsUrl({ host_blacklist: ['x.io'] })", [IsUrl({ host_blacklist: ['x.io'] })], textsNear(urls), 'looser'],
  ['@IsUrl({ validate_length: false })', [IsUrl({ validate_length: false })], textsNear(urls), 'looser'],
  ['@IsUrl({ max_allowed_length: 20 })', [IsUrl({ max_allowed_length: 20 })], textsNear(urls), 'looser'],
);
