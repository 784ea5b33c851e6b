import { OxcSourceReader } from './oxc-source-reader.ts';
import type { SourceType } from './source-file.ts';

const text = `/** The licence of the file. */
import { Type } from 'class-transformer';

import type { Tls as Encryption } from './tls.ts';
export { Backup } from './backup.ts';

/** The size of a thing. */
export type Size = 'small' | 'big';
type Pair<T> = [T, T];
export enum Level { Low, High = 5, Higher }
interface Shape { x: number }

/** What is asked for. */
@Decorated({ /** Not this. */ name: 'x' })
export class Spec extends Base {
  /** Before the decorator. */
  @IsInt()
  size = 3;

  @IsString()
  /** After the decorator. */
  name!: string;

  tls?: Encryption; /** Of the one before. */

  a: string | null | undefined;
  b: readonly string[] = [];
  c: Array<Record<string, number>> = [];
  d: { [key: string]: boolean } = {};
  e: -1 | 2 | true = 2;
  f: Pair<string>;
  g: any;
  h;
  'quoted-name': Size;
  declare i: number;
  static s = 1;
  #hidden = 2;
  [computed] = 3;
  method() {}
  get accessor() { return 1; }
}
class Local {}
export { Local as Renamed };
export default class {}
`;

describe('OxcSourceReader', () => {
  const file = new OxcSourceReader().read('/src/spec.ts', text);
  const spec = file.classes.get('Spec');

  it('returns the imports and exports of a module with their names', () => {
    expect(file.imports).toEqual(
      new Map([
        ['Type', { specifier: 'class-transformer', name: 'Type', typeOnly: false }],
        ['Encryption', { specifier: './tls.ts', name: 'Tls', typeOnly: true }],
      ]),
    );
    expect(Object.fromEntries(file.exports)).toEqual({
      Size: 'Size',
      Level: 'Level',
      Spec: 'Spec',
      Renamed: 'Local',
      default: 'default',
    });
    expect(file.reExports).toEqual([{ specifier: './backup.ts', name: 'Backup', exported: 'Backup', typeOnly: false }]);
    expect([...file.interfaces.keys()]).toEqual(['Shape']);
  });

  it('reads aliases and enums', () => {
    expect(file.types.get('Size')?.type).toEqual({
      is: 'union',
      of: [
        { is: 'literal', value: 'small' },
        { is: 'literal', value: 'big' },
      ],
    });
    expect(file.types.get('Level')?.type).toEqual({
      is: 'union',
      of: [0, 5, 6].map((value) => ({ is: 'literal', value })),
    });
    expect(file.types.get('Pair')).toMatchObject({ parameters: ['T'], type: { is: 'tuple', required: 2 } });
  });

  it('uses only the comment before a class or a property', () => {
    expect(spec?.description).toBe('What is asked for.');
    expect(file.classes.get('Local')).not.toHaveProperty('description');
    const descriptions = [...(spec?.properties.values() ?? [])].map(({ name, description }) => [name, description]);
    expect(descriptions.slice(0, 3)).toEqual([
      ['size', 'Before the decorator.'],
      ['name', 'After the decorator.'],
      ['tls', undefined],
    ]);
  });

  it('returns the line of each property', () => {
    expect(spec?.line).toBe(15);
    expect(spec?.properties.get('size')?.line).toBe(18);
    expect(spec?.properties.get('name')?.line).toBe(22);
  });

  it('reads optionality, initialisers and types', () => {
    const read = Object.fromEntries(
      [...(spec?.properties.values() ?? [])].map(({ name, isOptional, hasInitializer, type }) => [
        name,
        [isOptional, hasInitializer, type],
      ]),
    );
    expect(read).toEqual({
      size: [false, true, undefined],
      name: [false, false, { is: 'string' }],
      tls: [true, false, { is: 'reference', name: 'Encryption', arguments: [] }],
      a: [false, false, { is: 'union', of: [{ is: 'string' }, { is: 'null' }, { is: 'undefined' }] }],
      b: [false, true, { is: 'array', items: { is: 'string' } }],
      c: [false, true, { is: 'array', items: { is: 'record', keys: { is: 'string' }, values: { is: 'number' } } }],
      d: [false, true, { is: 'record', keys: { is: 'string' }, values: { is: 'boolean' } }],
      e: [false, true, { is: 'union', of: [-1, 2, true].map((value) => ({ is: 'literal', value })) }],
      f: [false, false, { is: 'reference', name: 'Pair', arguments: [{ is: 'string' }] }],
      g: [false, false, { is: 'unknown' }],
      h: [false, false, undefined],
      'quoted-name': [false, false, { is: 'reference', name: 'Size', arguments: [] }],
      i: [false, false, { is: 'number' }],
    });
  });

  it('reports the line of a syntax error without throwing', () => {
    const { classes, mistakes } = new OxcSourceReader().read('/src/broken.ts', 'export class A {\n  b: ;\n}');
    expect(classes.size).toBe(0);
    expect(mistakes).toEqual([{ line: 2, message: expect.stringContaining('Unexpected token') }]);
    expect(file.mistakes).toEqual([]);
  });
});

describe('OxcSourceReader and types', () => {
  const string: SourceType = { is: 'string' };
  const number: SourceType = { is: 'number' };
  const reference = (name: string, ...given: SourceType[]): SourceType => ({ is: 'reference', name, arguments: given });
  const literals = (...values: (string | number)[]): SourceType[] => values.map((value) => ({ is: 'literal', value }));

  function typeOf(text: string, before = ''): SourceType | undefined {
    const { classes, mistakes } = new OxcSourceReader().read('/a.ts', `${before}\nclass A { p: ${text} }`);
    expect(mistakes).toEqual([]);
    return classes.get('A')?.properties.get('p')?.type;
  }

  it.each<[string, SourceType]>([
    ['core.PodTemplateSpec', reference('core.PodTemplateSpec')],
    ['Partial<Tls>', reference('Partial', reference('Tls'))],
    ["Pick<Tls, 'a' | 'b'>", reference('Pick', reference('Tls'), { is: 'union', of: literals('a', 'b') })],
    [
      'Readonly<Record<string, readonly Tls[]>>',
      { is: 'record', keys: string, values: { is: 'array', items: reference('Tls') } },
    ],
    ["Record<'a' | 'b', number>", { is: 'record', keys: { is: 'union', of: literals('a', 'b') }, values: number }],
    [`\`\${number}Gi\``, { is: 'template', text: `\`\${number}Gi\`` }],
    ['`fixed`', { is: 'literal', value: 'fixed' }],
    ['[number, string]', { is: 'tuple', items: [number, string], required: 2 }],
    ['readonly [low: number, high?: number]', { is: 'tuple', items: [number, number], required: 1 }],
    ['[string, ...string[]]', { is: 'tuple', items: [string], required: 1, rest: string }],
    ['[first: string, ...rest: number[]]', { is: 'tuple', items: [string], required: 1, rest: number }],
    ["string & { readonly brand: 'Name' }", string],
    ['(string & {})', string],
    ['typeof limits', { is: 'constant', name: 'limits', part: 'itself' }],
    ['keyof typeof limits', { is: 'constant', name: 'limits', part: 'keys' }],
    ['(typeof limits)[keyof typeof limits]', { is: 'constant', name: 'limits', part: 'values' }],
    ['(typeof api.limits)[number]', { is: 'constant', name: 'api.limits', part: 'values' }],
    ['object', reference('object')],
    ['bigint', { is: 'other', text: 'bigint', fix: expect.stringContaining('number') }],
    [
      "PodSpec['containers'][number]",
      { is: 'other', text: "PodSpec['containers'][number]", fix: expect.stringContaining('by its name') },
    ],
    ['A & B', { is: 'other', text: 'A & B', fix: expect.stringContaining('one class') }],
    ['{ [K in Keys]: string }', { is: 'other', text: '{ [K in Keys]: string }' }],
    ['(a: string) => void', { is: 'other', text: '(a: string) => void', fix: 'make it a method' }],
    ['T extends string ? 1 : 2', { is: 'other', text: 'T extends string ? 1 : 2' }],
  ])('%s', (text, type) => {
    expect(typeOf(text)).toEqual(type);
  });

  it('reads the members of an object type literal like those of a class', () => {
    const type = typeOf(
      "{\n  /** Its name. */\n  readonly name: string;\n  port?: number,\n  'x-y': { a: 1 };\n  run(): void }",
    );
    if (type?.is !== 'object') throw new Error('not an object');
    expect([...type.members.properties.values()]).toEqual([
      { name: 'name', line: 4, description: 'Its name.', isOptional: false, hasInitializer: false, type: string },
      { name: 'port', line: 5, isOptional: true, hasInitializer: false, type: number },
      {
        name: 'x-y',
        line: 6,
        isOptional: false,
        hasInitializer: false,
        type: expect.objectContaining({ is: 'object' }),
      },
    ]);
    expect(type.members).not.toHaveProperty('indexSignatureLine');
  });

  it('distinguishes a map from an index signature beside properties', () => {
    expect(typeOf('{ [name: string]: number }')).toEqual({ is: 'record', keys: string, values: number });
    expect(typeOf('{ a: string; [name: string]: string }')).toMatchObject({
      is: 'object',
      members: { indexSignatureLine: 2 },
    });
  });

  it.each<[string, SourceType]>([
    ['enum E { A, B = 5, C }', { is: 'union', of: literals(0, 5, 6) }],
    ["const enum E { A = 'a', B = `b`, C = 'c' + 'd' }", { is: 'union', of: literals('a', 'b', 'cd') }],
    ['enum E { A = 1 << 2, B = A | 1, C, D = -1, "E-F" }', { is: 'union', of: literals(4, 5, 6, -1, 0) }],
    ["enum E { A = 'x'.length }", { is: 'other', text: "enum E { A = 'x'.length }", fix: expect.any(String) }],
  ])('%s', (text, type) => {
    expect(new OxcSourceReader().read('/a.ts', text).types.get('E')?.type).toEqual(type);
  });

  it.each<[string, [string, unknown][] | undefined]>([
    [
      "const C = { A: 'a', 'B-C': 2 } as const",
      [
        ['A', 'a'],
        ['B-C', 2],
      ],
    ],
    ["export const C = Object.freeze({ A: 'a' } as const)", [['A', 'a']]],
    ["const C = { A: 'a' } as const satisfies Record<string, string>", [['A', 'a']]],
    [
      "const C = ['a', 'b'] as const",
      [
        ['0', 'a'],
        ['1', 'b'],
      ],
    ],
    ["const C = { A: 'a' }", undefined],
    ["let C = ['a'] as const", undefined],
    ['const C = { A: name() } as const', undefined],
    ['const C = { ...other } as const', undefined],
  ])('%s', (text, members) => {
    const constant = new OxcSourceReader().read('/a.ts', text).constants.get('C');
    const read = [...(constant?.members ?? [])].map(([key, type]) => [key, type.is === 'literal' ? type.value : type]);
    expect(constant === undefined ? undefined : read).toEqual(members);
  });
});

describe('OxcSourceReader and classes', () => {
  const read = (text: string) => new OxcSourceReader().read('/a.ts', text);
  const names = (text: string) => [...(read(text).classes.get('A')?.properties.keys() ?? [])];

  it('reads only members of instances, by their names in JSON', () => {
    const text = `abstract class A<T> {
      declare a: string; readonly b = 1; c!: string; d?: string; private e = 1; protected f = 2;
      'quoted-name': string; 'with.dot' = 1; 1: string; ['computed']: string; [\`template\`]: string;
      abstract g: string; override h = 1; h2; über: string;
      #hidden = 1; static s = 1; [key] = 1; [Symbol.iterator] = 1; method() {} get i() { return 1 } set i(v) {}
      accessor j = 1; static { } declare readonly [brand]: 1; constructor(public k: string, readonly l = 2, private m?: T, n = 3) {}
    }`;
    expect(names(text)).toEqual([
      ...['a', 'b', 'c', 'd', 'e', 'f', 'quoted-name', 'with.dot', '1', 'computed', 'template', 'g', 'h', 'h2', 'über'],
      ...['k', 'l', 'm'],
    ]);
    expect(read(text).classes.get('A')?.properties.get('k')).toMatchObject({
      type: { is: 'string' },
      hasInitializer: false,
    });
    expect(read(text).classes.get('A')?.properties.get('l')).toMatchObject({ hasInitializer: true, isOptional: false });
    expect(read(text).classes.get('A')?.properties.get('m')).toMatchObject({ isOptional: true });
  });

  it('reads type parameters and base types', () => {
    const { classes, interfaces } = read(
      'class A<T, U = string> extends api.Base<T, Tls[]> {}\nclass B extends mixin(C) {}\ninterface D<X> extends E<X>, F { x: X }',
    );
    expect(classes.get('A')).toMatchObject({
      parameters: ['T', 'U'],
      bases: [{ name: 'api.Base', arguments: [{ is: 'reference', name: 'T' }, { is: 'array' }] }],
    });
    expect(classes.get('B')?.bases).toEqual([]);
    expect(interfaces.get('D')).toMatchObject({ parameters: ['X'], bases: [{ name: 'E' }, { name: 'F' }] });
  });

  it('merges the declarations of an interface', () => {
    const declared = read('interface I { a: string }\ninterface I extends J { b: string }').interfaces.get('I');
    expect([...(declared?.properties.keys() ?? [])]).toEqual(['a', 'b']);
    expect(declared?.bases).toMatchObject([{ name: 'J' }]);
  });

  it('finds classes in every form of declaration', () => {
    const { classes, exports } = read(
      'export const A = class {};\nconst B = class C {};\nexport { B };\nclass D {}\nexport default D;\ndeclare class E { x: string }',
    );
    expect([...classes.keys()]).toEqual(['A', 'B', 'D', 'E']);
    expect([...exports]).toEqual([
      ['A', 'A'],
      ['B', 'B'],
      ['default', 'D'],
    ]);
  });

  it.each([
    ['before the decorators', '/** Doc. */\n@A()\n@B({ x: 1 })\nexport class A {}'],
    ['between the decorators', '@A()\n/** Doc. */\n@B({ x: 1 })\nexport class A {}'],
    ['after export', '/** Not. */\nconst x = 1;\nexport /** Doc. */ @A() class A {}'],
    ['after the decorators', '@A(/** Not. */ { /** Nor. */ x: 1 }) /** Doc. */ export class A {}'],
    ['the last of several', '/** Licence. */\n\n/** Doc. */\n// A remark.\n/* Another. */\nexport abstract class A {}'],
    ['with Windows lines', '/**\r\n * Doc.\r\n */\r\n@A()\r\nexport class A {}\r\n'],
    ['with a byte order mark', '\uFEFF/** Doc. */\nexport class A {}'],
  ])('uses a comment %s', (_, text) => {
    expect(read(text).classes.get('A')?.description).toBe('Doc.');
  });

  it('counts lines and columns correctly after characters of two UTF-16 units', () => {
    const { classes } = read(
      "/** 🚢 Größe. */\nexport class A {\n  /** 🚢 Maß. */\n  maß: '🚢' | 'x';\n  b: { c: T[] }['c'];\n}",
    );
    const [first, second] = [...(classes.get('A')?.properties.values() ?? [])];
    expect(classes.get('A')?.description).toBe('🚢 Größe.');
    expect(first).toMatchObject({
      name: 'maß',
      line: 4,
      description: '🚢 Maß.',
      type: { of: [{ value: '🚢' }, { value: 'x' }] },
    });
    expect(second).toMatchObject({ line: 5, type: { text: "{ c: T[] }['c']" } });
  });

  it('reads a file of 5,000 lines', () => {
    const properties = Array.from(
      { length: 1700 },
      (_, index) => `  /** Number ${index}. */\n  @IsInt()\n  p${index} = 0;`,
    );
    const { classes } = read(`export class A {\n${properties.join('\n')}\n}`);
    expect(classes.get('A')?.properties.get('p1699')).toMatchObject({ line: 5101, description: 'Number 1699.' });
  });
});
