import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { Cache } from '../generate/cache.fixture.ts';
import { customResourceDefinitionOf, generateCustomResourceDefinitions } from '../generate/generate.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { definitionBytes, shortened } from './description-budget.ts';

describe('shortened()', () => {
  it('returns a string that fits unchanged', () => {
    expect(shortened('How many members.', 17)).toBe('How many members.');
    expect(shortened('', 0)).toBe('');
  });

  it('ends after a whole sentence if one fits, otherwise after a whole word and dots, which count', () => {
    const text = 'How many members. An odd number, of version 1.5 or later.';
    expect(shortened(text, 56)).toBe('How many members.');
    expect(shortened(text, 17)).toBe('How many members.');
    expect(shortened(text, 16)).toBe('How many...');
    expect(shortened(text, 11)).toBe('How many...');
    expect(shortened(text, 10)).toBe('How...');
    expect(shortened('Supports version 1.5beta', 20)).toBe('Supports version...');
  });

  it('cuts within a word only if the first word is too long, and never within a character', () => {
    expect(shortened('abcdefghij', 8)).toBe('abcde...');
    expect(shortened('abcdefghij', 3)).toBe('');
    expect(shortened('abcdefghij', 0)).toBe('');
    expect(shortened('😀😀😀😀😀😀', 5)).toBe('😀😀...');
  });

  it('takes time linear in the length of the string', () => {
    const started = process.cpuUsage();
    shortened(' '.repeat(200_000) + 'x'.repeat(200_000), 300_000);
    shortened('a. '.repeat(100_000), 299_999);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(1);
  });
});

describe('fitDescriptions', () => {
  let sources: ClassSources;
  beforeAll(async () => {
    const url = new URL('../generate/cache.fixture.ts', import.meta.url).href;
    sources = await ClassSources.read([url], { reader: new OxcSourceReader(), importModule: (it) => import(it) });
  });

  it('cuts descriptions to a length, omits them for 0, and changes nothing else', async () => {
    const whole = await customResourceDefinitionOf(Cache, { sources });
    const short = await customResourceDefinitionOf(Cache, { sources, maxDescriptionLength: 20 });
    expect(descriptionsOf(short)).toContain('How many members.');
    expect(Math.max(...descriptionsOf(short).map(({ length }) => length))).toBeLessThanOrEqual(20);
    const none = await customResourceDefinitionOf(Cache, { sources, maxDescriptionLength: 0 });
    expect(descriptionsOf(none)).toEqual([]);
    expect(none).toEqual(withoutDescriptions(whole));
  });

  it('omits the deepest descriptions first to fit a CRD into a size', async () => {
    const whole = await customResourceDefinitionOf(Cache, { sources });
    const maxDefinitionBytes = definitionBytes(whole) - 60;
    const small = await customResourceDefinitionOf(Cache, { sources, maxDefinitionBytes });
    expect(definitionBytes(small)).toBeLessThanOrEqual(maxDefinitionBytes);
    const kept = descriptionsOf(small);
    expect(kept).toContain('A cache of some members.');
    const lost = descriptionsOf(whole).filter((text) => !kept.includes(text));
    expect(lost.length).toBeGreaterThan(0);
    // The descriptions of the conditions' fields are the deepest.
    expect(lost).not.toContain('How many members.\n\nAn odd number, see Limits.');
    expect(withoutDescriptions(small)).toEqual(withoutDescriptions(whole));
    const bare = await customResourceDefinitionOf(Cache, { sources, maxDefinitionBytes: 0 });
    expect(bare).toEqual(withoutDescriptions(whole));
  });

  it('keeps no description at the metadata of the root', async () => {
    const definition = await customResourceDefinitionOf(Cache, { sources });
    expect(definition.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['metadata']).toEqual({ type: 'object' });
  });

  it('rejects an invalid length', async () => {
    for (const maxDescriptionLength of [-1, 1.5, Number.NaN, '20' as never]) {
      await expect(generateCustomResourceDefinitions([Cache], { maxDescriptionLength })).rejects.toMatchObject({
        code: 'invalid-option',
      });
    }
  });
});

function descriptionsOf(definition: CustomResourceDefinition): string[] {
  const found: string[] = [];
  JSON.stringify(definition, (key, value) => {
    if (key === 'description' && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

function withoutDescriptions(definition: CustomResourceDefinition): unknown {
  return JSON.parse(
    JSON.stringify(definition, (key, value) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  );
}
