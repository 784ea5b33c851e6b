import { SeededRandom } from '@evenkeel/core';
import * as decorators from 'class-validator';
import { schemaOfClass } from '../crd/schema-of-class.ts';
import { compileSchema } from '../evaluate/compiled-schema.ts';
import type { Finding } from '../finding.ts';
import { readApiClass } from '../model/read-api-class.ts';
import { ClassSources } from '../source/class-sources.ts';
import { constraintNames } from './constraint-table.ts';

const { ArrayContains, ArrayMaxSize, ArrayMinSize, ArrayNotContains, ArrayNotEmpty, ArrayUnique } = decorators;
const { Contains, Equals, IsAlpha, IsAlphanumeric, IsArray, IsAscii, IsBase64, IsBoolean, IsByteLength } = decorators;
const { IsDateString, IsDefined, IsDivisibleBy, IsEmail, IsEmpty, IsEnum, IsFQDN, IsHexadecimal, IsHexColor } =
  decorators;
const { IsIn, IsInt, IsIP, IsJSON, IsMilitaryTime, IsNegative, IsNotEmpty, IsNotIn, IsNumber, IsNumberString } =
  decorators;
const { IsOptional, IsPort, IsPositive, IsRFC3339, IsSemVer, IsString, IsUrl, IsUUID, Length, Matches, Max } =
  decorators;
const { MaxLength, Min, MinLength, NotContains, NotEquals, Allow, IsISO8601 } = decorators;

const seed = Date.now() % 1_000_000;

const texts = [
  '',
  ' ',
  'a',
  'ab',
  'abc',
  'abcdef',
  'banana',
  'Hello World',
  'grün',
  '😀😀',
  '0',
  '-0',
  '+80',
  '80',
  '65535',
  '65536',
  '00',
  '1.5',
  '.5',
  '-1',
  '127.0.0.1',
  '256.1.1.1',
  '01.2.3.4',
  '::1',
  '::',
  'fe80::1%eth0',
  '2001:db8:0:0:1:0:0:1',
  '::ffff:1.2.3.4',
  '1::2::3',
  '12345::',
  'example.com',
  'a-b.example.com',
  '-a.example.com',
  'example',
  'xn--bcher-kva.xn--p1ai',
  'example.com.',
  'x_y.example.com',
  'user@example.com',
  'https://example.com/x?y=1',
  '#fff',
  'fff',
  '#12345678',
  '0xfF',
  '550e8400-e29b-41d4-a716-446655440000',
  '550E8400-E29B-11D4-A716-446655440000',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '1.2.3',
  '1.2.3-alpha.1+build.5',
  '01.2.3',
  '1.2.3-01',
  'aGVsbG8=',
  'aGVsbG8',
  'aA==',
  '2026-11-21T12:00:00Z',
  '2026-11-21 12:00:60.5+01:00',
  '2026-11-21t12:00:00z',
  '2026-13-21T12:00:00Z',
  '2026',
  '23:59',
  '2359',
  '24:00',
  '{"a":1}',
  'lru',
];
const numbers = [0, 1, 2, 3, 5, 9, 10, 11, 50, 51, -1, -5, 0.5, 0.25, 1.5, -0.5, 10.5, 100, Number.MAX_SAFE_INTEGER];
const lists = [[], ['a'], ['b'], ['a', 'b'], ['a', 'a'], ['a', 'b', 'c'], ['c', 'b'], ['a', 'b', 'c', 'd']];

/** Known texts, and the same with a character changed, added or taken out. */
function textsToTry(): string[] {
  const random = new SeededRandom(seed);
  const characters = [...'abfzABFZ0159.:-_+#%@/ =\n', 'é'];
  const changed = texts.flatMap((text) =>
    Array.from({ length: 15 }, () => {
      const letters = [...text];
      const at = random.integer(letters.length + 1);
      const added = characters[random.integer(characters.length)] ?? '';
      letters.splice(at, random.integer(2), ...(random.integer(3) === 0 ? [] : [added]));
      return letters.join('');
    }),
  );
  return [...texts, ...changed];
}

enum Eviction {
  Lru = 'lru',
  Lfu = 'lfu',
}
enum Level {
  Low = 1,
  High = 2,
}

/** The decorators that a case is about, and one that says the type where they do not. */
const cases: readonly (readonly [string, readonly PropertyDecorator[], readonly unknown[]])[] = [
  ['isString', [IsString()], ['', 'a']],
  ['isInt', [IsInt()], numbers],
  ['isNumber', [IsNumber()], numbers],
  ['isBoolean', [IsBoolean()], [true, false]],
  ['min', [IsInt(), Min(2)], numbers],
  ['min, fraction', [IsNumber(), Min(0.5)], numbers],
  ['min, fraction of an integer', [IsInt(), Min(1.5)], numbers],
  ['max', [IsNumber(), Max(10)], numbers],
  ['max, fraction', [IsNumber(), Max(10.5), Min(0)], numbers],
  ['isPositive', [IsPositive()], numbers],
  ['isPositive and min', [IsPositive(), Min(-5)], numbers],
  ['isNegative', [IsNegative()], numbers],
  ['isDivisibleBy', [IsInt(), IsDivisibleBy(5)], numbers],
  ['isLength', [Length(2, 5)], textsToTry()],
  ['minLength', [MinLength(3)], textsToTry()],
  ['maxLength', [MaxLength(3)], textsToTry()],
  ['isByteLength', [IsByteLength(2, 5)], textsToTry()],
  ['matches', [Matches(/^[a-z]\w*$/i)], textsToTry()],
  ['matches, text', [Matches('^[a-c]+$', 'i')], textsToTry()],
  ['two matches', [Matches(/a/), Matches(/n/)], textsToTry()],
  ['contains', [Contains('.')], textsToTry()],
  ['notContains', [NotContains('.')], textsToTry()],
  ['isIn', [IsIn(['a', 'b', 'abc'])], textsToTry()],
  ['isNotIn', [IsString(), IsNotIn(['a', 'b'])], textsToTry()],
  ['equals', [Equals('a')], textsToTry()],
  ['notEquals', [IsString(), NotEquals('a')], textsToTry()],
  ['isEnum', [IsEnum(Eviction)], ['lru', 'Lru', 'lfu', '']],
  ['isEnum, numeric', [IsEnum(Level)], [0, 1, 2, 3]],
  ['isIn and isNotIn', [IsIn(['a', 'b', 'c']), IsNotIn(['a'])], ['a', 'b', 'c', 'd']],
  ['isNotEmpty', [IsString(), IsNotEmpty()], textsToTry()],
  ['isEmpty', [IsString(), IsEmpty()], ['', 'a']],
  ['isDefined', [IsString(), IsDefined()], [undefined, '', 'a']],
  ['isOptional', [IsOptional(), IsString()], [undefined, 'a']],
  ['allow', [Allow(), IsString()], [undefined, 'a']],
  ['isArray', [IsArray(), IsString({ each: true })], lists],
  ['arrayNotEmpty', [ArrayNotEmpty(), IsString({ each: true })], lists],
  ['arrayMinSize', [ArrayMinSize(2), IsString({ each: true })], lists],
  ['arrayMaxSize', [ArrayMaxSize(2), IsString({ each: true })], lists],
  ['arrayContains', [ArrayContains(['a', 'b']), ArrayMaxSize(9), MaxLength(9, { each: true })], lists],
  ['arrayNotContains', [ArrayNotContains(['a']), IsString({ each: true })], lists],
  ['arrayUnique', [ArrayUnique(), IsString({ each: true })], lists],
  ['isPort', [IsPort()], textsToTry()],
  ['isIp', [IsIP()], textsToTry()],
  ['isIp, 4', [IsIP('4')], textsToTry()],
  ['isIp, 6', [IsIP('6')], textsToTry()],
  ['isFqdn', [IsFQDN()], textsToTry()],
  ['isEmail', [IsEmail()], textsToTry()],
  ['isUrl', [IsUrl()], textsToTry()],
  ['isUuid', [IsUUID()], textsToTry()],
  ['isUuid, 4', [IsUUID('4')], textsToTry()],
  ['isHexColor', [IsHexColor()], textsToTry()],
  ['isHexadecimal', [IsHexadecimal()], textsToTry()],
  ['isSemVer', [IsSemVer()], textsToTry()],
  ['isBase64', [IsBase64()], textsToTry()],
  ['isAlpha', [IsAlpha()], textsToTry()],
  ['isAlphanumeric', [IsAlphanumeric()], textsToTry()],
  ['isAscii', [IsAscii()], textsToTry()],
  ['isNumberString', [IsNumberString()], textsToTry()],
  ['isMilitaryTime', [IsMilitaryTime()], textsToTry()],
  ['isRFC3339', [IsRFC3339()], textsToTry()],
  ['isDateString', [IsDateString()], textsToTry()],
  ['isIso8601', [IsISO8601()], textsToTry()],
  ['isJson', [IsJSON()], textsToTry()],
];

describe('constraints against the validator itself', () => {
  it.each(cases)('%s', (_name, applied, values) => {
    class Sample {}
    for (const decorate of applied) decorate(Sample.prototype, 'value');
    const findings: Finding[] = [];
    const schema = compileSchema(schemaOfClass(readApiClass(Sample, new ClassSources(), findings), findings));
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    const isLooser = findings.some(({ message }) => /accepts more|is not in the schema/.test(message));
    const isStricter = findings.some(({ message }) => message.includes('accepts less'));

    let accepted = 0;
    for (const value of values) {
      const byValidator = decorators.validateSync(Object.assign(new Sample(), { value })).length === 0;
      const bySchema = schema.validate(value === undefined ? {} : { value }).length === 0;
      if (byValidator) accepted++;
      if (byValidator === bySchema || (bySchema && isLooser) || (byValidator && isStricter)) continue;
      throw new Error(
        `seed ${seed}: the validator ${byValidator ? 'accepts' : 'refuses'} ${JSON.stringify(value)}, the schema does not: ${JSON.stringify(schema.schema)}`,
      );
    }
    expect(accepted).toBeGreaterThan(0);
  });

  it('has a case for every rule that writes a schema', () => {
    const tried = new Set(cases.map(([name]) => name.split(',')[0]));
    // These are about objects, and are tested with whole classes.
    const elsewhere = ['isObject', 'isNotEmptyObject', 'isInstance', 'nestedValidation', 'promiseValidation'];
    expect(constraintNames().filter((name) => !tried.has(name) && !elsewhere.includes(name))).toEqual([]);
  });
});
