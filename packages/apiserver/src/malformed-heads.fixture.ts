import { token } from './malformed-requests.fixture.ts';

type Head = readonly [title: string, bytes: string];

const authorization = `Authorization: Bearer ${token}\r\n`;
const headers = `Host: x\r\nUser-Agent: test\r\n${authorization}`;
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const request = (line: string, more = ''): string => `${line}\r\n${headers}${more}\r\n`;
const version = (more: string): string => request('GET /version HTTP/1.1', more);

const insertions: readonly (readonly [name: string, byte: string])[] = [
  ...(['\0', '\t', '\n', '\r', ' ', '\x7f', '\x80', '\xff', ':', '"', '{', '\x01', '/'] as const).map(
    (byte) => [JSON.stringify(byte), byte] as const,
  ),
];
const places: Readonly<Record<string, (byte: string) => string>> = {
  'before the method': (byte) => request(`${byte}GET /version HTTP/1.1`),
  'in the method': (byte) => request(`GE${byte}T /version HTTP/1.1`),
  'after the method': (byte) => request(`GET${byte} /version HTTP/1.1`),
  'before the path': (byte) => request(`GET ${byte}/version HTTP/1.1`),
  'in the path': (byte) => request(`GET /ver${byte}sion HTTP/1.1`),
  'in the query': (byte) => request(`GET /version?a=${byte}x HTTP/1.1`),
  'after the path': (byte) => request(`GET /version${byte} HTTP/1.1`),
  'before the version': (byte) => request(`GET /version ${byte}HTTP/1.1`),
  'in the version': (byte) => request(`GET /version HTTP/1${byte}.1`),
  'after the version': (byte) => request(`GET /version HTTP/1.1${byte}`),
  'before the first name': (byte) => `GET /version HTTP/1.1\r\n${byte}Host: x\r\n${authorization}\r\n`,
  'before a later name': (byte) => version(`${byte}foo: bar\r\n`),
  'in a name': (byte) => version(`fo${byte}o: bar\r\n`),
  'after a name': (byte) => version(`foo${byte}: bar\r\n`),
  'after a colon': (byte) => version(`foo:${byte}bar\r\n`),
  'in a value': (byte) => version(`foo: b${byte}ar\r\n`),
  'after a value': (byte) => version(`foo: bar${byte}\r\n`),
  'in Host': (byte) => `GET /version HTTP/1.1\r\nHost: x${byte}y\r\n${authorization}\r\n`,
};

const methods = [
  ...['FOO', 'get', 'Get', '', 'G', 'X'.repeat(5000), 'GET-', 'G@T', 'CONNECT', 'PRI', 'M-SEARCH', 'QUERY', 'LINK'],
  ...['DESCRIBE', 'SOURCE', 'OPTIONS', 'BREW'],
];
const versions = [
  ...['HTTP/1.2', 'HTTP/1.9', 'HTTP/1.10', 'HTTP/01.1', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/3.0', 'HTTP/1.', 'HTTP/.1'],
  ...['/1.1', 'HTTPS/1.1', 'ICE/1.0', 'RTSP/1.0', 'HTTP', 'HTTP/', 'HTTP/1', 'HTTP/1.1.1', 'HTTP/-1.1', 'HTTP/1,1'],
  ...['http/1.1', 'HTTP /1.1', 'HTTP/ 1.1', '1.1', 'HTTP/1.x', 'HTTP/9.9', 'HTTP/0.0', 'HTTP/1.0'],
];
const targets = [
  ...['', '?', '?a', '*', 'x', 'x:80', '//', '///version', '/version#a', '/version?#', 'http://', 'http:///version'],
  ...['http://x:y/version', 'http://[::1/version', 'ftp://x/version', 'HTTP://x/version', 'http:version', '://x'],
  ...['/\\', '/version;a=b', '/%2fversion', '/version%', '/version%0', '/version?%', '/%00', '/version%20', '/^'],
  ...['/|', '/<>', '/`', '/version?a b', '/é', '.', '..', '/.', '/..', '/../version', '/./version', 'mailto:a'],
  ...['1:2', 'http://user:pw@x/version', 'http://x y/version', '/a:b', 'a:b', '/version?a=%zz', '%2fversion'],
];
const hosts = [
  ...['x\r\nHost: x', 'x, y', 'x:99999', '[::1]', 'x@y', 'http://x', 'x/y', '\t x \t', 'é', '"x"', '<x>', 'x\\y'],
  ...['x?y', 'x#y', '^', '`', '|', '%zz', '[', 'x y', ''],
];

const body = '{"metadata":{"name":"Bad Name"}}';
const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
const post = (more: string, content = body): string =>
  `${request(`POST ${path} HTTP/1.1`, `Content-Type: application/json\r\n${more}`)}${content}`;
const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const lengths = [
  ...['+32', '0x20', '32, 32', ' 32', '32 ', '', '-0', '00', '032', '32;', '32a', 'a', '1e1', '3.2', '"32"', '-1', ','],
  ...['9223372036854775808', '32\r\nContent-Length: 32', '32\r\nContent-Length: 1'],
];
const encodings = [
  ...['chunked', 'Chunked', 'identity', 'gzip', 'gzip, chunked', 'chunked, chunked', 'chunked;q=1', 'xchunked'],
  ...['chunked ', ' chunked', '"chunked"', '', 'chunked,', 'identity, chunked', 'chunked, identity', '\x0bchunked'],
  ...['chunked\r\nTransfer-Encoding: chunked', 'chunked\r\nTransfer-Encoding: identity'],
];

const lines: readonly Head[] = [
  ['the authority of CONNECT', request('CONNECT x:443 HTTP/1.1')],
  ['the path of CONNECT', request('CONNECT /api/v1 HTTP/1.1')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['LF', version('').replaceAll('\r', '')],
  ['LF after the first line', version('').replace('\r', '')],
  ['LF after a header', version('foo: bar\n')],
  ['LF at the end', `GET /version HTTP/1.1\r\n${headers}\n`],
  ['CR before CRLF', request('GET /version HTTP/1.1\r')],
  ['an empty line before', `\r\n${version('')}`],
  ['an empty line with LF before', `\n${version('')}`],
  ['a folded header', version('foo: bar\r\n baz\r\n')],
  ['a folded header with a tab', version('foo: bar\r\n\tbaz\r\n')],
  ['a folded token', `GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer\r\n ${token}\r\n\r\n`],
  ['a folded first header', `GET /version HTTP/1.1\r\n Host: x\r\n${authorization}\r\n`],
  ['a line of spaces', version(' \r\n')],
  ['only spaces', '   \r\n\r\n'],
  ['the hello of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['JSON', '{"a":1}\r\n\r\n'],
  ['a response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['10 spaces', request('GET          /version HTTP/1.1')],
  ['no path', request('GET  HTTP/1.1')],
  ['only a method', request('GET')],
  ['5000 headers', version(Array.from({ length: 5000 }, (_, index) => `a${index}: b\r\n`).join(''))],
  ['a name of 70 KB', version(`${'a'.repeat(70_000)}: b\r\n`)],
  ['a length and chunks', post(`Content-Length: 32\r\nTransfer-Encoding: chunked\r\n`, chunks)],
  ['chunks and a bad length', post(`Content-Length: x\r\nTransfer-Encoding: chunked\r\n`, chunks)],
  ['chunks in HTTP 1.0', post('Transfer-Encoding: chunked\r\n', chunks).replace('HTTP/1.1', 'HTTP/1.0')],
];

/** The first lines and headers of requests, most of them malformed, as bytes. */
export const malformedHeads: readonly Head[] = [
  ...Object.entries(places).flatMap(([place, insert]) =>
    insertions.map(([name, byte]): Head => [`${name} ${place}`, insert(byte)]),
  ),
  ...methods.map((method): Head => [`the method ${method.slice(0, 20)}`, request(`${method} /version HTTP/1.1`)]),
  ...versions.map((it): Head => [`the version ${it}`, request(`GET /version ${it}`)]),
  ...targets.map((it): Head => [`the target ${it}`, request(`GET ${latin1(it)} HTTP/1.1`)]),
  ...hosts.map((it): Head => [`Host: ${it}`, `GET /version HTTP/1.1\r\nHost: ${latin1(it)}\r\n${authorization}\r\n`]),
  ...lengths.map((it): Head => [`Content-Length: ${it}`, post(`Content-Length: ${it}\r\n`)]),
  ...encodings.map((it): Head => [`Transfer-Encoding: ${it}`, post(`Transfer-Encoding: ${it}\r\n`, chunks)]),
  ...['foo', '', '200-ok'].map((it): Head => [`Expect: ${it}`, post(`Expect: ${it}\r\nContent-Length: 32\r\n`)]),
  ...['h2c', 'websocket', 'foo', '', 'websocket, h2c'].map(
    (it): Head => [`Upgrade: ${it}`, version(`Connection: Upgrade\r\nUpgrade: ${it}\r\n`)],
  ),
  ...['close', 'keep-alive', 'Close, x', 'upgrade', '', 'foo'].map(
    (it): Head => [`Connection: ${it}`, version(`Connection: ${it}\r\n`)],
  ),
  ...lines,
];

/** Node's parser hides these mistakes, or does not pass the body on: docs/embedded-server.md. */
export const hiddenByParser: ReadonlySet<string> = new Set([
  ...['"\\n" before the method', '"\\r" before the method', 'an empty line before', 'an empty line with LF before'],
  ...['" " after the method', '" " before the path', '" " after the path', '" " before the version', '10 spaces'],
  ...['the version RTSP/1.0', 'the version HTTP/0.9', 'a length and chunks'],
]);
