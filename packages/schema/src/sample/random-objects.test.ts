import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { randomSchema } from '../evaluate/custom-resource/random-objects.fixture.ts';
import { textFormat } from '../evaluate/format/text-format.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { textsOfFormat } from './format-texts.ts';
import { RandomObjects } from './random-objects.ts';
import { smallerObject } from './smaller-object.ts';

const head = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };

function rootOf(spec: StructuralSchema): StructuralSchema {
  return { type: 'object', required: ['spec'], properties: { spec } };
}

/** The specs of some random objects of a schema. */
function specs(spec: StructuralSchema, count = 100): unknown[] {
  const objects = new RandomObjects(rootOf(spec), { random: new SeededRandom(seed) });
  return Array.from({ length: count }, () => (objects.next(head) as { spec: unknown }).spec);
}

describe(`RandomObjects with seed ${seed}`, () => {
  it.each<[string, StructuralSchema, (value: unknown) => boolean]>([
    [
      'a pattern',
      { type: 'string', pattern: '^[a-z]{2,4}-[0-9]+$', maxLength: 8 },
      (it) => /^[a-z]+-\d/.test(String(it)),
    ],
    ['a length', { type: 'string', minLength: 80, maxLength: 90 }, (it) => [...String(it)].length >= 80],
    ['bounds', { type: 'integer', minimum: 5, maximum: 7, exclusiveMinimum: true }, (it) => it === 6 || it === 7],
    ['a factor', { type: 'integer', minimum: 0, multipleOf: 7 }, (it) => Number(it) % 7 === 0],
    ['an enum', { type: 'string', enum: ['x', 'y'] }, (it) => it === 'x' || it === 'y'],
    [
      'a set',
      {
        type: 'array',
        items: { type: 'integer', minimum: 1, maximum: 3 },
        minItems: 2,
        'x-kubernetes-list-type': 'set',
      },
      (it) => new Set(it as number[]).size === (it as number[]).length,
    ],
    [
      'a rule',
      {
        type: 'object',
        properties: { a: { type: 'integer', minimum: 0, maximum: 9 }, b: { type: 'integer', minimum: 0, maximum: 9 } },
        'x-kubernetes-validations': [{ rule: '!has(self.a) || !has(self.b) || self.a < self.b' }],
      },
      (it) => ((it as { a?: number }).a ?? -1) < ((it as { b?: number }).b ?? 10),
    ],
  ])('follows %s', (_, schema, holds) => {
    const found = specs(schema);
    expect(found.filter((value) => !holds(value))).toEqual([]);
    expect(new Set(found.map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
  });

  it('has objects with and without each optional field, with defaults, and with null only if it is kept', () => {
    const found = specs({
      type: 'object',
      required: ['c'],
      properties: {
        a: { type: 'string' },
        b: { type: 'string', default: 'x' },
        c: { type: 'boolean' },
        d: { type: 'string', nullable: true },
      },
    }) as Record<string, unknown>[];
    expect(found.some((it) => 'a' in it) && found.some((it) => !('a' in it))).toBe(true);
    expect(found.every((it) => typeof it['b'] === 'string' && typeof it['c'] === 'boolean')).toBe(true);
    expect(found.some((it) => it['d'] === null)).toBe(true);
  });

  it('makes valid objects of nearly all random schemas that have some', () => {
    const random = new SeededRandom(seed);
    let made = 0;
    const count = 150;
    for (let at = 0; at < count; at++) {
      const objects = new RandomObjects(rootOf(randomSchema(random)), { random });
      const object = objects.next(head);
      if (object === undefined) continue;
      made++;
      expect(objects.stored(object)).toEqual(object);
    }
    expect(made).toBeGreaterThan(count * 0.85);
  });

  it('knows strings of formats', () => {
    for (const format of ['date-time', 'k8s-short-name', 'ipv4', 'uuid4', 'isbn10', 'creditcard', 'byte', 'rgbcolor']) {
      for (const text of textsOfFormat(format) ?? ['?'])
        expect([format, text, textFormat(format)?.(text)]).toEqual([format, text, true]);
    }
    expect(textsOfFormat('constructor')).toBeUndefined();
  });
});

describe('smallerObject()', () => {
  it('removes what is not needed, and shortens the rest', () => {
    const object = {
      ...head,
      metadata: { name: 'a', labels: { a: 'b' } },
      spec: { list: [{ x: 'long text' }, { x: 'other', y: [1, 2, 3] }], number: 812, flag: true },
    };
    const holds = ({ spec }: typeof object): boolean =>
      spec?.number > 100 && spec.list?.some(({ x }) => x?.includes('t')) === true;
    expect(smallerObject(object, (attempt) => attempt as typeof object, holds)).toEqual({
      ...head,
      spec: { list: [{ x: 't' }], number: 101 },
    });
  });

  it('returns the object itself if every part is needed, or nothing smaller is valid', () => {
    const object = { ...head, spec: { a: 1 } };
    expect(
      smallerObject(
        object,
        () => undefined,
        () => true,
      ),
    ).toBe(object);
    expect(
      smallerObject(
        object,
        (attempt) => attempt as typeof object,
        (it) => it === object,
      ),
    ).toBe(object);
  });
});
