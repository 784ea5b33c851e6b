import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { generateProtobuf, protobufTarget } from '../../../scripts/kinds/generate-protobuf.ts';
import { seed } from '../../../test/seed.fixture.ts';
import { bodyDefinitionOf, decodeProtobufEnvelope, ProtobufError, protobufDecoderOf } from './protobuf.ts';
import { protobufBodies } from './protobuf-bodies.fixture.ts';

async function decode(body: Uint8Array): Promise<Record<string, unknown>> {
  const { apiVersion, kind, raw } = decodeProtobufEnvelope(body);
  const definition = bodyDefinitionOf(apiVersion, kind);
  if (definition === undefined) throw new ProtobufError(`no definition of ${apiVersion} ${kind}`);
  return { apiVersion, kind, ...(await protobufDecoderOf(definition))(raw) };
}

/** Protobuf does not distinguish an empty list from no list, and Go's decoder does not distinguish JSON null from absence. */
const carried = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member) =>
    member === null || (Array.isArray(member) && member.length === 0) ? undefined : member,
  );

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]);
const field = (number: number, content: readonly number[]): number[] => [
  ...varint((number << 3) | 2),
  ...varint(content.length),
  ...content,
];
const textOf = (text: string): number[] => [...Buffer.from(text)];

describe('the protobuf decoder', () => {
  it.each(protobufBodies.map((body) => [body.title, body] as const))('reads %s', async (_, { base64, json }) => {
    const decoded = await decode(Buffer.from(base64, 'base64'));
    expect(carried(decoded)).toEqual(carried(JSON.parse(json)));
  });

  it('stores any key of a map as an own property', async () => {
    const secret = protobufBodies.find(({ title }) => title.startsWith('bytes')) ?? protobufBodies[0];
    const { data } = await decode(Buffer.from(secret?.base64 ?? '', 'base64'));
    expect(Object.keys(data as object)).toContain('__proto__');
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it('uses the last of repeated values, and merges repeated messages', async () => {
    const decoder = await protobufDecoderOf('io.k8s.api.core.v1.ConfigMap');
    const message = [
      ...field(1, [...field(1, textOf('a')), ...field(3, textOf('n'))]),
      ...field(1, field(1, textOf('b'))),
      ...field(2, [...field(1, textOf('k')), ...field(2, textOf('1'))]),
      ...field(2, [...field(1, textOf('k')), ...field(2, textOf('2'))]),
    ];
    expect(decoder(Uint8Array.from(message))).toEqual({ metadata: { name: 'b', namespace: 'n' }, data: { k: '2' } });
  });

  it('reads packed numbers, and skips unknown fields', async () => {
    const decoder = await protobufDecoderOf('io.k8s.api.core.v1.Pod');
    const group = [...varint((99 << 3) | 3), ...varint((5 << 3) | 5), 1, 2, 3, 4, ...varint((99 << 3) | 4)];
    const securityContext = field(4, [...varint(1), ...varint(300)]);
    const message = [...group, ...field(100, [1, 2]), ...field(2, field(14, securityContext))];
    expect(decoder(Uint8Array.from(message))).toEqual({ spec: { securityContext: { supplementalGroups: [1, 300] } } });
  });

  it.each([
    ['nothing', [], 'empty data'],
    ['JSON', textOf('{}'), 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['no more than the prefix', textOf('k8s\0'), 'empty body'],
    ['an envelope that is cut off', textOf('k8s\0\n\x05ab'), 'unexpected EOF'],
  ])('rejects %s', (_, bytes, message) => {
    expect(() => decodeProtobufEnvelope(Uint8Array.from(bytes))).toThrow(new ProtobufError(message));
  });

  const ones = (count: number): number[] => new Array(count).fill(0xff);
  it.each([
    ['a field that is cut off', [0x0a, 5, 97], 'unexpected EOF'],
    ['a number that is cut off', [0x0a, 0xff], 'unexpected EOF'],
    ['a length beyond any memory', [0x0a, ...ones(8), 0x7f, 97], 'unexpected EOF'],
    ['a length below zero', [0x0a, ...ones(9), 1], 'proto: negative length found during unmarshaling'],
    ['a number that does not end', [0x0a, ...ones(20)], 'proto: integer overflow'],
    ['a field of another type', [0x08, 5], 'proto: wrong wireType = 0 for field Metadata'],
    ['a type that does not exist', [0x7f, 5], 'proto: illegal wireType 7'],
    ['a field without a number', [0x02, 1, 97], 'proto: ConfigMap: illegal tag 0 (wire type 2)'],
    ['a group that ends before it starts', [0x94, 3], 'proto: ConfigMap: wiretype end group for non-group'],
    ['a group that does not end', [0x93, 3], 'unexpected EOF'],
    ['an inner field that runs into the outer one', [0x0a, 2, 0x0a, 5, 97, 97, 97, 97, 97], 'unexpected EOF'],
  ])('rejects %s with the message of the server', async (_, bytes, message) => {
    const decoder = await protobufDecoderOf('io.k8s.api.core.v1.ConfigMap');
    expect(() => decoder(Uint8Array.from(bytes))).toThrow(new ProtobufError(message));
  });

  it('rejects deeply nested messages', async () => {
    const decoder = await protobufDecoderOf(
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
    );
    const nested = (levels: number): Uint8Array => {
      let schema: number[] = [];
      for (let level = 0; level < levels; level++) schema = field(28, schema);
      const version = [...field(1, textOf('v1')), ...field(4, field(1, schema))];
      return Uint8Array.from(field(2, field(7, version)));
    };
    expect(JSON.stringify(decoder(nested(90))).split('"not":')).toHaveLength(91);
    expect(() => decoder(nested(5000))).toThrow(new ProtobufError('exceeded max depth'));
  });

  it('rejects a time and raw data that JSON cannot represent', async () => {
    const pod = await protobufDecoderOf('io.k8s.api.core.v1.Pod');
    const tooLate = field(1, field(9, [0x08, ...ones(7), 0x7f]));
    expect(() => pod(Uint8Array.from(tooLate))).toThrow('year outside of range');
    const revision = await protobufDecoderOf('io.k8s.api.apps.v1.ControllerRevision');
    expect(() => revision(Uint8Array.from(field(2, field(1, textOf('{bad')))))).toThrow(ProtobufError);
  });

  it('returns a value or throws ProtobufError for any bytes', async () => {
    let state = seed;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >>> 8) % below;
    };
    const seeds = protobufBodies.map(({ base64 }) => Buffer.from(base64, 'base64'));
    const started = process.cpuUsage();
    for (let round = 0; round < 5000; round++) {
      const bytes = Buffer.from(seeds[random(seeds.length)] ?? []);
      const cut = random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
      for (let change = random(4); change > 0 && cut.length > 0; change--) cut[random(cut.length)] = random(256);
      try {
        expect(typeof (await decode(cut))).toBe('object');
      } catch (error) {
        if (!(error instanceof ProtobufError)) throw new Error(`seed ${seed}, round ${round}`, { cause: error });
      }
    }
    expect({ seed, quick: process.cpuUsage(started).user < 10_000_000 }).toEqual({ seed, quick: true });
  });

  it('takes a time that depends only on the length of the body', async () => {
    const decoder = await protobufDecoderOf('io.k8s.api.core.v1.Pod');
    const container = field(2, field(2, []));
    const bytes = new Uint8Array(3 * 1024 * 1024 - ((3 * 1024 * 1024) % container.length));
    for (let at = 0; at < bytes.length; at += container.length) bytes.set(container, at);
    const started = process.cpuUsage();
    const { spec } = decoder(bytes) as { spec: { containers: unknown[] } };
    expect(spec.containers).toHaveLength(bytes.length / container.length);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });

  it('rejects types that no request contains', async () => {
    await expect(protobufDecoderOf('io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList')).rejects.toThrow(RangeError);
    expect(bodyDefinitionOf('example.com/v1', 'Widget')).toBeUndefined();
    expect(bodyDefinitionOf('v2', 'ConfigMap')).toBeUndefined();
  });

  it.each([
    ['policy/v1', 'Eviction', 'io.k8s.api.policy.v1.Eviction'],
    ['autoscaling/v1', 'Scale', 'io.k8s.api.autoscaling.v1.Scale'],
    ['authentication.k8s.io/v1', 'TokenRequest', 'io.k8s.api.authentication.v1.TokenRequest'],
    ['v1', 'Event', 'io.k8s.api.core.v1.Event'],
    ['events.k8s.io/v1', 'Event', 'io.k8s.api.events.v1.Event'],
    ['apps/v1', 'DeleteOptions', 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'],
  ])('finds the definition of %s %s', (apiVersion, kind, definition) => {
    expect(bodyDefinitionOf(apiVersion, kind)).toBe(definition);
  });
});

// The Go modules are not part of the repository. The comparison runs only if they have been downloaded.
const goModules = join(process.env['GOMODCACHE'] ?? join(homedir(), 'go', 'pkg', 'mod'), 'k8s.io');
const present = ['api', 'apimachinery', 'apiextensions-apiserver', 'kube-aggregator'].every((name) =>
  existsSync(join(goModules, `${name}@v0.36.3`)),
);
if (!present) console.log(`skipped: comparing field numbers with the Go modules, which are not all in ${goModules}`);

(present ? it : it.skip)('the field numbers are up to date with scripts/kinds/generate-protobuf.ts', async () => {
  const files = await generateProtobuf(goModules);
  expect(readdirSync(protobufTarget).sort()).toEqual([...files.keys()].sort());
  for (const [name, text] of files) expect(readFileSync(join(protobufTarget, name), 'utf8')).toBe(text);
});
