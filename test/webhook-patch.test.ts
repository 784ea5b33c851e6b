import { copyJson, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import { SeededRandom } from '@evenkeel/core';
import { applyJsonPatch } from '../packages/apiserver/src/patch/json-patch.ts';
import { jsonPatchOf } from '../packages/runtime/src/webhook/admission/json-patch.ts';
import { seed } from './seed.fixture.ts';

const random = new SeededRandom(seed);

const keys = ['a', 'b', 'a/b', '~', '~1', '', '0', '-', 'é', 'constructor'];

function randomValue(depth: number): unknown {
  const choice = random.integer(depth === 0 ? 5 : 9);
  if (choice === 0) return null;
  if (choice === 1) return random.integer(3);
  if (choice === 2) return ['x', 'y', ''][random.integer(3)];
  if (choice === 3) return random.integer(2) === 0;
  if (choice === 4) return 1.5;
  if (choice < 7) return Array.from({ length: random.integer(5) }, () => randomValue(depth - 1));
  return randomObject(depth - 1);
}

function randomObject(depth: number): JsonObject {
  return Object.fromEntries(
    Array.from({ length: random.integer(4) }, () => [keys[random.integer(keys.length)] ?? '', randomValue(depth)]),
  );
}

/** Changes a few places of a value. */
function changed(value: unknown, depth: number): unknown {
  if (random.integer(6) === 0) return randomValue(depth);
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((item) => (random.integer(3) === 0 ? changed(item, depth - 1) : item));
    if (random.integer(3) === 0) list.splice(random.integer(list.length + 1), random.integer(3));
    if (random.integer(3) === 0) list.splice(random.integer(list.length + 1), 0, randomValue(depth - 1));
    return list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(() => random.integer(5) > 0);
  const next = entries.map(([key, member]) => [key, random.integer(3) === 0 ? changed(member, depth - 1) : member]);
  return Object.fromEntries([...next, ...(random.integer(3) === 0 ? Object.entries(randomObject(depth - 1)) : [])]);
}

describe('jsonPatchOf()', () => {
  it('is empty if nothing differs', () => {
    expect(jsonPatchOf({ a: { b: [1, { c: null }] } }, { a: { b: [1, { c: null }] }, d: undefined })).toEqual([]);
  });

  it('changes single fields and escapes their names', () => {
    const before = { spec: { 'a/b': 1, '~': 1, gone: 1, same: { deep: 1 } }, metadata: {} };
    const after = { spec: { 'a/b': 2, '~': null, same: { deep: 1 } }, metadata: { labels: { app: 'x' } } };
    expect(jsonPatchOf(before, after)).toEqual([
      { op: 'replace', path: '/spec/a~1b', value: 2 },
      { op: 'replace', path: '/spec/~0', value: null },
      { op: 'remove', path: '/spec/gone' },
      { op: 'add', path: '/metadata/labels', value: { app: 'x' } },
    ]);
  });

  it('appends, inserts and removes elements of lists without touching the others', () => {
    const [one, two, three] = [{ name: 'one', unknown: 1 }, { name: 'two' }, { name: 'three' }];
    expect(jsonPatchOf({ l: [one] }, { l: [one, two] })).toEqual([{ op: 'add', path: '/l/-', value: two }]);
    expect(jsonPatchOf({ l: [one, three] }, { l: [one, two, three] })).toEqual([
      { op: 'add', path: '/l/1', value: two },
    ]);
    expect(jsonPatchOf({ l: [one, two, three] }, { l: [three] })).toEqual([
      { op: 'remove', path: '/l/1' },
      { op: 'remove', path: '/l/0' },
    ]);
    expect(jsonPatchOf({ l: [one, two] }, { l: [{ ...one, image: 'x' }, two] })).toEqual([
      { op: 'add', path: '/l/0/image', value: 'x' },
    ]);
  });

  it('takes values as JSON has them', () => {
    const time = new Date(0);
    const after = { time, list: [undefined, Number.NaN], call: () => 1, gone: undefined };
    const patch = JSON.parse(JSON.stringify(jsonPatchOf({ gone: 1, call: 2 }, after))) as unknown;
    expect(applyJsonPatch({ gone: 1, call: 2 }, patch)).toEqual(JSON.parse(JSON.stringify(after)));
    expect(() => jsonPatchOf({}, { big: 1n })).toThrow('bigint');
  });

  it('compares nesting of any depth', () => {
    const nested = (innermost: number) =>
      JSON.parse(`${'{"a":['.repeat(50_000)}${innermost}${']}'.repeat(50_000)}`) as JsonObject;
    expect(jsonPatchOf(nested(1), nested(1))).toEqual([]);
    expect(jsonPatchOf(nested(1), nested(2))).toHaveLength(1);
  });

  it(`leads to the changed document, applied as the API server does (seed ${seed})`, () => {
    for (let round = 0; round < 5000; round++) {
      const before = randomObject(4);
      const next = changed(before, 4);
      const after = typeof next === 'object' && next !== null && !Array.isArray(next) ? (next as JsonObject) : {};
      const kept = copyJson(before);
      const patch = jsonPatchOf(before, after);
      const sent = JSON.parse(JSON.stringify(patch)) as unknown;
      const result = patch.length === 0 ? before : applyJsonPatch(before, sent);
      if (!jsonEqual(result, after)) throw new Error(JSON.stringify({ round, before, after, patch, result }));
      if (patch.length === 0 && !jsonEqual(before, after)) throw new Error('no patch for a difference');
      expect(before).toEqual(kept);
    }
  });
});
