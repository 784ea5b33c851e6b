import type { AnyClass } from '@evenkeel/core';
import { findingText } from '../finding/finding.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import {
  Round,
  Square,
  Wrong,
  WrongArguments,
  WrongDefaults,
  WrongGroups,
  WrongPlaces,
  WrongUnions,
} from './decorator-mistakes.fixture.ts';
import { generateCustomResourceDefinitions } from './generate.ts';

const url = new URL('./decorator-mistakes.fixture.ts', import.meta.url).href;

describe('generateCustomResourceDefinitions() with invalid decorators', () => {
  let sources: ClassSources;
  beforeAll(async () => {
    sources = await ClassSources.read([url], {
      reader: new OxcSourceReader(),
      importModule: (module) => import(module),
    });
  });

  /** The errors of one class, one per line, with the line of the source. */
  async function errorsOf(...types: AnyClass[]): Promise<string[]> {
    const { findings, definitions } = await generateCustomResourceDefinitions([Wrong], { sources });
    expect(definitions).toEqual([]);
    return findings
      .filter(({ level, className }) => level === 'error' && types.some((type) => type.name === className))
      .map(
        (finding) =>
          `${finding.code} ${findingText(finding).replace(/^.*\/decorator-mistakes\.fixture\.ts:\d+: /, '')}`,
      );
  }

  it('reports each invalid argument, with the valid ones', async () => {
    expect(await errorsOf(WrongArguments)).toMatchInlineSnapshot(`
[
  "invalid-option WrongArguments.title: @Title() takes a string, not 3",
  "unknown-option WrongArguments.docs: @ExternalDocs(): unknown option "descripton"; did you mean "description"?",
  "invalid-option WrongArguments.docs: @ExternalDocs(): url "docs/page" is not a URL with a scheme",
  "invalid-option WrongArguments.time: @Format("datetime"): the API server does not know this format and would not enforce it; did you mean "date-time"?",
  "invalid-option WrongArguments.text: @Format("int64") is a format for integers, but this is a string",
  "invalid-option WrongArguments.empty: @Rule() takes a CEL expression as a string, not """,
  "unknown-option WrongArguments.rule: @Rule("self != \\"\\""): unknown option "mesage"; did you mean "message"?",
  "invalid-option WrongArguments.rule: @Rule("self != \\"\\""): reason "Invalid" is unknown; use one of FieldValueInvalid, FieldValueForbidden, FieldValueRequired, FieldValueDuplicate",
  "invalid-option WrongArguments.rule: @Rule("self != \\"\\""): optionalOldSelf 1 is not a boolean",
  "invalid-option WrongArguments.list: @ListType("list"): the list type must be "atomic", "set" or "map"",
  "invalid-option WrongArguments.set: @ListType("set") takes no keys; only "map" does",
  "invalid-option WrongArguments.keyless: @ListType("map") needs key properties: write @ListType("map", "name")",
  "invalid-option WrongArguments.keyed: @ListType("map", "nam"): Entry has no property "nam"; did you mean "name"?",
  "invalid-option WrongArguments.keyed: @ListType("map", "label"): Entry.label may be missing, but every item needs its key; make it required or give it a default",
  "invalid-option WrongArguments.keyed: @ListType("map", "nested"): Entry.nested is a list, but keys must be scalars",
  "invalid-option WrongArguments.keyed: @ListType("map") names "name" twice",
  "invalid-option WrongArguments.map: @MapType("fine"): the map type must be "atomic" or "granular"",
  "invalid-option WrongArguments.sized: @MinProperties() takes an integer of at least 0, not -1",
  "invalid-option WrongArguments.sized: @MaxProperties() takes an integer of at least 0, not 1.5",
  "invalid-option WrongArguments.number: @ExclusiveMinimum() takes a number, not "3"",
  "invalid-option WrongArguments.number: @MultipleOf() takes a number greater than 0, not 0",
  "invalid-option WrongArguments.whole: @MultipleOf() of an integer takes an integer, not 0.5",
  "invalid-option WrongArguments.tree: @Recursive() takes the number of levels, an integer of at least 0, not -1",
  "invalid-option WrongArguments.embedded: @EmbeddedResource(): the argument is not a class; if modules import each other in a cycle, write @EmbeddedResource(() => X)",
  "unknown-option WrongArguments.embedded: @EmbeddedResource(): unknown option "meta"; it takes metadata",
  "invalid-option WrongArguments.items: @Items(): IsString is not a decorator; write IsString()",
  "invalid-option WrongArguments.items: @Items(): "x" is not a decorator",
  "invalid-option WrongArguments.elements: its items: @Default() applies to a property, not to its elements; move it out of @Items() or @Values()",
  "conflicting-types WrongArguments.elements: its items: @MultipleOf() applies to numbers, but this is a string; for its elements use @Items() or @Values()",
  "invalid-option WrongArguments.values: its values: its items: @Title() takes a string, not 1",
  "unknown-option WrongArguments.raw: @Schema(): structural schemas do not have the keyword "minimun"; did you mean "minimum"?",
  "unknown-option WrongArguments.raw: @Schema(): in items: structural schemas do not have the keyword "$ref"",
  "invalid-option WrongArguments.yaml: @Schema() takes an object of keywords as JSON, not "type: string"",
  "invalid-option WrongArguments.example: @Example(): the value is not JSON; pass the value in its JSON form",
  "duplicate-declaration WrongArguments.twice: it has @Title() more than once; remove all but one",
]
`);
  });

  it('reports each decorator that does not apply to its property', async () => {
    expect(await errorsOf(WrongPlaces)).toMatchInlineSnapshot(`
[
  "decorator-without-class WrongPlaces.Symbol(hidden): its name is a symbol, so it is not part of any object; make it a named property, or remove its decorators",
  "decorator-without-class WrongPlaces.accessor: it is a method or an accessor, so it is not part of any object; make it a named property, or remove its decorators",
  "decorator-without-class WrongPlaces.method: it is a method or an accessor, so it is not part of any object; make it a named property, or remove its decorators",
  "decorator-without-class WrongPlaces.o: it is static, so it is not part of any object; make it a named property, or remove its decorators",
  "conflicting-types WrongPlaces.a: @ListType() applies to lists, but this is a string",
  "conflicting-types WrongPlaces.b: @MapType() applies to maps and objects, but this is a list; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.c: @MinProperties() applies to maps and objects, but this is a list; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.d: @MultipleOf() applies to numbers, but this is a string; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.e: @Format() applies to strings and numbers, but this is a boolean; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.quantity: @MultipleOf() applies to numbers, but this is a number or a string; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.f: @Items() applies to lists, but this is a map; for the values of a map use @Values()",
  "conflicting-types WrongPlaces.g: @Values() applies to maps, but this is a list; for the items of a list use @Items()",
  "conflicting-types WrongPlaces.h: @PreserveUnknownFields() applies to objects, but this is a string",
  "conflicting-types WrongPlaces.i: @Recursive() applies to recursive classes, but this is a string",
  "conflicting-types WrongPlaces.j: it is a boolean, but @IsQuantity() applies to a number or a string; change the type or the decorator",
  "conflicting-types WrongPlaces.k: @IsIntOrString() and @IsQuantity() name different types; remove all but one",
  "conflicting-types WrongPlaces.l: it is a number, but @IsDuration() applies to a string; change the type or the decorator",
  "conflicting-types WrongPlaces.m: @IsBoolean accepts only a boolean, but @IsIntOrString() applies to a number or a string; remove one of them",
  "conflicting-types WrongPlaces.n: @ListType("atomic") and @ArrayUnique(), which makes the list a "set", contradict each other; remove one of them",
]
`);
  });

  it('reports each invalid default', async () => {
    expect(await errorsOf(WrongDefaults)).toMatchInlineSnapshot(`
[
  "invalid-default WrongDefaults.differs: @Default(3) and its initialiser (4) are different; remove one of them",
  "invalid-default WrongDefaults.nothing: @Default(null) has no effect, because the API server drops null; remove it",
  "invalid-default WrongDefaults.date: @Default(): the value is not JSON; use strings, numbers, booleans, arrays and plain objects of these",
  "invalid-default WrongDefaults.random: its initialiser returns a different value each time, so it cannot be the default of the CRD; set it in the controller",
  "unknown-type WrongDefaults.map: objects are exactly their JSON, which has no Map; declare it as Record<string, X>",
  "invalid-default WrongDefaults.none: its initialiser is undefined, which is not a default; remove it, or write "?"",
]
`);
  });

  it('reports each group and union with invalid members', async () => {
    expect(await errorsOf(WrongGroups)).toMatchInlineSnapshot(`
[
  "invalid-option WrongGroups: @ExactlyOneOf() needs the names of at least two properties",
  "invalid-option WrongGroups: @AtMostOneOf(): WrongGroups has no property "tow"; did you mean "two"?",
  "invalid-option WrongGroups: @AtMostOneOf() names "two" twice",
  "invalid-option WrongGroups: @AtLeastOneOf(): WrongGroups.three is not optional, so it is always present; write "?" or add @IsOptional()",
  "invalid-option WrongGroups: @AtLeastOneOf(): WrongGroups.four has a default, so it is always present; remove the default",
  "invalid-option WrongGroups: @Union(): WrongGroups.kind selects the member, so it must not be optional; give it a default or remove "?"",
  "invalid-option WrongGroups: @Union(): WrongGroups has no property "missing"",
  "invalid-option WrongGroups: @Union() needs the member of each value: write @Union('type', { Http: 'http', None: undefined })",
  "invalid-option WrongGroups: @Rule() takes a CEL expression as a string, not 3",
  "invalid-option WrongGroups: @Title() takes a string, not null",
  "conflicting-types WrongGroups: @Union() and the values of "sort" differ: only one of them has "B"; list the same values",
  "conflicting-types WrongGroups: @Union() and the values of "kind2" differ: only one of them has "D"; list the same values",
]
`);
    expect(await errorsOf(WrongUnions, Round, Square)).toMatchInlineSnapshot(`
[
  "conflicting-types Round.width: variants "round" and "square" declare it differently, but a structural schema has one schema for each property; declare it in the same way, or rename one",
  "invalid-default Square.color: the API server would set its default in every variant, even in those that do not declare it; make it optional and set it in the controller",
  "transformed-property WrongUnions.empty: @Type() with this discriminator is not supported: pass { property: 'type', subTypes: [{ value: A, name: 'a' }, ...] } with the class and the value of each variant",
]
`);
  });

  it('reports all errors at once, each with its line', async () => {
    const { findings } = await generateCustomResourceDefinitions([Wrong], { sources });
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.filter(({ location }) => location === undefined)).toEqual([]);
    expect(new Set(errors.map(({ className }) => className)).size).toBeGreaterThan(5);
  });
});
