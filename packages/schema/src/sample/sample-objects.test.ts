import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import { randomSchema } from '../evaluate/custom-resource/random-objects.fixture.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { sampleObjects } from './sample-objects.ts';

const heads = {
  minimal: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'minimal' } },
  full: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'full' } },
};

function samplesOf(spec: StructuralSchema): { minimal: unknown; full: unknown } | undefined {
  const schema = { type: 'object', properties: { spec, status: { type: 'object' } }, required: ['spec'] };
  const samples = sampleObjects(schema, heads);
  if (samples === undefined) return undefined;
  const compiled = compileSchema(schema);
  for (const object of [samples.minimal, samples.full]) {
    const stored = structuredClone(object);
    compiled.default(stored);
    expect(compiled.validate(stored)).toEqual([]);
  }
  expect(samples.minimal).toMatchObject(heads.minimal);
  expect(samples.full).toMatchObject(heads.full);
  return { minimal: (samples.minimal as { spec: unknown }).spec, full: (samples.full as { spec: unknown }).spec };
}

const large: StructuralSchema = {
  type: 'object',
  required: ['name'],
  properties: Object.fromEntries(
    ['name', ...Array.from({ length: 60 }, (_, at) => `field${at}`)].map((name) => [name, { type: 'string' }]),
  ),
};

describe('sampleObjects', () => {
  it('has the required fields in the minimal object, all fields in the full one, and no status', () => {
    const spec: StructuralSchema = {
      type: 'object',
      required: ['image', 'ports'],
      properties: {
        image: { type: 'string', pattern: '^[a-z]+:[0-9]+\\.[0-9]+$', maxLength: 20 },
        level: { type: 'string', enum: ['low', 'high'] },
        count: { type: 'integer', minimum: 3, exclusiveMinimum: true, multipleOf: 2 },
        ratio: { type: 'number', maximum: 0.5 },
        isOpen: { type: 'boolean', default: true },
        limit: { 'x-kubernetes-int-or-string': true },
        since: { type: 'string', format: 'date-time' },
        hint: { type: 'string', example: 'as you like' },
        long: { type: 'string', minLength: 30, maxLength: 31 },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        any: { 'x-kubernetes-preserve-unknown-fields': true, type: 'object' },
        ports: {
          type: 'array',
          minItems: 2,
          items: { type: 'object', required: ['port'], properties: { port: { type: 'integer', minimum: 1 } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port'],
        },
      },
    };
    const samples = samplesOf(spec);
    const ports = [{ port: 1 }, { port: 2 }];
    const image = expect.stringMatching(/^[a-z]+:\d+\.\d+$/);
    expect(samples?.minimal).toEqual({ image, ports });
    expect(samples?.full).toEqual({
      image,
      level: 'low',
      count: 4,
      ratio: 0.5,
      isOpen: true,
      limit: 1,
      since: '2026-01-31T23:59:59Z',
      hint: 'as you like',
      long: expect.stringMatching(/^.{30,31}$/),
      labels: { example: 'example' },
      any: {},
      ports,
    });
    expect(samplesOf(spec)).toEqual(samples);
  });

  it('leaves out fields that a rule forbids together, and keeps one that a rule requires', () => {
    const samples = samplesOf({
      type: 'object',
      properties: { size: { type: 'integer' }, sizes: { type: 'array', items: { type: 'integer' } } },
      'x-kubernetes-validations': [{ rule: 'has(self.size) != has(self.sizes)' }],
    });
    expect(samples).toEqual({ minimal: { sizes: [1] }, full: { sizes: [1] } });
  });

  it('finds random values if simple ones violate a rule', () => {
    const spec: StructuralSchema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'integer', minimum: 0, maximum: 9 }, b: { type: 'integer', minimum: 0, maximum: 9 } },
      'x-kubernetes-validations': [{ rule: 'self.a < self.b' }],
    };
    expect(samplesOf(spec)).toEqual(samplesOf(spec));
    expect(samplesOf(spec)).toBeDefined();
  });

  it('shows only the required fields of a large type', () => {
    const required: StructuralSchema = { type: 'object', required: ['pod'], properties: { pod: large, extra: large } };
    expect(samplesOf(required)?.full).toEqual({ pod: { name: 'example' } });
  });

  it('does not exist if a rule forbids one of the names', () => {
    const rule = 'self.metadata.name.size() < 5';
    const schema: StructuralSchema = {
      type: 'object',
      properties: { metadata: { type: 'object' } },
      'x-kubernetes-validations': [{ rule }],
    };
    expect(sampleObjects(schema, heads)).toBeUndefined();
    const minimal = { ...heads.minimal, metadata: { name: 'min' } };
    expect(sampleObjects(schema, { ...heads, minimal })).toEqual({ ...heads, minimal });
  });

  it('does not exist for lengths that no reader wants, and does no work for them', () => {
    const huge: StructuralSchema[] = [
      { type: 'string', minLength: 1e9 },
      { type: 'string', minLength: 1e9, pattern: '^(a+)+$' },
      { type: 'array', minItems: 1e9, items: { type: 'boolean' } },
      { type: 'object', minProperties: 1e9, additionalProperties: { type: 'boolean' } },
    ];
    for (const schema of huge) {
      expect(samplesOf({ type: 'object', required: ['a'], properties: { a: schema } })).toBeUndefined();
    }
  });

  it('does not exist for a rule that nothing satisfies', () => {
    expect(
      samplesOf({
        type: 'object',
        properties: { a: { type: 'string' } },
        'x-kubernetes-validations': [{ rule: "has(self.a) && self.a == 'very special'" }],
      }),
    ).toBeUndefined();
  });

  it(`finds valid objects of most random schemas with seed ${seed}, and never invalid ones`, () => {
    const random = new SeededRandom(seed);
    const count = 150;
    const found = Array.from({ length: count }, () => {
      const spec = randomSchema(random);
      const samples = samplesOf(spec);
      expect(samplesOf(spec)).toEqual(samples);
      return samples;
    });
    expect(found.filter((samples) => samples !== undefined).length).toBeGreaterThan(count * 0.85);
  });
});
