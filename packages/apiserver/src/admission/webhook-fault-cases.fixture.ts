import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Review } from '../review-server.fixture.ts';
import { type Answer, allow, patch, respond } from './admission-webhook.fixture.ts';
import type { AdmissionCase } from './webhook-cases.fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

const create = (name: string, data: object = {}): AdmissionCase['requests'][number] => [
  'POST',
  `${maps}?dryRun=All`,
  { metadata: { name }, data },
];

const twice = [create('first'), create('second')];

/** A webhook is asked twice, the second time on a connection that it may have kept. */
const answers = (title: string, answer: Answer, options: object = {}): AdmissionCase => ({
  title,
  validating: [{ path: 'v', options: { rules, ...options }, answer }],
  requests: twice,
});

const mutates = (title: string, answer: Answer, request = create('mutated')): AdmissionCase => ({
  title,
  mutating: [{ path: 'm', options: { rules }, answer }],
  requests: [request],
});

const textOf = (review: Review): string => JSON.stringify(allow(review, undefined as never));

const sends =
  (status: number, headers: Readonly<Record<string, string>>, body: (review: Review) => string | Buffer): Answer =>
  (review, response) => {
    response.writeHead(status, headers).end(body(review));
  };

const json = { 'content-type': 'application/json' };
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const raw = (response: ServerResponse, text: string): void => {
  response.socket?.end(text);
};

/** Answers the first call as usual, and the second one with a fault. */
function atSecond(fault: Answer): Answer {
  return (review, response) => (review.request.name === 'first' ? allow : fault)(review, response);
}

/** Answers that are damaged, and connections that are lost. */
export const faultCases: readonly AdmissionCase[] = [
  answers('is killed in the middle of a call', (_, response) => void response.socket?.destroy()),
  answers(
    'is killed in the middle of a call on a kept connection',
    atSecond((_, response) => void response.socket?.destroy()),
  ),
  answers('is killed in the middle of its answer', (_, response) => {
    response.writeHead(200, { ...json, 'content-length': '1000' });
    response.write('{"kind":"Adm', () => response.socket?.destroy());
  }),
  answers('is killed in the middle of a chunk', (_, response) => {
    response.writeHead(200, json);
    response.write('{"kind":"Adm', () => response.socket?.destroy());
  }),
  answers('answers no HTTP', (_, response) => raw(response, 'hello\r\n\r\n')),
  answers('closes a kept connection', (_, response) => {
    response.setHeader('connection', 'close');
    return allow(_, response);
  }),
  answers('is too slow in the middle of its answer', (_, response) => void response.writeHead(200, json).write('{'), {
    timeoutSeconds: 1,
  }),
  answers('answers 10,000 levels deep', () => nested(10_000)),
  answers('answers 9,999 levels deep', () => nested(9_999)),
  answers(
    'answers a review 10,000 levels deep',
    (review) => `${textOf(review).slice(0, -1)},"extra":${nested(10_000)}}`,
  ),
  answers(
    'answers a review with unknown members 5,000 levels deep',
    (review) => `${textOf(review).slice(0, -1)},"extra":${nested(5_000)}}`,
  ),
  answers(
    'answers with prototype keys',
    (review) => `{"__proto__":{"response":{"allowed":false}},"constructor":1,${textOf(review).slice(1)}`,
  ),
  answers('answers only with prototype keys', (review) => `{"__proto__":${textOf(review)}}`),
  answers(
    'answers with duplicate keys',
    (review) => `{"response":{"uid":"x","allowed":false},${textOf(review).slice(1)}`,
  ),
  answers('answers with names in another case', (review) => textOf(review).replace('"allowed"', '"Allowed"')),
  answers('answers with 20 MB', (review) => `${textOf(review)}${' '.repeat(20_000_000)}`),
  answers('answers with more text after the review', (review) => `${textOf(review)} more`),
  answers('answers with a byte order mark', (review) => `\ufeff${textOf(review)}`),
  answers('answers with nothing', () => ''),
  answers('answers with null', () => 'null'),
  answers('answers with a list', () => '[]'),
  answers(
    'answers with HTML',
    sends(200, { 'content-type': 'text/html' }, () => '<html></html>'),
  ),
  answers('answers a review as text', sends(200, { 'content-type': 'text/plain' }, textOf)),
  answers('answers a review without a type', (review, response) => {
    response.end(textOf(review));
  }),
  answers(
    'answers a review as YAML',
    sends(
      200,
      { 'content-type': 'application/yaml' },
      (review) => `kind: AdmissionReview\napiVersion: ${review.apiVersion}\n`,
    ),
  ),
  answers(
    'answers a compressed review',
    sends(200, { ...json, 'content-encoding': 'gzip' }, (review) => gzipSync(textOf(review))),
  ),
  answers('answers with 201', sends(201, json, textOf)),
  answers(
    'answers with 204',
    sends(204, {}, () => ''),
  ),
  answers('answers with a denial and 403', sends(403, json, textOf)),
  answers(
    'answers with text and 403',
    sends(403, { 'content-type': 'text/plain' }, () => 'no\n'),
  ),
  answers(
    'answers with 404',
    sends(404, { 'content-type': 'text/plain' }, () => 'not here'),
  ),
  answers(
    'answers with 400',
    sends(400, json, () => '{"message":"bad"}'),
  ),
  answers(
    'answers with 413',
    sends(413, { 'content-type': 'text/plain' }, () => 'too large'),
  ),
  answers(
    'answers with 503',
    sends(503, { 'content-type': 'text/plain' }, () => 'away'),
  ),
  answers(
    'answers with HTML and 502',
    sends(502, { 'content-type': 'text/html' }, () => '<html>bad gateway</html>'),
  ),
  answers(
    'answers with long text and 500',
    sends(500, { 'content-type': 'text/plain' }, () => 'x'.repeat(5000)),
  ),
  answers(
    'redirects',
    sends(302, { location: '/elsewhere' }, () => ''),
  ),
  answers(
    'redirects with the body',
    sends(307, { location: '/elsewhere' }, () => ''),
  ),
  answers(
    'redirects for ever',
    sends(308, { location: '/v' }, () => ''),
  ),
  answers(
    'redirects to nowhere',
    sends(307, {}, () => ''),
  ),
  answers('answers with broken compression', sends(200, { ...json, 'content-encoding': 'gzip' }, textOf)),
  answers('is ignored if it answers for another request', respond({ uid: 'other' }), { failurePolicy: 'Ignore' }),
  answers('is ignored if it answers 10,000 levels deep', () => nested(10_000), { failurePolicy: 'Ignore' }),
  mutates('gives a patch that is no JSON', respond({ patchType: 'JSONPatch', patch: 'e3g=' })),
  mutates('gives a patch that is an object', respond({ patchType: 'JSONPatch', patch: 'e30=' })),
  mutates('gives a patch with a number', respond({ patchType: 'JSONPatch', patch: 'WzFd' })),
  mutates('patches prototype keys', patch({ op: 'add', path: '/data/__proto__', value: 'x' })),
  mutates('patches below a prototype', patch({ op: 'add', path: '/__proto__/polluted', value: 'x' })),
  mutates('patches 10,000 levels deep', (review, response) =>
    respond({
      patchType: 'JSONPatch',
      patch: Buffer.from(`[{"op":"add","path":"/data","value":${nested(10_000)}}]`).toString('base64'),
    })(review, response),
  ),
  mutates('makes the object too large', patch({ op: 'add', path: '/data', value: { text: 'x'.repeat(1_100_000) } })),
  {
    ...answers('sees the whole of a large object', (review, response) => {
      const { text } = review.request.object.data;
      const warnings = [`${text.length} ${createHash('sha256').update(text).digest('hex')}`];
      delete review.request.object.data;
      return respond({ warnings })(review, response);
    }),
    requests: [create('large', { text: 'ä'.repeat(500_000) })],
  },
  {
    ...answers('is called for an object with keys of prototypes', allow),
    requests: [
      [
        'POST',
        `${maps}?dryRun=All`,
        JSON.parse('{"metadata":{"name":"keyed"},"data":{"__proto__":"a","constructor":"b"}}') as object,
      ],
    ],
  },
];

/** Where a fault case's webhook is. */
export interface FaultyAddresses {
  readonly expired: object;
  readonly notYetValid: object;
  /** The certificate is valid, but its authority is not. */
  readonly expiredAuthority: object;
  readonly futureAuthority: object;
  readonly otherHost: object;
  readonly noHost: object;
  readonly otherAuthority: object;
  readonly plain: object;
  readonly refused: object;
}

export const connectionFaults: readonly (keyof FaultyAddresses)[] = [
  'expired',
  'notYetValid',
  'expiredAuthority',
  'futureAuthority',
  'otherHost',
  'noHost',
  'otherAuthority',
  'plain',
  'refused',
];

/** A case whose webhook has this address. */
export function connects(title: string, clientConfig: object, options: object = {}): AdmissionCase {
  return {
    title,
    validating: [{ path: 'v', options: { rules, clientConfig, ...options } }],
    requests: twice,
  };
}

/** A Service with one endpoint, which is not loopback, and Services that lead nowhere. */
export function services(address: string, port: number): readonly AdmissionCase['requests'][number][] {
  const core = '/api/v1/namespaces/default/services';
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  const service = (name: string, spec: object): AdmissionCase['requests'][number] => [
    'POST',
    core,
    {
      metadata: { name },
      spec: {
        ports: [
          { name: 'https', port: 443 },
          { name: 'other', port: 8443 },
        ],
        ...spec,
      },
    },
  ];
  const slice = (name: string, ready: boolean, ports: readonly object[]): AdmissionCase['requests'][number] => [
    'POST',
    slices,
    {
      metadata: { name, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready } }],
      ports,
    },
  ];
  return [
    service('hook', {}),
    slice('hook', true, [
      { name: 'https', port },
      { name: 'other', port },
    ]),
    service('unready', {}),
    slice('unready', false, [{ name: 'https', port }]),
    service('empty', {}),
    service('unnamed', {}),
    slice('unnamed', true, [{ name: 'elsewhere', port }]),
    service('external', { type: 'ExternalName', externalName: 'example.com' }),
    service('headless', { clusterIP: 'None' }),
    slice('headless', true, [{ name: 'https', port }]),
  ];
}

/** Webhooks behind the Services. `v` is the path of a webhook that answers. */
export const serviceCases: readonly { readonly title: string; readonly service: object }[] = [
  { title: 'with an endpoint', service: { name: 'hook', path: '/v' } },
  { title: 'with another port', service: { name: 'hook', path: '/v', port: 8443 } },
  { title: 'with a port that it has not', service: { name: 'hook', path: '/v', port: 9443 } },
  { title: 'without a path', service: { name: 'hook' } },
  { title: 'with a path in pieces', service: { name: 'hook', path: '/v/w' } },
  { title: 'that does not exist', service: { name: 'none', path: '/v' } },
  { title: 'without a ready endpoint', service: { name: 'unready', path: '/v' } },
  { title: 'without endpoints', service: { name: 'empty', path: '/v' } },
  { title: 'without an endpoint for the port', service: { name: 'unnamed', path: '/v' } },
  { title: 'outside of the cluster', service: { name: 'external', path: '/v' } },
  { title: 'without an address', service: { name: 'headless', path: '/v' } },
];
