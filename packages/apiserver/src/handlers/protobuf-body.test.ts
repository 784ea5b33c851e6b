import { parseProtobufBody } from './protobuf-body.ts';

const field = (number: number, ...parts: (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
};
const body = (apiVersion: string, kind: string, ...raw: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), field(1, field(1, apiVersion), field(2, kind)), field(2, ...raw)]);
const named = field(1, field(1, 'a'));
const cutOff = Buffer.from([0x0a, 5, 97]);

describe('a body in protobuf', () => {
  it('is decoded to the same object as in JSON', async () => {
    expect(await parseProtobufBody(body('v1', 'ConfigMap', named), 'ConfigMap')).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    });
  });

  it('may be of another type than expected, which the caller can check', async () => {
    expect(await parseProtobufBody(body('v1', 'Secret', named), 'ConfigMap')).toMatchObject({ kind: 'Secret' });
  });

  // Each message was copied from a real server's response.
  it.each([
    [
      'is empty',
      'ConfigMap',
      Buffer.alloc(0),
      'the object provided is unrecognized (must be of type ConfigMap): empty data (<empty>)',
    ],
    [
      'is JSON',
      'ConfigMap',
      Buffer.from('{"a":1}'),
      'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"a":1})',
    ],
    [
      'has an envelope that is cut off',
      'ConfigMap',
      Buffer.from('k8s\0\n\x05ab'),
      'the object provided is unrecognized (must be of type ConfigMap): unexpected EOF (6b3873000a056162)',
    ],
    [
      'is cut off',
      'ConfigMap',
      body('v1', 'ConfigMap', cutOff),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
    ],
    [
      'is of a version that does not exist',
      'ConfigMap',
      body('v2', 'ConfigMap', named),
      'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    ['is options with an envelope that is cut off', 'DeleteOptions', Buffer.from('k8s\0\n\x05ab'), 'unexpected EOF'],
    [
      'is options that are cut off',
      'DeleteOptions',
      body('v1', 'DeleteOptions', cutOff),
      'proto: wrong wireType = 2 for field GracePeriodSeconds',
    ],
    [
      'is an object in place of options',
      'DeleteOptions',
      body('v1', 'ConfigMap', named),
      'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
  ])('is rejected if it %s', async (_, kind, bytes, message) => {
    await expect(parseProtobufBody(bytes, kind)).rejects.toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it('is quoted only in part if it is long', async () => {
    const error: Error = await parseProtobufBody(Buffer.alloc(100_000, 'x'), 'ConfigMap').then(
      () => new Error('the body was accepted'),
      (refusal) => refusal,
    );
    expect(error.message).toMatch(/\((78){1024} \.\.\.\)$/);
  });
});
