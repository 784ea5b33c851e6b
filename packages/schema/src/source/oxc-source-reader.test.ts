import { OxcSourceReader } from './oxc-source-reader.ts';

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

  it('finds what a module imports and exports, under which names', () => {
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
    expect(file.interfaces).toEqual(new Set(['Shape']));
  });

  it('reads aliases and enums, but no generic alias', () => {
    expect(file.types.get('Size')).toEqual({
      is: 'union',
      of: [
        { is: 'literal', value: 'small' },
        { is: 'literal', value: 'big' },
      ],
    });
    expect(file.types.get('Level')).toEqual({
      is: 'union',
      of: [0, 5, 6].map((value) => ({ is: 'literal', value })),
    });
    expect(file.types.has('Pair')).toBe(false);
  });

  it('takes the comment that stands before a class or a property, and no other', () => {
    expect(spec?.description).toBe('What is asked for.');
    expect(file.classes.get('Local')).not.toHaveProperty('description');
    const descriptions = [...(spec?.properties.values() ?? [])].map(({ name, description }) => [name, description]);
    expect(descriptions.slice(0, 3)).toEqual([
      ['size', 'Before the decorator.'],
      ['name', 'After the decorator.'],
      ['tls', undefined],
    ]);
  });

  it('gives each property its line', () => {
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
      tls: [true, false, { is: 'reference', name: 'Encryption' }],
      a: [false, false, { is: 'union', of: [{ is: 'string' }, { is: 'null' }, { is: 'undefined' }] }],
      b: [false, true, { is: 'array', items: { is: 'string' } }],
      c: [false, true, { is: 'array', items: { is: 'record', values: { is: 'number' } } }],
      d: [false, true, { is: 'record', values: { is: 'boolean' } }],
      e: [false, true, { is: 'union', of: [-1, 2, true].map((value) => ({ is: 'literal', value })) }],
      f: [false, false, { is: 'other', text: 'Pair<string>' }],
      g: [false, false, { is: 'unknown' }],
      h: [false, false, undefined],
      'quoted-name': [false, false, { is: 'reference', name: 'Size' }],
      i: [false, false, { is: 'number' }],
    });
  });

  it('does not throw for text that does not parse', () => {
    expect(new OxcSourceReader().read('/src/broken.ts', 'export class {').classes.size).toBe(0);
  });
});
