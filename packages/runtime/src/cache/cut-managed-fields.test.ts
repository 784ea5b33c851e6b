import { SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { ManagedFieldsCut } from './cut-managed-fields.ts';

const cut = new ManagedFieldsCut();

/** What remains of an object's text, parsed. */
function cutObject(text: string): unknown {
  const before = Buffer.from(text);
  const copy = Buffer.from(before);
  const after = JSON.parse(cut.ofObject(before).toString('utf8')) as unknown;
  // The input may be shared with other watchers.
  expect(before.equals(copy)).toBe(true);
  return after;
}

describe('ManagedFieldsCut', () => {
  it.each([
    ['in the middle', '{"metadata":{"name":"a","managedFields":[{"f:x":{}}],"uid":"u"},"data":{}}'],
    ['first', '{"metadata":{"managedFields":[{}],"name":"a","uid":"u"},"data":{}}'],
    ['last', '{"metadata":{"name":"a","uid":"u","managedFields":[{}]},"data":{}}'],
    ['behind a field that sorts before metadata', '{"data":{},"metadata":{"name":"a","managedFields":[],"uid":"u"}}'],
    ['null', '{"metadata":{"name":"a","uid":"u","managedFields":null},"data":{}}'],
    [
      'spread with white space',
      '{ "metadata" : { "name" : "a" ,\n "managedFields" : [ ] , "uid" : "u" } , "data" : {} }',
    ],
  ])('removes managedFields %s', (_, text) => {
    expect(cutObject(text)).toEqual({ metadata: { name: 'a', uid: 'u' }, data: {} });
  });

  it('keeps an object without other metadata', () => {
    expect(cutObject('{"metadata":{"managedFields":[{}]}}')).toEqual({ metadata: {} });
  });

  it('skips strings with quotes, backslashes and braces, inside of them and before them', () => {
    const annotations = { text: '"managedFields":[', 'a\\"}]': '\\', tail: '\\\\"' };
    const managedFields = [{ fieldsV1: { 'f:status': { 'k:{"type":"Re]ady\\"}': {} } } }];
    const text = JSON.stringify({ metadata: { annotations, managedFields, name: 'größe 𝄞' } });
    expect(cutObject(text)).toEqual({ metadata: { annotations, name: 'größe 𝄞' } });
  });

  it.each([
    ['at the top', '{"managedFields":[1],"metadata":{"name":"a"}}'],
    ['in the spec', '{"metadata":{"name":"a"},"spec":{"managedFields":[1],"metadata":{"managedFields":[2]}}}'],
    [
      'in the metadata of a template before metadata',
      '{"data":{"metadata":{"managedFields":[2]}},"metadata":{"name":"a"}}',
    ],
    ['deeper in the metadata', '{"metadata":{"labels":{"managedFields":"x"},"name":"a"}}'],
  ])('keeps other fields of that name %s', (_, text) => {
    expect(cut.ofObject(Buffer.from(text)).toString()).toBe(text);
  });

  it('removes them only from the object of a watch event, at any position', () => {
    const text =
      '{"metadata":{"managedFields":[1]},"type":"ADDED","object":{"kind":"A","metadata":{"managedFields":[1],"name":"a"}}}';
    expect(JSON.parse(cut.ofWatchEvent(Buffer.from(text)).toString())).toEqual({
      metadata: { managedFields: [1] },
      type: 'ADDED',
      object: { kind: 'A', metadata: { name: 'a' } },
    });
  });

  it.each([
    '',
    '{',
    'null',
    '[1]',
    '{"metadata"',
    '{"metadata":{"managedFields"',
    '{"metadata":{"managedFields":[{"a":"',
    '{"metadata":{"managedFields":["\\',
    '{"metadata":"text"}',
    '<html>',
  ])('returns unexpected JSON unchanged: %j', (text) => {
    expect(cut.ofObject(Buffer.from(text)).toString()).toBe(text);
    expect(cut.ofWatchEvent(Buffer.from(text)).toString()).toBe(text);
  });

  it('has the same result as parsing and deleting, for random objects', () => {
    const random = new SeededRandom(seed);
    const keys = ['managedFields', 'metadata', 'a"b', '\\', 'é', 'object', '', '}{', '[', '𝄞'];
    const keyAt = (): string => keys[random.integer(keys.length)] ?? '';
    const value = (depth: number): unknown => {
      const choice = random.integer(depth > 4 ? 4 : 7);
      if (choice < 2) return keyAt().repeat(random.integer(3));
      if (choice === 2) return random.integer(1000) - 500;
      if (choice === 3) return [null, true, false, 1.5e-7][random.integer(4)];
      if (choice === 4) return Array.from({ length: random.integer(4) }, () => value(depth + 1));
      return Object.fromEntries(Array.from({ length: random.integer(5) }, () => [keyAt(), value(depth + 1)]));
    };
    for (let round = 0; round < 3000; round++) {
      const object = Object.fromEntries(Array.from({ length: 4 }, () => [keyAt(), value(0)])) as Record<
        string,
        unknown
      >;
      const text = JSON.stringify(object, undefined, random.integer(2));
      const metadata = object['metadata'];
      const expected = structuredClone(object);
      if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) {
        delete (expected['metadata'] as Record<string, unknown>)['managedFields'];
      }
      const actual = JSON.parse(cut.ofObject(Buffer.from(text)).toString('utf8')) as unknown;
      if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`seed ${seed}, round ${round}: ${text}`);
    }
  });
});
