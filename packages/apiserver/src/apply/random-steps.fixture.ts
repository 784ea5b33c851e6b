import type { Random } from '@evenkeel/core';
import type { JsonObject } from '../patch/json-value.ts';
import type { Step } from './sequences.fixture.ts';

/** Steps of three managers on one custom resource; the first creates it. */
export function randomSteps(random: Random, length: number): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < length; i++) {
    const by = pick(random, ['a', 'b', 'c']);
    const body = { spec: randomSpec(random) };
    const dice = random.integer(10);
    if (i === 0) steps.push({ do: dice < 5 ? 'create' : 'apply', by, body });
    else if (dice < 6) steps.push({ do: 'apply', by, body, force: random.integer(2) === 0, mayBeInvalid: true });
    else if (dice < 8) steps.push({ do: 'merge', by, body, mayBeInvalid: true });
    else steps.push({ do: 'update', by, body: (live: JsonObject) => ({ ...live, ...body }) });
  }
  return steps;
}

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
