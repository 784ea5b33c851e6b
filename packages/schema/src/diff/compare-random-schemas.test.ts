import { copyJson, jsonEqual } from '@evenkeel/apimachinery/json';
import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { checkCustomResourceDefinition } from '../evaluate/apiextensions/check-crd.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import { randomValue } from '../evaluate/custom-resource/random-objects.fixture.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { compareSchemas } from './compare-schemas.ts';
import { randomVersions } from './random-versions.fixture.ts';
import type { DifferenceEffect } from './schema-difference.ts';
import { versionsDefinition } from './versions-definition.fixture.ts';

const pairs = Number(process.env['EVENKEEL_PAIRS'] ?? 400);
const objectsOfPair = 25;

const harmless: ReadonlySet<DifferenceEffect> = new Set(['new-objects', 'merged']);

describe(`compareSchemas of ${pairs} random pairs with seed ${seed}`, () => {
  it('reports every loss and every invalid value that random objects show', () => {
    const random = new SeededRandom(seed);
    const seen = { safe: 0, unsafe: 0, objects: 0, shown: 0 };
    for (let i = 0; i < pairs; i++) {
      const schemas = randomVersions(random);
      if (jsonEqual(...schemas)) continue;
      if (checkCustomResourceDefinition(versionsDefinition('Thing', schemas)).errors.length > 0) continue;
      const roots = schemas.map((spec): StructuralSchema => ({ type: 'object', properties: { spec } }));
      const [first = {}, second = {}] = roots;
      const differences = compareSchemas(first, second);
      for (const [from, to, direction] of [
        [first, second, 'forward'],
        [second, first, 'backward'],
      ] as const) {
        const found = differences.filter((one) => one.direction === direction && !harmless.has(one.effect));
        let isShown = false;
        for (let n = 0; n < objectsOfPair; n++) {
          const value = stored(from, { spec: randomValue(from.properties?.['spec'] ?? {}, random, 0.05) });
          if (value === undefined) continue;
          const problem = problemOf(value, from, to);
          if (found.length === 0) {
            seen.objects++;
            expect({ seed, i, from, to, value, problem }).toEqual({ seed, i, from, to, value, problem: undefined });
          }
          isShown ||= problem !== undefined;
        }
        if (found.length === 0) seen.safe++;
        else seen.unsafe++;
        if (isShown) seen.shown++;
      }
    }
    // Otherwise the test would compare nothing.
    expect(seen.safe).toBeGreaterThan(pairs / 8);
    expect(seen.objects).toBeGreaterThan(pairs);
    expect(seen.shown).toBeGreaterThan(pairs / 20);
  });
});

/** An object as a version stores it; undefined if the version rejects it, or would change it when it is written again. */
function stored(schema: StructuralSchema, object: unknown): unknown {
  const value = asWritten(schema, object);
  const isStable = jsonEqual(asWritten(schema, value), value);
  return isStable && compileSchema(schema).validate(value).length === 0 ? value : undefined;
}

function asWritten(schema: StructuralSchema, object: unknown): unknown {
  const compiled = compileSchema(schema);
  const value = copyJson(object);
  compiled.prune(value);
  compiled.default(value);
  return value;
}

/** What happens to an object of one version that is read and written through another. */
function problemOf(value: unknown, from: StructuralSchema, to: StructuralSchema): string | undefined {
  const read = asWritten(to, value);
  const errors = compileSchema(to).validate(read);
  if (errors.length > 0) return `invalid: ${JSON.stringify(errors[0])}`;
  const back = asWritten(from, read);
  return jsonEqual(back, value) ? undefined : `changed: ${JSON.stringify(back)}`;
}
