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

describe('mistakes with the decorators of schemas', () => {
  let sources: ClassSources;
  beforeAll(async () => {
    sources = await ClassSources.read([url], {
      reader: new OxcSourceReader(),
      importModule: (module) => import(module),
    });
  });

  /** The errors about one class, in a line each, with the line of the source. */
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

  it('names each wrong argument, with what is meant', async () => {
    expect(await errorsOf(WrongArguments)).toMatchInlineSnapshot(`
[
  "invalid-option WrongArguments.title: @Title() takes a string, not 3",
  "unknown-option WrongArguments.docs: @ExternalDocs(): unknown option "descripton"; did you mean "description"?",
  "invalid-option WrongArguments.docs: @ExternalDocs(): url "docs/page" is no URL with a scheme",
  "invalid-option WrongArguments.time: @Format("datetime"): the API server knows no such format and would not enforce it; did you mean "date-time"?",
  "invalid-option WrongArguments.text: @Format("int64") is a format of integers, and this is a string",
  "invalid-option WrongArguments.empty: @Rule() takes a CEL expression as a string, not """,
  "unknown-option WrongArguments.rule: @Rule("self != \\"\\""): unknown option "mesage"; did you mean "message"?",
  "invalid-option WrongArguments.rule: @Rule("self != \\"\\""): reason "Invalid" is not known; it is one of FieldValueInvalid, FieldValueForbidden, FieldValueRequired, FieldValueDuplicate",
  "invalid-option WrongArguments.rule: @Rule("self != \\"\\""): optionalOldSelf 1 is no boolean",
  "invalid-option WrongArguments.list: @ListType("list"): it is "atomic", "set" or "map"",
  "invalid-option WrongArguments.set: @ListType("set") takes no keys; only "map" does",
  "invalid-option WrongArguments.keyless: @ListType("map") names the properties that tell items apart: @ListType("map", "name")",
  "invalid-option WrongArguments.keyed: @ListType("map", "nam"): Entry has no property "nam"; did you mean "name"?",
  "invalid-option WrongArguments.keyed: @ListType("map", "label"): Entry.label may be missing, and items without a key could not be told apart; make it required or give it a default",
  "invalid-option WrongArguments.keyed: @ListType("map", "nested"): Entry.nested is a list, and keys are scalars",
  "invalid-option WrongArguments.keyed: @ListType("map") names "name" twice",
  "invalid-option WrongArguments.map: @MapType("fine"): it is "atomic" or "granular"",
  "invalid-option WrongArguments.sized: @MinProperties() takes a whole number from 0 on, not -1",
  "invalid-option WrongArguments.sized: @MaxProperties() takes a whole number from 0 on, not 1.5",
  "invalid-option WrongArguments.number: @ExclusiveMinimum() takes a number, not "3"",
  "invalid-option WrongArguments.number: @MultipleOf() takes a number greater than 0, not 0",
  "invalid-option WrongArguments.whole: @MultipleOf() of an integer takes a whole number, not 0.5",
  "invalid-option WrongArguments.tree: @Recursive() takes a whole number of levels from 0 on, not -1",
  "invalid-option WrongArguments.embedded: @EmbeddedResource() was given something else than a class; if modules import one another in a circle, write @EmbeddedResource(() => X)",
  "unknown-option WrongArguments.embedded: @EmbeddedResource(): unknown option "meta"; it takes metadata",
  "invalid-option WrongArguments.items: @Items() was given IsString, which is no decorator; write IsString()",
  "invalid-option WrongArguments.items: @Items() was given "x", which is no decorator",
  "invalid-option WrongArguments.elements: its items: @Default() is about a property, not about elements; move it out of @Items() or @Values()",
  "conflicting-types WrongArguments.elements: its items: @MultipleOf() is about numbers, and this is a string; for its elements use @Items() or @Values()",
  "invalid-option WrongArguments.values: its values: its items: @Title() takes a string, not 1",
  "unknown-option WrongArguments.raw: @Schema(): no structural schema has the keyword "minimun"; did you mean "minimum"?",
  "unknown-option WrongArguments.raw: @Schema(): in items: no structural schema has the keyword "$ref"",
  "invalid-option WrongArguments.yaml: @Schema() takes an object of keywords as JSON, not "type: string"",
  "invalid-option WrongArguments.example: @Example() was given what is not JSON; give it the value as it is sent",
  "duplicate-declaration WrongArguments.twice: it has @Title() more than once; remove all but one",
]
`);
  });

  it('names each decorator that does not fit its property', async () => {
    expect(await errorsOf(WrongPlaces)).toMatchInlineSnapshot(`
[
  "decorator-without-class WrongPlaces.Symbol(hidden): a symbol names it, so that no object has it; make it a property with a name, or remove its decorators",
  "decorator-without-class WrongPlaces.accessor: it is a method or an accessor, so that no object has it; make it a property with a name, or remove its decorators",
  "decorator-without-class WrongPlaces.method: it is a method or an accessor, so that no object has it; make it a property with a name, or remove its decorators",
  "decorator-without-class WrongPlaces.o: it is static, so that no object has it; make it a property with a name, or remove its decorators",
  "conflicting-types WrongPlaces.a: @ListType() is about lists, and this is a string",
  "conflicting-types WrongPlaces.b: @MapType() is about maps and objects, and this is a list; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.c: @MinProperties() is about maps and objects, and this is a list; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.d: @MultipleOf() is about numbers, and this is a string; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.e: @Format() is about strings and numbers, and this is a boolean; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.quantity: @MultipleOf() is about numbers, and this is a number or a string; for its elements use @Items() or @Values()",
  "conflicting-types WrongPlaces.f: @Items() is about lists, and this is a map; for the values of a map use @Values()",
  "conflicting-types WrongPlaces.g: @Values() is about maps, and this is a list; for the items of a list use @Items()",
  "conflicting-types WrongPlaces.h: @PreserveUnknownFields() is about objects, and this is a string",
  "conflicting-types WrongPlaces.i: @Recursive() is about classes that contain themselves, and this is a string",
  "conflicting-types WrongPlaces.j: it is a boolean, but @IsQuantity() is about a number or a string; change the type or the decorator",
  "conflicting-types WrongPlaces.k: @IsIntOrString() and @IsQuantity() name different types; remove all but one",
  "conflicting-types WrongPlaces.l: it is a number, but @IsDuration() is about a string; change the type or the decorator",
  "conflicting-types WrongPlaces.m: @IsBoolean accepts only a boolean, but @IsIntOrString() is about a number or a string; remove one of them",
  "conflicting-types WrongPlaces.n: @ListType("atomic") and @ArrayUnique(), which makes the list a "set", contradict each other; remove one of them",
]
`);
  });

  it('names each default that cannot be', async () => {
    expect(await errorsOf(WrongDefaults)).toMatchInlineSnapshot(`
[
  "invalid-default WrongDefaults.differs: @Default(3) and its initialiser (4) say different things; remove one of them",
  "invalid-default WrongDefaults.nothing: @Default(null) is no default, the API server leaves it out; remove it",
  "invalid-default WrongDefaults.date: @Default() was given what cannot be sent as JSON; give it strings, numbers, booleans, arrays and plain objects of them",
  "invalid-default WrongDefaults.random: its initialiser gives another value each time, so it cannot be the default of the CRD; set it in the controller",
  "invalid-default WrongDefaults.map: its initialiser gives what cannot be sent as JSON, so it cannot be the default of the CRD; use strings, numbers, booleans, arrays and classes of them, and leave out what has no value",
  "unknown-type WrongDefaults.map: objects are the JSON on the wire, which has no Map; declare it as Record<string, X>",
  "invalid-default WrongDefaults.none: its initialiser gives undefined, which says nothing; remove it, or write "?"",
]
`);
  });

  it('names each group and union whose members do not fit', async () => {
    expect(await errorsOf(WrongGroups)).toMatchInlineSnapshot(`
[
  "invalid-option WrongGroups: @ExactlyOneOf() names two properties or more",
  "invalid-option WrongGroups: @AtMostOneOf(): WrongGroups has no property "tow"; did you mean "two"?",
  "invalid-option WrongGroups: @AtMostOneOf() names "two" twice",
  "invalid-option WrongGroups: @AtLeastOneOf(): WrongGroups.three is not optional, so it is always there; write "?" or add @IsOptional()",
  "invalid-option WrongGroups: @AtLeastOneOf(): WrongGroups.four has a default, so it is always there; remove the default",
  "invalid-option WrongGroups: @Union(): WrongGroups.kind says which member is there, so it must not be optional; give it a default or remove "?"",
  "invalid-option WrongGroups: @Union(): WrongGroups has no property "missing"",
  "invalid-option WrongGroups: @Union() names the member of each value: @Union('type', { Http: 'http', None: undefined })",
  "invalid-option WrongGroups: @Rule() takes a CEL expression as a string, not 3",
  "invalid-option WrongGroups: @Title() takes a string, not null",
  "conflicting-types WrongGroups: @Union() and what is said of "sort" list different values: only one of them has "B"",
  "conflicting-types WrongGroups: @Union() and what is said of "kind2" list different values: only one of them has "D"",
]
`);
    expect(await errorsOf(WrongUnions, Round, Square)).toMatchInlineSnapshot(`
[
  "conflicting-types Round.width: variants "round" and "square" declare it differently, but a structural schema has one schema for each property; declare it alike or rename one",
  "invalid-default Square.color: the API server would set its default in every variant, also in those without it; make it optional and set it in the controller",
  "transformed-property WrongUnions.empty: @Type() with this discriminator is not supported: give it { property: 'type', subTypes: [{ value: A, name: 'a' }, ...] } with the class and the value of each variant",
]
`);
  });

  it('tells them all at once, each with its line', async () => {
    const { findings } = await generateCustomResourceDefinitions([Wrong], { sources });
    const errors = findings.filter(({ level }) => level === 'error');
    expect(errors.filter(({ location }) => location === undefined)).toEqual([]);
    expect(new Set(errors.map(({ className }) => className)).size).toBeGreaterThan(5);
  });
});
