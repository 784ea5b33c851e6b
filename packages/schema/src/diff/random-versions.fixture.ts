import { copyJson, setKey } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';
import { randomSchema } from '../evaluate/custom-resource/random-objects.fixture.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/** A schema and another one that differs from it in one to three places, or nowhere. */
export function randomVersions(random: Random): [StructuralSchema, StructuralSchema] {
  const first = randomSchema(random);
  const second = copyJson(first);
  for (let changes = random.integer(4); changes > 0; changes--) change(anyBelow(second, random), random);
  return [first, second];
}

/** A schema at a random place. */
function anyBelow(schema: StructuralSchema, random: Random): StructuralSchema {
  const children = [
    ...Object.values(schema.properties ?? {}),
    ...[schema.items, schema.additionalProperties].filter((below) => typeof below === 'object'),
  ];
  const child = children[random.integer(children.length + 1)];
  return child === undefined ? schema : anyBelow(child, random);
}

const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties'] as const;

function change(schema: StructuralSchema, random: Random): void {
  const names = Object.keys(schema.properties ?? {});
  const name = names[random.integer(names.length + 1)];
  switch (random.integer(12)) {
    case 0:
      if (schema.properties !== undefined && name !== undefined) delete schema.properties[name];
      if (name !== undefined) schema.required = (schema.required ?? []).filter((other) => other !== name);
      break;
    case 1:
      if (schema.properties !== undefined) setKey(schema.properties, 'added', randomSchema(random, 2));
      break;
    case 2:
      if (name !== undefined) schema.required = [name];
      else delete schema.required;
      break;
    case 3:
      schema.nullable = random.next() < 0.5;
      break;
    case 4:
      delete schema.default;
      break;
    case 5:
      delete schema['x-kubernetes-validations'];
      break;
    case 6:
      for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'pattern', 'format', 'enum'] as const)
        delete schema[keyword];
      break;
    case 7:
      delete schema['x-kubernetes-preserve-unknown-fields'];
      break;
    case 8:
      if (schema.type === 'object') schema['x-kubernetes-preserve-unknown-fields'] = true;
      break;
    case 9:
      for (const limit of limits) {
        const value = schema[limit];
        if (value !== undefined) schema[limit] = Math.max(0, value + random.integer(3) - 1);
      }
      break;
    case 10:
      if (schema.enum !== undefined) schema.enum = schema.enum.slice(random.integer(2));
      break;
    default:
      if (schema.type === 'integer') schema.type = 'number';
      else if (schema.type === 'array' && schema['x-kubernetes-list-type'] === 'set')
        delete schema['x-kubernetes-list-type'];
      else Object.assign(schema, copyJson(randomSchema(random, 3)));
  }
}
