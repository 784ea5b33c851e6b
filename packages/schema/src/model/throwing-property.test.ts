import type { ClassSource, PropertySource } from '../source/source-file.ts';
import { throwingProperty } from './throwing-property.ts';

function property(name: string, line: number, hasInitializer = true): [string, PropertySource] {
  return [name, { name, line, isOptional: false, hasInitializer }];
}

const source: ClassSource = {
  name: 'Fragile',
  file: '/src/fragile.ts',
  line: 10,
  parameters: [],
  bases: [],
  properties: new Map([property('first', 11), property('declared', 14, false), property('last', 16)]),
};

function thrownAt(...places: string[]): Error {
  const error = new Error('no');
  error.stack = ['Error: no', ...places.map((place) => `    at ${place}`)].join('\n');
  return error;
}

describe('throwingProperty()', () => {
  it('returns the first property whose lines are in the stack', () => {
    expect(throwingProperty(thrownAt('new Fragile (/src/fragile.ts:12:5)'), [source])?.name).toBe('first');
    expect(throwingProperty(thrownAt('file:///src/fragile.ts:17:5', '/src/fragile.ts:11:1'), [source])?.name).toBe(
      'last',
    );
    const helper = thrownAt(
      'help (/src/other.ts:1:1)',
      '<instance_members_initializer> (file:///src/fragile.ts:16:20)',
    );
    expect(throwingProperty(helper, [source])?.name).toBe('last');
  });

  it('returns undefined if the stack has other lines or the thrown value has no stack', () => {
    const places = ['new Fragile (/src/other.ts:12:5)', '/src/fragile.ts:14:1', '/src/fragile.ts:2:1', 'native'];
    for (const place of places) expect(throwingProperty(thrownAt(place), [source])).toBeUndefined();
    expect(throwingProperty('a text', [source])).toBeUndefined();
    expect(throwingProperty(thrownAt('/src/fragile.ts:12:5'), [])).toBeUndefined();
  });

  it('returns the only property with an initialiser if the stack does not help', () => {
    const only = { ...source, properties: new Map([property('declared', 11, false), property('only', 12)]) };
    expect(throwingProperty('a text', [only])?.name).toBe('only');
  });
});
