import { PreserveUnknownFields, Values } from '@evenkeel/core';
import { Type } from 'class-transformer';
import {
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsInstance,
  IsInt,
  IsNotEmptyObject,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { casesOf, instanceOf } from '../constraint-case.fixture.ts';
import { anyJson, listsOf, oneOf, pick } from '../random-value.fixture.ts';

class Port {
  declare name: string;
  declare port?: number;
}
for (const decorate of [IsString(), MaxLength(3), Matches(/^[a-z]*$/)]) decorate(Port.prototype, 'name');
for (const decorate of [IsOptional(), IsInt(), Min(0), Max(9)]) decorate(Port.prototype, 'port');

const anyPort = pick<unknown>([
  ...[
    { name: 'a' },
    { name: 'b' },
    { name: 'a', port: 1 },
    { name: 'b', port: 9, other: true },
    { name: '', port: null },
  ],
  ...[
    {},
    { name: 5 },
    { name: 'abcd' },
    { name: null },
    { name: 'a', port: 10 },
    { name: 'a', port: '1' },
    { port: 1 },
  ],
]);
const goodPort = pick<unknown>([{ name: 'a' }, { name: 'b' }, { name: 'c', port: 1 }, { name: 'b', port: 2 }]);
const port = (value: unknown) => instanceOf(Port, value);
const ports = (value: unknown) => (Array.isArray(value) ? value.map(port) : value);
const asMap = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : value;

const texts = pick<unknown>([{}, { a: 'x' }, { a: 'x', b: 'y' }, { a: 5 }, { a: null }, { a: 'xxxx' }, { b: '' }]);
const unknowns = pick<unknown>([{}, { a: 5 }, { a: null }, { a: null, b: null }, { a: {} }]);
const strings = IsString({ each: true });
const letters = listsOf(pick(['a', 'b', 'c', 'A']), 4);
const numbers = listsOf(pick([0, 1, 1.5, 2, 2.5, 3]), 4);
const smallInts = [IsInt({ each: true }), Min(0, { each: true }), Max(9, { each: true })];
const portList = [ValidateNested({ each: true }), IsObject({ each: true }), Type(() => Port)];
const never = { grade: 'not-expressible', accepts: 'nothing' } as const;

/** Cases of collections.ts. */
export const collectionCases = [
  ...casesOf('isArray', [
    '@IsArray() @IsString({ each: true })',
    [IsArray(), strings],
    oneOf(letters, anyJson, listsOf(anyJson, 2)),
  ]),
  ...casesOf('maxLength', [
    '@MaxLength(3, { each: true }) @IsObject() @Values(IsString(), Matches(/^[a-z]*$/))',
    [MaxLength(3, { each: true }), IsObject(), Values(IsString(), Matches(/^[a-z]*$/))],
    pick<unknown>([{}, { a: 'x' }, { a: 'xxxx' }, { a: 'x', b: 'xxxx' }]),
    { made: asMap },
  ]),
  ...casesOf('arrayNotEmpty', ['@ArrayNotEmpty()', [ArrayNotEmpty(), strings], letters]),
  ...casesOf(
    'arrayMinSize',
    ['@ArrayMinSize(2)', [ArrayMinSize(2), strings], letters],
    ['@ArrayMinSize(1.5)', [ArrayMinSize(1.5), strings], letters],
    ['@ArrayMinSize(NaN)', [ArrayMinSize(Number.NaN), strings], letters, never],
  ),
  ...casesOf(
    'arrayMaxSize',
    ['@ArrayMaxSize(2)', [ArrayMaxSize(2), strings], letters],
    ['@ArrayMaxSize(3) @ArrayMaxSize(2.5)', [ArrayMaxSize(3), ArrayMaxSize(2.5), strings], letters],
    ['@ArrayMaxSize(-1)', [ArrayMaxSize(-1), strings], letters, never],
  ),
  ...casesOf(
    'arrayContains',
    [
      "@ArrayContains(['a', 'b'])",
      [ArrayContains(['a', 'b']), ArrayMaxSize(9), strings, MaxLength(9, { each: true })],
      letters,
    ],
    ['@ArrayContains([1, 2.5])', [ArrayContains([1, 2.5]), IsNumber({}, { each: true }), ArrayMaxSize(9)], numbers],
    ["@ArrayContains(['a', 1])", [ArrayContains(['a', 1]), strings], letters, never],
  ),
  ...casesOf(
    'arrayNotContains',
    ["@ArrayNotContains(['a'])", [ArrayNotContains(['a']), strings], letters],
    ['@ArrayNotContains([1, 2.5])', [ArrayNotContains([1, 2.5]), IsNumber({}, { each: true })], numbers],
    ['@ArrayNotContains([1, 2.5]) of integers', [ArrayNotContains([1, 2.5]), ...smallInts], numbers],
  ),
  ...casesOf(
    'arrayUnique',
    ['@ArrayUnique()', [ArrayUnique(), strings], letters],
    ['@ArrayUnique() of numbers', [ArrayUnique(), IsNumber({}, { each: true })], numbers],
    [
      '@ArrayUnique((text) => text.toLowerCase())',
      [ArrayUnique((text: string) => text.toLowerCase()), strings],
      letters,
      'not-expressible',
    ],
    [
      '@ArrayUnique((port) => port.name) @Type(() => Port)',
      [ArrayUnique((one: Port) => one.name), ...portList],
      listsOf(goodPort, 3),
      { made: ports },
    ],
    [
      '@ArrayUnique((port) => port.port) @Type(() => Port)',
      [ArrayUnique((one: Port) => one.port), ...portList],
      listsOf(goodPort, 3),
      { made: ports, grade: 'not-expressible' },
    ],
    [
      '@ArrayUnique((port) => port.name || port.port) @Type(() => Port)',
      [ArrayUnique((one: Port) => one.name || one.port), ...portList],
      listsOf(goodPort, 3),
      { made: ports, grade: 'not-expressible' },
    ],
    [
      '@ArrayUnique() @Type(() => Port)',
      [ArrayUnique(), ...portList],
      oneOf(listsOf(goodPort, 3), pick(['a', 5])),
      { made: ports, grade: 'not-expressible' },
    ],
  ),
  ...casesOf(
    'isObject',
    ['@IsObject() @PreserveUnknownFields()', [IsObject(), PreserveUnknownFields()], oneOf(unknowns, anyJson)],
    ['@IsObject() @Values(IsInt())', [IsObject(), Values(IsInt())], oneOf(pick([{}, { a: 1 }]), pick(['a', 5, []]))],
  ),
  ...casesOf(
    'isNotEmptyObject',
    [
      '@IsNotEmptyObject() @Values(PreserveUnknownFields())',
      [IsNotEmptyObject(), Values(PreserveUnknownFields())],
      texts,
    ],
    [
      '@IsNotEmptyObject({ nullable: false }) @Values(PreserveUnknownFields())',
      [IsNotEmptyObject({ nullable: false }), Values(PreserveUnknownFields())],
      pick<unknown>([{}, { a: null }, { a: 'x' }, { a: null, b: 'x' }, []]),
    ],
    ['@IsNotEmptyObject() @PreserveUnknownFields()', [IsNotEmptyObject(), PreserveUnknownFields()], unknowns],
    [
      '@IsNotEmptyObject({ nullable: false }) @PreserveUnknownFields()',
      [IsNotEmptyObject({ nullable: false }), PreserveUnknownFields()],
      unknowns,
      'looser',
    ],
  ),
  ...casesOf('isInstance', [
    '@IsInstance(Port) @Type(() => Port)',
    [IsInstance(Port), Type(() => Port)],
    goodPort,
    { grade: 'not-expressible', accepts: 'nothing' },
  ]),
  ...casesOf(
    'nestedValidation',
    [
      '@ValidateNested() @IsObject() @Type(() => Port)',
      [ValidateNested(), IsObject(), Type(() => Port)],
      anyPort,
      { made: port },
    ],
    [
      '@ValidateNested({ each: true }) @IsObject({ each: true }) @IsArray() @Type(() => Port)',
      [IsArray(), ...portList],
      oneOf(listsOf(anyPort, 2), listsOf(goodPort, 3)),
      { made: ports },
    ],
  ),
];
