import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { readSources } from '../source/read-sources.ts';
import { classValidator } from '../validator/class-validator.ts';
import { Unchecked } from './unchecked.fixture.ts';

const file = new URL('./unchecked.fixture.ts', import.meta.url).href;

describe('uncheckedDecorators', () => {
  it('reports only decorators that are never checked, once each, at the property that leads to them', async () => {
    const { findings } = await generateCustomResourceDefinitions([Unchecked], await readSources(file));
    const texts = findings.map(
      (finding) => `${finding.level} ${findingText({ ...finding, location: undefined } as never)}`,
    );
    expect(texts.filter((text) => text.includes('never checked') || text.startsWith('error'))).toMatchInlineSnapshot(`
[
  "notice Inner.unknown: the decorators of Deep that the schema cannot express (count: @IsOdd) are never checked; add @ValidateNested() and @Type(() => Deep)",
  "notice UncheckedSpec.inner: the decorators of Inner that the schema cannot express (known.count: @IsOdd, x: @IsOdd, y: @ValidateIf) are never checked; add @ValidateNested() and @Type(() => Inner)",
  "notice UncheckedSpec.optional: the decorators of Inner that the schema cannot express (known.count: @IsOdd, x: @IsOdd, y: @ValidateIf) are never checked; add @ValidateNested() and @Type(() => Inner)",
  "notice UncheckedSpec.list: the decorators of Inner that the schema cannot express (known.count: @IsOdd, x: @IsOdd, y: @ValidateIf) are never checked; add @ValidateNested({ each: true }) and @Type(() => Inner)",
  "notice UncheckedSpec.map: the decorators of Inner that the schema cannot express (known.count: @IsOdd, x: @IsOdd, y: @ValidateIf) are never checked; add @ValidateNested({ each: true }) and @Type(() => Inner)",
  "notice UncheckedSpec.partial: the decorators of Inner that the schema cannot express (known.count: @IsOdd, x: @IsOdd, y: @ValidateIf) are never checked; add @ValidateNested() and @Type(() => Inner)",
  "notice UncheckedSpec.written: the decorators of Written that the schema cannot express (inner.known.count: @IsOdd, inner.x: @IsOdd, inner.y: @ValidateIf) are never checked; declare it as a class, and add @ValidateNested() and @Type(() => TheClass)",
  "notice UncheckedSpec.either: the decorators of Post | Drone that the schema cannot express (code: @IsOdd) are never checked; give the classes a common base, and add @ValidateNested() and @Type(() => Base, { discriminator })",
  "notice UncheckedSpec.unmarkedMap: the decorators of Deep that the schema cannot express (count: @IsOdd) are never checked; add @ValidateNested({ each: true }) and @Type(() => Deep)",
]
`);
  });

  it('reports the decorators that classValidator() does not reach', () => {
    const inner = { x: 2, known: { count: 1 } };
    const wrong = {
      ...{ inner, list: [inner], map: { a: [inner] }, partial: inner, written: { inner }, either: { code: 2 } },
      unmarkedMap: { a: { count: 2 } },
    };
    const reached = {
      ...{ recorded: inner, marked: inner, markedList: [inner], markedMap: { a: inner }, items: [inner] },
      values: { a: [inner] },
    };
    const findings = (spec: object): string[] => {
      const object = { apiVersion: 'example.com/v1', kind: 'Unchecked', metadata: {}, spec };
      Object.setPrototypeOf(object, Unchecked.prototype);
      return classValidator()
        .validate(object as Unchecked)
        .map(({ path }) => path);
    };
    expect(findings(wrong)).toEqual([]);
    expect(findings(reached).sort()).toEqual([
      'spec.items[0].x',
      'spec.marked.x',
      'spec.markedList[0].x',
      'spec.markedMap.a.x',
      'spec.recorded.x',
      'spec.values.a[0].x',
    ]);
  });
});
