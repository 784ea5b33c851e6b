import { CustomResource, KubernetesObject, type LogKeys, SilentLogger, Spec } from '@evenkeel/core';
import { ConversionRoute } from './conversion-route.ts';

class Shop extends KubernetesObject {
  @Spec() spec!: { replicas?: number; color?: string };
}
CustomResource({ group: 'example.com', version: 'v2', kind: 'Shop', storage: true })(Shop);

@CustomResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  conversion: {
    hub: () => Shop,
    moves: { 'spec.size': 'spec.replicas' },
    toHub: (shop: ShopV1, hub) => {
      if (shop.spec.color === 'throw') throw new TypeError('no such color');
      if (shop.spec.color === 'name') hub.metadata.name = 'other';
      if (shop.spec.color === 'type') hub.spec.color = typeof shop.spec.size;
    },
    fromHub: () => undefined,
  },
})
class ShopV1 extends KubernetesObject {
  @Spec() spec!: { size?: number; color?: string };
}

const lines: (LogKeys & { readonly message: string })[] = [];
const logger = Object.assign(new SilentLogger(), {
  error: (message: string, keys: LogKeys) => lines.push({ message, ...keys }),
});
let thrown = 0;
const route = new ConversionRoute({ classes: [ShopV1], logger, threw: () => thrown++ });

beforeEach(() => {
  lines.length = 0;
  thrown = 0;
});

async function send(body: string | Uint8Array, signal = new AbortController().signal) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const query = new URLSearchParams('timeout=30s');
  return route.handle({ path: '/convert', query, contentType: 'application/json', body: bytes, signal });
}

function review(request: object, type: object = {}): string {
  return JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request, ...type });
}

const shop = (name: string, spec: object, version = 'v1'): object => ({
  apiVersion: `example.com/${version}`,
  kind: 'Shop',
  metadata: { name, namespace: 'default' },
  spec,
});

async function convert(objects: readonly unknown[], desiredAPIVersion = 'example.com/v2') {
  const { status, body, contentType } = await send(review({ uid: 'u-1', desiredAPIVersion, objects }));
  expect({ status, contentType }).toEqual({ status: 200, contentType: 'application/json' });
  const { response, ...type } = JSON.parse(body) as { response: { convertedObjects: unknown[]; result: object } };
  expect(type).toEqual({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1' });
  return response;
}

describe('ConversionRoute', () => {
  it('converts all objects of a review, in order', async () => {
    expect(await convert([shop('a', { size: 1 }), shop('b', { replicas: 2 }, 'v2'), shop('c', {})])).toEqual({
      uid: 'u-1',
      result: { status: 'Success' },
      convertedObjects: [shop('a', { replicas: 1 }, 'v2'), shop('b', { replicas: 2 }, 'v2'), shop('c', {}, 'v2')],
    });
    expect((await convert([shop('a', { replicas: 1 }, 'v2')], 'example.com/v1')).convertedObjects).toEqual([
      shop('a', { size: 1 }),
    ]);
    expect((await convert([])).convertedObjects).toEqual([]);
  });

  it('fails the whole review if one object fails, and logs the line of the user', async () => {
    const response = await convert([shop('a', {}), shop('bad', { color: 'throw' }), shop('c', {})]);
    expect(response).toEqual({
      uid: 'u-1',
      result: {
        status: 'Failure',
        message: 'Shop default/bad: conversion from example.com/v1 to example.com/v2 failed: TypeError: no such color',
      },
      convertedObjects: [],
    });
    expect(lines).toEqual([
      {
        message: 'conversion failed',
        object: 'Shop default/bad',
        from: 'example.com/v1',
        to: 'example.com/v2',
        at: expect.stringMatching(/conversion-route\.test\.ts:\d+$/),
        error: new TypeError('no such color'),
      },
    ]);
    expect(thrown).toBe(1);
  });

  it.each<[string, object, string, string]>([
    [
      'changed metadata',
      shop('a', { color: 'name' }),
      'example.com/v2',
      'toHub changed metadata.name of the Shop; a conversion can only change labels and annotations',
    ],
    [
      'an unknown version',
      shop('a', {}, 'v9'),
      'example.com/v2',
      'this operator does not convert version v9 of Shop; add its class to "conversions" of defineOperator()',
    ],
    [
      'an unknown kind',
      { ...shop('a', {}), kind: 'Store' },
      'example.com/v2',
      'this operator does not convert Store from example.com/v1 to example.com/v2',
    ],
  ])('reports %s', async (_, object, to, message) => {
    const { result } = await convert([object], to);
    expect(result).toEqual({ status: 'Failure', message: expect.stringContaining(message) });
    expect(thrown).toBe(0);
  });

  it('keeps integers that JavaScript cannot represent', async () => {
    const text = review({ uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [shop('a', { size: 1 })] });
    const { body } = await send(text.replace('"size":1', '"size":9007199254740993,"n":1.5,"s":"1234567890123456789"'));
    expect(body).toContain('"spec":{"n":1.5,"s":"1234567890123456789","replicas":9007199254740993}');
  });

  it.each([
    ['9223372036854775807', 'bigint'],
    ['9223372036854775808', 'number'],
    ['100000000000000000000', 'number'],
  ])('passes %s to the functions of a class as a %s: only an int64 needs a bigint', async (size, type) => {
    const object = shop('a', { size: 1, color: 'type' });
    const text = review({ uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [object] });
    expect((await send(text.replace('"size":1', `"size":${size}`))).body).toContain(`"color":"${type}"`);
  });

  it('copies keys such as __proto__ as data', async () => {
    const text = review({ uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [shop('a', { size: 1 })] });
    const { body } = await send(text.replace('"size":1', '"__proto__":{"color":"throw"},"constructor":1'));
    expect(body).toContain('"spec":{"__proto__":{"color":"throw"},"constructor":1}');
  });

  it('survives an object with 100,000 levels, and names it', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const text = review({ uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [shop('deep', { size: 1 })] });
    const { status, body } = await send(text.replace('"size":1', `"deep":${deep}`));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      response: { result: { status: 'Failure', message: expect.stringMatching(/^Shop default\/deep: .*nests too/) } },
    });
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'the body is not JSON'],
    ['text', 'hello', 'the body is not JSON'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'the body is not JSON'],
    ['null', 'null', 'the body is not a ConversionReview of apiextensions.k8s.io/v1'],
    ['a list', '[]', 'the body is not a ConversionReview of apiextensions.k8s.io/v1'],
    ['another kind', review({}, { kind: 'AdmissionReview' }), 'the body is not a ConversionReview of'],
    ['an older review', review({}, { apiVersion: 'apiextensions.k8s.io/v1beta1' }), 'the body is not a ConversionRev'],
    ['no request', review({}, { request: undefined }), 'the review has no request'],
    ['no uid', review({ desiredAPIVersion: 'x/v1', objects: [] }), 'request.uid is not a string'],
    ['no version', review({ uid: 'u', objects: [] }), 'request.desiredAPIVersion is not a string'],
    ['no objects', review({ uid: 'u', desiredAPIVersion: 'x/v1' }), 'request.objects is not a list of objects'],
    [
      'objects without metadata',
      review({ uid: 'u', desiredAPIVersion: 'x/v1', objects: [{ kind: 'Shop' }] }),
      'request.objects is not a list of objects with metadata',
    ],
  ])('responds with 400 to %s', async (_, body, message) => {
    const { status, body: text } = await send(body);
    expect(status).toBe(400);
    expect(text).toContain(message);
  });

  it('accepts bodies of 64 MiB, or as many bytes as configured', () => {
    expect(route.maxBodyBytes).toBe(64 * 1024 * 1024);
    expect(new ConversionRoute({ classes: [ShopV1], logger, maxBodyBytes: 1000 }).maxBodyBytes).toBe(1000);
  });

  it('stops if the caller no longer waits', async () => {
    const text = review({ uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [shop('a', {})] });
    await expect(send(text, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
