import { spawnSync } from 'node:child_process';
import { SeededRandom, SystemRandom } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { parse } from 'yaml';
import { randomYaml, trickyTexts } from './random-yaml.fixture.ts';
import { customResourceDefinitionFileName, customResourceDefinitionYaml, documentText } from './yaml.ts';

/** A CRD that contains a value; only its names are read. */
function withValue(value: unknown): CustomResourceDefinition {
  return {
    spec: { group: 'example.com', names: { kind: 'Thing', plural: 'things' }, value },
  } as unknown as CustomResourceDefinition;
}

const seed = new SystemRandom().integer(2 ** 31);
const random = new SeededRandom(seed);
const values = [
  trickyTexts,
  Object.fromEntries(trickyTexts.map((text) => [text, text])),
  ...Array.from({ length: 1000 }, () => randomYaml(random)),
];
const texts = values.map((value) => customResourceDefinitionYaml(withValue(value)));

function expectSame(read: (text: string, i: number) => unknown): void {
  for (const [i, text] of texts.entries()) {
    expect({ seed, i, value: read(text, i) }).toEqual({ seed, i, value: spelled(values[i]) });
  }
}

/** A value with its strings as code units, which no process can change, and without negative zero. */
function spelled(value: unknown): unknown {
  if (typeof value === 'string') return spelledText(value);
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [spelledText(key), spelled(entry)]));
}

function spelledText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('hex');
}

describe('customResourceDefinitionYaml()', () => {
  it.each([
    ['1.1', 'yaml-1.1'],
    ['1.2', 'core'],
  ] as const)('writes YAML that a parser of YAML %s reads back unchanged', (version, schema) => {
    expectSame((text) => spelled(parse(text, { version, schema }).spec.value));
  });

  const readByPython = withPython();
  (readByPython === undefined ? it.skip : it)('writes YAML that PyYAML reads back unchanged', () => {
    const read = readByPython?.(texts) ?? [];
    expectSame((_, i) => read[i]);
  });

  it('sorts keys, and repeats an object that is used twice instead of using an alias', () => {
    const shared = { b: 1, a: 2 };
    expect(customResourceDefinitionYaml(withValue([shared, shared]))).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the class Thing: change that, not this.

spec:
  group: example.com
  names:
    kind: Thing
    plural: things
  value:
    - a: 2
      b: 1
    - a: 2
      b: 1
"
`);
  });

  it('writes the same as the library', () => {
    for (const [i, text] of texts.entries()) {
      expect({ seed, i, text: text.split('\n').slice(2).join('\n') }).toEqual({
        seed,
        i,
        text: documentText(withValue(values[i])),
      });
    }
  });

  it('does not depend on the order of keys', () => {
    const one = { b: { d: 1, c: 2 }, a: [{ f: 1, e: 2 }] };
    const other = { a: [{ e: 2, f: 1 }], b: { c: 2, d: 1 } };
    expect(customResourceDefinitionYaml(withValue(one))).toBe(customResourceDefinitionYaml(withValue(other)));
  });

  it('writes numbers without exponents, and quotes only strings', () => {
    const numbers = [1e21, 1e-7, -0, 1.0, 0.5, 2 ** 53, '1e21', '1e-7', '-0', '1.0'];
    const lines = customResourceDefinitionYaml(withValue(numbers)).split('\n').slice(7, -1);
    expect(lines).toMatchInlineSnapshot(`
[
  "  value:",
  "    - 1000000000000000000000",
  "    - 0.0000001",
  "    - 0",
  "    - 1",
  "    - 0.5",
  "    - 9007199254740992",
  "    - "1e21"",
  "    - "1e-7"",
  "    - "-0"",
  "    - "1.0"",
]
`);
  });
});

describe('customResourceDefinitionFileName()', () => {
  it('consists of group and plural', () => {
    expect(customResourceDefinitionFileName(withValue([]))).toBe('example.com_things.yaml');
  });
});

const program = `
import json, sys, yaml

def spelled(value):
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").hex()
    if isinstance(value, dict):
        return {spelled(key): spelled(entry) for key, entry in value.items()}
    return [spelled(entry) for entry in value] if isinstance(value, list) else value

for text in json.load(sys.stdin):
    print(json.dumps(spelled(yaml.load(text, Loader=yaml.SafeLoader)["spec"]["value"]), default=repr))
`;

/** Reads documents with PyYAML, a parser of YAML 1.1; undefined, with a message, if it is not installed. */
function withPython(): ((texts: readonly string[]) => unknown[]) | undefined {
  if (spawnSync('python3', ['-c', 'import yaml']).status !== 0) {
    process.stdout.write('skipped: the test with PyYAML: no python3 with PyYAML found\n');
    return undefined;
  }
  return (input) => {
    const { stdout, stderr, status } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(input),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(`seed ${seed}: ${stderr}`);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
}
