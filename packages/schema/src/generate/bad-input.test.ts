import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finding, findingText } from '../finding/finding.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { customResourcesIn, generateCustomResourceDefinitions } from './generate.ts';

const url = new URL('./bad-input.fixture.ts', import.meta.url).href;
const folder = fileURLToPath(new URL('.', import.meta.url));

/** A finding as a user sees it, with its code, and paths relative to this folder. */
function textOf(finding: Finding): string {
  const short = <T extends Finding['location']>(place: T): T =>
    place === undefined ? place : { ...place, file: relative(folder, place.file) };
  const { location, related } = finding;
  const text = findingText({
    ...finding,
    ...(location === undefined ? {} : { location: short(location) }),
    ...(related === undefined ? {} : { related: short(related) }),
  });
  return `${finding.level} ${finding.code}: ${text}`;
}

describe('generateCustomResourceDefinitions() with bad input', () => {
  let findings: readonly Finding[];
  beforeAll(async () => {
    const sources = await ClassSources.read([url], { reader: new OxcSourceReader(), importModule: (it) => import(it) });
    const classes = customResourcesIn(await import(url));
    const generation = await generateCustomResourceDefinitions(classes, { sources });
    expect(generation.definitions).toEqual([]);
    findings = generation.findings;
  });

  it('reports all errors at once, each with its class, property, file, line and fix', () => {
    expect(findings.map(textOf)).toMatchInlineSnapshot(`
[
  "error class-not-constructible: bad-input.fixture.ts:7: Fragile.name: new Fragile() threw "Cannot read properties of undefined (reading 'name')"; its initialisers must not need arguments, the network or the time",
  "error invalid-default: bad-input.fixture.ts:11: Port.port: its default 0 violates its own schema: should be greater than or equal to 1; change the default, or the type and the decorators of the property",
  "notice inexact-constraint: bad-input.fixture.ts:16: BadSpec.tags: its declared type is not in the schema: its type allows any value; use string, number, boolean, a union of literals, an array, Record<string, X> or a class, or add @PreserveUnknownFields() to keep whatever is sent",
  "error unknown-type: bad-input.fixture.ts:16: BadSpec.tags: the type of its elements is unknown; declare it in TypeScript that the generator can find, or add a decorator for it: @IsString(), @IsInt(), @Type(() => X), ...",
  "notice inexact-constraint: bad-input.fixture.ts:17: BadSpec.size: @IsInt is in the schema, which accepts less: JavaScript cannot represent integers beyond 2^53 - 1 exactly; set bounds with @Min() and @Max()",
  "error invalid-default: bad-input.fixture.ts:17: BadSpec.size: its default 10 violates its own schema: should be less than or equal to 5; change the default, or the type and the decorators of the property",
  "error untranslatable-expression: bad-input.fixture.ts:18: BadSpec.code: @Matches: RE2 has no lookbehind; rewrite the expression (several @Matches() must all match, @NotContains() and @Rule() exclude values), or check it only in the operator with @ValidateBy()",
  "error invalid-default: bad-input.fixture.ts:19: BadSpec.id: its initialiser returns a different value each time, so it cannot be the default of the CRD; set it in the controller",
  "error invalid-default: bad-input.fixture.ts:20: BadSpec.missing: its initialiser is undefined, which is not a default; remove it, or write "?"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @Scale: specReplicasPath "spec.size" must be dot-separated names below .spec, such as ".spec.replicas"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @Scale: statusReplicasPath ".spec.size" must be dot-separated names below .status, such as ".status.replicas"",
  "error unknown-option: bad-input.fixture.ts:49: Bad: @CustomResource: unknown option "shortname"; did you mean "shortNames"?",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: group 5 must be a lower-case DNS name with a dot, such as "web.example.com"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: version "V1" must be a lower-case DNS label, such as "v1alpha1"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: kind "bad" must be one word in CamelCase of at most 63 characters, such as "Nginx"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: plural ["bads"] must be a lower-case DNS label, such as "nginxes"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: the warning in deprecated must be <= 256 characters long",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: labels {"team":5} must be an object with string values, such as { team: "web" }",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: annotations ["owner"] must be an object with string values, such as { "example.com/owner": "web" }",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: scope "namespaced" must be "Namespaced" or "Cluster"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: shortNames "b" must be a list of lower-case DNS labels, such as ["ng"]",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: categories ["All"] must be a list of lower-case DNS labels, such as ["all"]",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: storage "yes" must be true or false",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @CustomResource: served 1 must be true or false",
  "error unknown-option: bad-input.fixture.ts:49: Bad: @PrinterColumn "Size": unknown option "prority"; did you mean "priority"?",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @PrinterColumn "Size": type "int" must be "integer", "number", "string", "boolean" or "date"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @PrinterColumn "Open": jsonPath ".spec.tags[" is invalid: unterminated array; fix it, because the API server accepts it, but "kubectl get" then omits this column and all columns after it",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @PrinterColumn: takes an object of options, not "Name"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @SelectableField("spec.color"): the path must be dot-separated names, such as ".spec.color"",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @SelectableField(".metadata.uid"): fields of metadata cannot be selected; put the value in spec or status",
  "notice empty-column: bad-input.fixture.ts:49: Bad: @PrinterColumn "Lost": .spec.sise leads to no property: there is no property "sise"; did you mean "size"?; the column will be empty",
  "error invalid-option: bad-input.fixture.ts:49: Bad: @SelectableField('.spec.colour') leads to no property: there is no property "colour"",
  "error decorator-without-class: bad-input.fixture.ts:51: Bad.state: @Status() is only for the property status; rename this property, or remove the decorator",
  "error duplicate-declaration: bad-input.fixture.ts:58: SecondTwin: FirstTwin declares Twin of example.com/v1 too; give one of them another version or kind, or list only one (see bad-input.fixture.ts:55)",
]
`);
  });

  it('leaves no double space in a message if a part is missing', () => {
    expect(findings.map(findingText).filter((text) => / {2}/.test(text))).toEqual([]);
  });
});
