import { decodeProtobufObject } from './protobuf-object.ts';

/** Writes the wire format: numbers as varints, text and messages by their length. */
const varint = (value: number | bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
};
const number = (field: number, value: number | bigint): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field: number, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
};
const envelope = (apiVersion: string, kind: string, ...raw: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), bytes(1, bytes(1, apiVersion), bytes(2, kind)), bytes(2, ...raw)]);

describe('decodeProtobufObject', () => {
  it('reads structs, maps, lists, bytes and what stands inline as the JSON they are', () => {
    const volume = bytes(1, bytes(1, 'tmp'), bytes(2, bytes(2, bytes(1, ''))));
    const container = bytes(2, bytes(1, 'main'), bytes(2, 'nginx'), bytes(6, bytes(1, ''), number(3, 80)));
    const pod = envelope(
      'v1',
      'Pod',
      bytes(1, bytes(1, 'a'), bytes(2, ''), bytes(11, bytes(1, 'app'), bytes(2, 'x'))),
      bytes(2, volume, container),
    );
    expect(decodeProtobufObject(pod, 'Pod')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', labels: { app: 'x' } },
      spec: {
        volumes: [{ name: 'tmp', emptyDir: {} }],
        containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 80 }] }],
      },
    });
  });

  it('keeps a zero where Go has a pointer, and only there', () => {
    const deployment = envelope('apps/v1', 'Deployment', bytes(2, number(1, 0), number(5, 0)));
    expect(decodeProtobufObject(deployment, 'Deployment')['spec']).toEqual({ replicas: 0 });
  });

  it('reads times, negative numbers, quantities and ports by name', () => {
    const service = envelope(
      'v1',
      'Service',
      bytes(1, bytes(8, number(1, 1_767_225_600))),
      bytes(2, bytes(1, number(3, -1), bytes(4, number(1, 1), bytes(3, 'http')))),
    );
    expect(decodeProtobufObject(service, 'Service')).toMatchObject({
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { ports: [{ port: -1, targetPort: 'http' }] },
    });
    const claim = envelope('v1', 'ResourceQuota', bytes(2, bytes(1, bytes(1, 'cpu'), bytes(2, bytes(1, '500m')))));
    expect(decodeProtobufObject(claim, 'ResourceQuota')['spec']).toEqual({ hard: { cpu: '500m' } });
  });

  it('does not take a key for a prototype', () => {
    const map = envelope('v1', 'ConfigMap', bytes(2, bytes(1, '__proto__'), bytes(2, 'x')));
    const data = decodeProtobufObject(map, 'ConfigMap')['data'] as object;
    expect(Object.keys(data)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it.each([
    ['no envelope', Buffer.from('{}')],
    ['an unknown kind', envelope('v1', 'Nothing')],
    ['a field that is cut off', envelope('v1', 'ConfigMap', Buffer.from([0x0a, 0x7f, 0x01]))],
    ['a number that never ends', envelope('v1', 'ConfigMap', Buffer.alloc(12, 0xff))],
  ])('refuses %s with 400', (_, body) => {
    expect(() => decodeProtobufObject(body, 'ConfigMap')).toThrow(expect.objectContaining({ code: 400 }));
  });
});
