import { readAdmissionRequest } from './admission-request.ts';
import { siteReview } from './review.fixture.ts';
import { freezeDeep, parseReviewJson } from './review-json.ts';

const read = (body: unknown) => readAdmissionRequest(Buffer.from(JSON.stringify(body)));

describe('readAdmissionRequest()', () => {
  it('reads what a review has', () => {
    expect(read(siteReview())).toEqual({
      uid: 'u-1',
      operation: 'create',
      kind: { group: 'web.example.com', version: 'v1', kind: 'Site' },
      resource: { group: 'web.example.com', version: 'v1', plural: 'sites' },
      requestKind: { group: 'web.example.com', version: 'v1', kind: 'Site' },
      subresource: undefined,
      name: 'blog',
      namespace: 'default',
      user: { username: 'jane', uid: '7', groups: ['dev'], extra: { scopes: ['all'] } },
      dryRun: false,
      options: { kind: 'CreateOptions', fieldManager: 'kubectl' },
      object: expect.objectContaining({ spec: { size: 1, unknown: { kept: true } } }),
      oldObject: undefined,
      given: expect.objectContaining({ operation: 'CREATE', requestResource: expect.anything() }),
    });
    const { uid: _, object: __, oldObject: ___, ...given } = siteReview()['request'] as Record<string, unknown>;
    expect(read(siteReview()).given).toEqual(given);
  });

  it.each<[string, unknown, string]>([
    ['a list', [], 'not a JSON object'],
    ['another kind', { ...siteReview(), kind: 'Pod' }, 'not an AdmissionReview'],
    ['another version', { ...siteReview(), apiVersion: 'admission.k8s.io/v1beta1' }, 'not an AdmissionReview'],
    ['no request', { ...siteReview(), request: null }, 'no request'],
    ['a request that is a list', { ...siteReview(), request: [] }, 'no request'],
    ['no uid', siteReview({ uid: '' }), 'request.uid is missing'],
    ['a uid that is a number', siteReview({ uid: 5 }), 'uid is not a string'],
    ['an unknown operation', siteReview({ operation: 'PATCH' }), 'request.operation is unknown'],
    ['no kind', siteReview({ kind: null }), 'request.kind is missing'],
    ['no object', siteReview({ object: null }), 'request.object is missing'],
    ['an object that is a string', siteReview({ object: 'x' }), 'object is not an object'],
    ['a deletion without an old object', siteReview({ operation: 'DELETE' }), 'request.oldObject is missing'],
    ['user info that is a list', siteReview({ userInfo: [] }), 'userInfo is not an object'],
  ])('rejects %s', (_name, body, message) => {
    expect(() => read(body)).toThrow(message);
  });

  it('rejects what is not JSON in UTF-8, without showing it', () => {
    expect(() => parseReviewJson(Buffer.from('{"secret": hunter2}'))).toThrow(/^the body is not valid JSON$/);
    expect(() => parseReviewJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(/^the body is not valid UTF-8$/);
    expect(() => parseReviewJson(new Uint8Array())).toThrow('not valid JSON');
  });

  it('accepts 10,000 levels of an object, and rejects more before it parses them', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const parsed = parseReviewJson(Buffer.from(nested(10_000)));
    freezeDeep(parsed);
    expect(Object.isFrozen(parsed['a'])).toBe(true);
    expect(() => parseReviewJson(Buffer.from(nested(10_011)))).toThrow('more than 10010 levels');
    expect(() => parseReviewJson(Buffer.from('['.repeat(7_000_000)))).toThrow('more than 10010 levels');
    expect(() => parseReviewJson(Buffer.from(JSON.stringify({ a: '['.repeat(20_000) })))).not.toThrow();
    expect(() => parseReviewJson(Buffer.from(`{"a":"\\"${'['.repeat(20_000)}"}`))).not.toThrow();
  });

  it.each(['__proto__', '\\u005f_proto__', '\\u005F\\u005Fproto__'])('drops the key %s', (key) => {
    const parsed = parseReviewJson(Buffer.from(`{"a":{"b":[{"${key}":{"polluted":true},"c":1}]}}`));
    const copy = Object.assign({}, (parsed as { a: { b: [{ polluted?: boolean }] } }).a.b[0]);
    expect(copy).toEqual({ c: 1 });
    expect(copy.polluted).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
