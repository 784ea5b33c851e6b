export const token = 'admin-token';
const maps = '/api/v1/namespaces/default/configmaps';
const head = `Host: x\r\nUser-Agent: test\r\nAuthorization: Bearer ${token}\r\n`;

function get(path: string, method = 'GET', more = ''): string {
  return `${method} ${path} HTTP/1.1\r\n${head}${more}\r\n`;
}

function post(path: string, body: string, contentType = 'application/json'): string {
  const length = Buffer.byteLength(body, 'latin1');
  return `POST ${path} HTTP/1.1\r\n${head}Content-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function continued(token: unknown, path = maps): string {
  return get(`${path}?limit=1&continue=${Buffer.from(JSON.stringify(token)).toString('base64url')}`);
}

const v = 'meta.k8s.io/v1';
const start = 'default/a\u0000';
const badName = '{"metadata":{"name":"Bad Name"}}';

const paths = [
  ...['/%zz', '/api/v1/%zz', '/api/v1/namespaces/%zz/configmaps', `${maps}/%zz`, `${maps}/%`, '/%2'],
  ...['//api', '//api/v1', '//healthz', '/healthz/', '/healthz//', '/healthz/ping/', '/version/', '/healthz/nothing'],
  ...[`${maps}//none`, `${maps}/none/`, '/apis//v1', '/apis/apps//deployments', '/api/v1//namespaces/none'],
  ...[`${maps}/..%2fnone`, `${maps}/..%2f..%2fsecrets`, `${maps}/a%2fb`, `${maps}/%2e%2e`, `${maps}/..`, `${maps}/.`],
  ...[`${maps}/../configmaps/none`, `${maps}/./none`, '/api/v1/../v1/namespaces/none', `${maps}/a%25b`],
  ...[`${maps}/non%65`, `/api/v1/namespaces/def%61ult/configmaps/none`, '/%61pi/v1/namespaces/none', `${maps}/none%20`],
  ...['/api/V1/namespaces', '/API/v1', '/apis/Apps/v1', '/api/v1/Namespaces', '/apis/apps/v2/deployments', '/nothing'],
  ...['/apis/nothing.example.com/v1/x', `/${'a'.repeat(9000)}`, `${maps}/${'a'.repeat(300)}`, '/openapi', '*', 'api'],
  ...[`${maps}?limit=x`, `${maps}?limit=99999999999999999999`, `${maps}?limit=1e3`, `${maps}?timeoutSeconds=x`],
  ...[`${maps}?resourceVersion=x`, `${maps}?resourceVersion=-1`, `${maps}?resourceVersion=99999999999999999999`],
  ...[`${maps}/none?resourceVersion=x`, `${maps}/none?resourceVersion=-1`, `${maps}?resourceVersionMatch=Exact`],
  ...[`${maps}?watch=1&resourceVersion=x`, `${maps}?watch=1&resourceVersion=99999999999999999999`],
  ...[
    `${maps}?continue=x`,
    `${maps}?continue=%3D`,
    `${maps}?continue=e30`,
    `${maps}?labelSelector=a;b`,
    `${maps}?labelSelector=%zz&limit=x`,
    `${maps}/none?a;b`,
  ],
  ...[`${maps}?timeout=x`, `${maps}?timeout=1`, `${maps}?timeout=%2B1s`, `${maps}?timeout=1d`, '/healthz?timeout=x'],
  ...['http://x/nothing', 'http://x/api/v1/namespaces/none', 'https://example.com'],
];

const tokens: readonly unknown[] = [
  ...[
    { v, rv: 'x', start },
    { v, rv: 1.5, start },
    { v, rv: 0, start },
    { v, start },
    { v, rv: 5 },
    { v, rv: 5, start: 5 },
  ],
  ...[
    { v: 'meta.k8s.io/v2', rv: 5, start },
    { v, rv: 5, start: '../../a' },
    { v, rv: 5, start: 'a/./b' },
    null,
    [],
    {},
  ],
];

const methods = ['HEAD', 'TRACE', 'OPTIONS', 'PROPFIND', 'PURGE'];
const heads: readonly (readonly [title: string, bytes: string])[] = [
  ['two Host headers', `GET /version HTTP/1.1\r\nHost: x\r\n${head}\r\n`],
  ['no Host header', `GET /version HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`],
  ['no Host header in HTTP 1.0', `GET /nothing HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n\r\n`],
  ['a malformed Host header', `GET /version HTTP/1.1\r\nHost: a b\r\nAuthorization: Bearer ${token}\r\n\r\n`],
  ['an empty Host header', `GET /nothing HTTP/1.1\r\nHost:\r\nAuthorization: Bearer ${token}\r\n\r\n`],
  ['no HTTP version', 'GET /version\r\n\r\n'],
  ['no HTTP version, but a header', 'GET /version\r\nHost: x\r\n\r\n'],
  ['HTTP 2.0', `GET /version HTTP/2.0\r\n${head}\r\n`],
  ['HTTP 3', `GET /version HTTP/3\r\n${head}\r\n`],
  ['a version in lower case', `GET /version http/1.1\r\n${head}\r\n`],
  ['no request', 'nonsense\r\n\r\n'],
  ['a space in the path', `GET /ver sion HTTP/1.1\r\n${head}\r\n`],
  ['a header without a colon', `GET /version HTTP/1.1\r\n${head}foo\r\n\r\n`],
  ['a header without a name', `GET /version HTTP/1.1\r\n${head}: bar\r\n\r\n`],
  ['NUL in a header', `GET /version HTTP/1.1\r\n${head}foo: a\u0000b\r\n\r\n`],
  ['two lengths', `POST ${maps} HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`],
  ['a negative length', `POST ${maps} HTTP/1.1\r\n${head}Content-Length: -2\r\n\r\n{}`],
  ['a huge length', `POST ${maps} HTTP/1.1\r\n${head}Content-Length: 99999999999999999999\r\n\r\n{}`],
  ['900 KB of headers', get('/nothing', 'GET', `foo: ${'a'.repeat(900_000)}\r\n`)],
  ['2 MB of headers', get('/nothing', 'GET', `foo: ${'a'.repeat(2_000_000)}\r\n`)],
  ['a path of 100 KB', get(`/${'a'.repeat(100_000)}`)],
];

const authorizations = [
  'Bearer  x',
  `Bearer  ${token}`,
  'Bearer',
  `bearer ${token}`,
  `Bearer ${token} x`,
  `Basic ${token}`,
];
const accepted = [
  '',
  'a',
  ';',
  'text/*',
  'application/json;q=0',
  'application/json;as=Table',
  ',',
  'application/json,,',
];
const contentTypes = [
  '',
  'a',
  'application/json;',
  'APPLICATION/JSON',
  'application/json, x',
  'text/json',
  ';',
  'application/json;=',
];

const notJson = [
  ...['{', '}', '{"', '{"a', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{,}', '{"a" 1}', '{a:1}', "{'a':1}"],
  ...['{"a":01}', '{"a":1.}', '{"a":.5}', '{"a":+1}', '{"a":-}', '{"a":1e}', '{"a":1e+}', '{"a":0x1}', '{"a":NaN}'],
  ...[
    '{"a":tru}',
    '{"a":nul}',
    '{"a":"\n"}',
    '{"a":"\u0000"}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '[1 2]',
    '[1,]',
    '[,1]',
  ],
  ...[
    '\ufeff{}',
    '{}x',
    '{}{}',
    '/*a*/{}',
    '{}//a',
    '\u0000',
    '{}\u0000',
    '-',
    'tru',
    '1e',
    '"',
    '"\\',
    '\\',
    '<html>',
    '\u00a0',
  ],
];

/** Requests as bytes, to which both servers respond with the same status and body. */
export const malformedRequests: readonly (readonly [title: string, bytes: string])[] = [
  ...paths.map((path) => [`GET ${path.slice(0, 80)}`, get(path)] as const),
  ...tokens.map((it) => [`the continue token ${JSON.stringify(it)}`, continued(it)] as const),
  ...methods.flatMap((method) =>
    [`${maps}/none`, maps, '/api', '/nothing', '/apis/x.y/v1/z'].map(
      (path) => [`${method} ${path}`, get(path, method)] as const,
    ),
  ),
  ...['PUT', 'POST', 'DELETE', 'PATCH'].flatMap((method) =>
    ['/api', '/api/v1', '/apis/apps/v1', '/version', '/nothing', '/healthz'].map(
      (path) => [`${method} ${path}`, get(path, method, 'Content-Length: 0\r\n')] as const,
    ),
  ),
  ...heads,
  ...authorizations.map(
    (it) =>
      [
        `Authorization: ${it}`,
        `GET ${maps}/none HTTP/1.1\r\nHost: x\r\nUser-Agent: test\r\nAuthorization: ${it}\r\n\r\n`,
      ] as const,
  ),
  ...accepted.map((it) => [`Accept: ${it}`, get(`${maps}/none`, 'GET', `Accept: ${it}\r\n`)] as const),
  ...contentTypes.map((it) => [`Content-Type: ${it}`, post(maps, badName, it)] as const),
  ...notJson.map((it) => [`the body ${JSON.stringify(it)}`, post(maps, Buffer.from(it).toString('latin1'))] as const),
  ['a short body of an anonymous client', `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`],
  ['a long body of an anonymous client', `POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n{`],
  ['a body that is too long', post(maps, `{"a":"${'x'.repeat(3_200_000)}"}`)],
  ['a name with NUL', post(maps, '{"metadata":{"name":"x\\u0000"}}')],
  ['a generation of 1.5', post(maps, '{"metadata":{"name":"x","generation":1.5}}')],
];
