import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { parse } from 'yaml';
import { customResourceDefinitionFileName, customResourceDefinitionYaml } from './yaml.ts';

function withEnum(values: readonly unknown[]): CustomResourceDefinition {
  return {
    spec: { group: 'example.com', names: { kind: 'Thing', plural: 'things' }, values },
  } as unknown as CustomResourceDefinition;
}

describe('customResourceDefinitionYaml()', () => {
  it.each(['1.1', '1.2'] as const)('is read back the same by a parser of YAML %s', (version) => {
    const values = [
      ...['y', 'n', 'yes', 'No', 'on', 'OFF', 'true', 'null', '~', '', ' ', '=', '<<', '-', '- a', '# a', 'a: b', '&a'],
      ...[
        '1',
        '1.0',
        '0x1F',
        '0o17',
        '017',
        '1_000',
        '1:30',
        '.5',
        '1e3',
        '.inf',
        '.nan',
        '2026-11-21',
        '0b1',
        '@',
        '%',
      ],
      ...['a\nb', 'a\n', '\n', "it's", '"', '\\', '\u2028', '\u0000', '😀', 'x'.repeat(300), '{', '[', '!a', '*a', '|'],
      ...[true, 1, 1.5, Number.MAX_SAFE_INTEGER],
    ];
    expect(
      parse(customResourceDefinitionYaml(withEnum(values)), {
        version,
        schema: version === '1.1' ? 'yaml-1.1' : 'core',
      }).spec.values,
    ).toEqual(values);
  });

  it('sorts keys, and repeats what is the same object instead of referring to it', () => {
    const shared = { b: 1, a: 2 };
    expect(customResourceDefinitionYaml(withEnum([shared, shared]))).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the class Thing: change that, not this.

spec:
  group: example.com
  names:
    kind: Thing
    plural: things
  values:
    - a: 2
      b: 1
    - a: 2
      b: 1
"
`);
  });
});

describe('customResourceDefinitionFileName()', () => {
  it('is group and plural', () => {
    expect(customResourceDefinitionFileName(withEnum([]))).toBe('example.com_things.yaml');
  });
});
