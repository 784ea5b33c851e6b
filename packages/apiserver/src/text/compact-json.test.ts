import { type Random, SeededRandom } from '@evenkeel/core';
import { seed } from '../../../../test/seed.fixture.ts';
import { readCompactJson } from './compact-json.ts';
import { readYaml } from './yaml-text.ts';

describe('readCompactJson()', () => {
  it.each([
    '{}',
    '{"a":1,"b":[true,null,-3,"x: y # z"],"c":{"d":"\\"\\\\\\n\\r\\t"}}',
    '{"a": 1, "b": {"yes": "no", "1": "2026-01-01", "~": "0x1f"}}',
    '{"__proto__":{"a":1}}',
    '{"émoji":"🚀 \u00a0"}',
  ])('reads %s as YAML does', async (text) => {
    const read = readCompactJson(text);
    expect(read).toBeDefined();
    expect(JSON.stringify(read)).toBe(JSON.stringify((await readYaml(text)).value));
  });

  it.each([
    ['a line break', '{"a":\n1}'],
    ['a tab', '{\t"a":1}'],
    ['YAML that is not JSON', '{a: 1}'],
    ['a list', '[1]'],
    ['two documents', '{"a":1}{"a":1}'],
    ['a duplicate key', '{"a":1,"a":1}'],
    ['an escape that YAML does not have', '{"a":"\\ud83d\\ude80"}'],
    ['a slash with an escape', '{"a":"\\/"}'],
    ['a line break of YAML', '{"a":"\u0085"}'],
    ['a line separator', '{"a":"\u2028"}'],
    ['a control character', '{"a":"\u007f"}'],
    ['a merge key', '{"<<":{"a":1}}'],
    ['a fraction', '{"a":1.5}'],
    ['a negative zero', '{"a":-0}'],
    ['an integer beyond 2^53', '{"a":9007199254740993}'],
    ['a float beyond its range', '{"a":1e400}'],
    ['a key that is too long for YAML', `{"${'k'.repeat(1025)}":1}`],
    ['many levels', `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`],
  ])('leaves %s to the parser of YAML', (_, text) => {
    expect(readCompactJson(text)).toBeUndefined();
  });

  it(`reads random objects as YAML does, with seed ${seed}`, async () => {
    const random = new SeededRandom(seed);
    let compact = 0;
    for (let run = 0; run < 300; run++) {
      const text = JSON.stringify({ root: randomValue(random, 4) });
      const read = readCompactJson(text);
      if (read === undefined) continue;
      compact++;
      expect(JSON.stringify(read)).toBe(JSON.stringify((await readYaml(text)).value));
    }
    expect(compact).toBeGreaterThan(30);
  });
});

/** Characters and words that have a meaning in YAML. */
const pieces = [...' \t\n:#,-?&*!|>\'"%@`[]{}=~<\\/', 'yes', 'null', '1', '.5', '0o7', '\u00e9', '\u2029', '\u{1f680}'];

function randomValue(random: Random, depth: number): unknown {
  switch (Math.floor(random.next() * (depth > 0 ? 6 : 4))) {
    case 0:
      return Math.floor(random.next() * 2000) - 1000;
    case 1:
      return random.next() < 0.5 ? null : random.next() < 0.5;
    case 4:
      return Array.from({ length: random.next() * 4 }, () => randomValue(random, depth - 1));
    case 5:
      return Object.fromEntries(
        Array.from({ length: random.next() * 4 }, () => [randomText(random), randomValue(random, depth - 1)]),
      );
    default:
      return randomText(random);
  }
}

function randomText(random: Random): string {
  return Array.from({ length: random.next() * 4 }, () => pieces[Math.floor(random.next() * pieces.length)]).join('');
}
