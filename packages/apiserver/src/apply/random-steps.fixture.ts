import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { Random } from '@evenkeel/core';
import type { Step } from './sequences.fixture.ts';

/** Steps of three managers in two versions on one custom resource; the first creates it. */
export function randomSteps(random: Random, length: number): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < length; i++) {
    const by = pick(random, ['a', 'b', 'c']);
    const body = { spec: randomSpec(random) };
    const common = { by, version: random.integer(4) === 0 ? 1 : 0, mayBeInvalid: true };
    const dice = random.integer(20);
    if (i === 0) steps.push({ ...common, do: dice < 10 ? 'create' : 'apply', body });
    else if (dice < 12) steps.push({ ...common, do: 'apply', body, force: random.integer(2) === 0 });
    else if (dice < 15) steps.push({ ...common, do: 'merge', body });
    else if (dice < 18) steps.push({ ...common, do: 'update', body: (live: JsonObject) => ({ ...live, ...body }) });
    else if (dice < 19) steps.push({ ...common, do: 'update', body: withManagedFields(body, undefined) });
    else steps.push({ ...common, do: 'update', body: withManagedFields(body, [{}]) });
  }
  return steps;
}

const withManagedFields = (body: JsonObject, managedFields: unknown) => (live: JsonObject) => ({
  ...live,
  ...body,
  metadata: { ...(live['metadata'] as JsonObject), managedFields },
});

function randomSpec(random: Random): JsonObject {
  const spec: JsonObject = {};
  const maybe = (name: string, make: () => unknown) => {
    if (random.integer(3) === 0) spec[name] = make();
  };
  const letter = () => pick(random, ['a', 'b', 'c', 'd']);
  maybe('count', () => random.integer(3));
  maybe('title', letter);
  maybe('target', () => pick<unknown>(random, [1, 'a', 2]));
  maybe('tags', () => some(random, ['a', 'b', 'c', 'd']));
  maybe('list', () => some(random, ['a', 'b']));
  maybe('labels', () => randomMap(random, letter));
  maybe('atomic', () => ({ [pick(random, ['a', 'b'])]: letter() }));
  maybe('nested', () => ({
    a: letter(),
    ...(random.integer(2) === 0 ? { deep: { [pick(random, ['c', 'd'])]: letter() } } : {}),
  }));
  maybe('free', () => randomMap(random, () => pick<unknown>(random, [1, 'x', { y: 1 }, { z: [1] }, [1, 2], {}, []])));
  maybe('parts', () => some(random, ['x', 'y', 'z', 'w']).map((name) => randomPart(random, name)));
  return spec;
}

function randomPart(random: Random, name: string): JsonObject {
  const ports = some(random, [1, 2, 3]).map((port) => ({
    port,
    protocol: pick(random, ['TCP', 'UDP']),
    ...(random.integer(2) === 0 ? { alias: pick(random, ['p', 'q']) } : {}),
  }));
  return {
    name,
    ...(random.integer(2) === 0 ? { image: pick(random, ['1', '2']) } : {}),
    ...(random.integer(2) === 0 ? { ports } : {}),
  };
}

function randomMap(random: Random, value: () => unknown): JsonObject {
  return Object.fromEntries(some(random, ['k', 'l', 'm']).map((key) => [key, value()]));
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[random.integer(from.length)] as T;
}

/** Some of them, each once, in any order. */
function some<T>(random: Random, from: readonly T[]): T[] {
  const left = [...from];
  const taken: T[] = [];
  while (left.length > 0 && random.integer(3) > 0) taken.push(...left.splice(random.integer(left.length), 1));
  return taken;
}
