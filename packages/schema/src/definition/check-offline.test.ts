import type { AnyClass } from '@evenkeel/core';
import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import {
  AlsoLargeSized,
  CostlyRules,
  LargeSized,
  LimitedRules,
  OtherLargeSized,
  Protected,
  SelectedV1,
  SelectedV2,
  SmallSized,
  WrongRules,
  WrongSchema,
} from './refused-classes.fixture.ts';

async function errorsOf(...types: AnyClass[]): Promise<string[]> {
  const { findings, definitions } = await generateCustomResourceDefinitions(types);
  const errors = findings.filter(({ level }) => level === 'error');
  expect(definitions.length > 0).toBe(errors.length === 0);
  return errors.map((finding) => `${finding.code}: ${findingText(finding)}`);
}

describe('checkOffline', () => {
  it('reports an invalid rule with the class or property that has its decorator, and the position in the rule', async () => {
    expect(await errorsOf(WrongRules)).toMatchInlineSnapshot(`
[
  "invalid-rule: Ruled: @Rule "self.name.startsWith(\\"a\\"" does not compile: Syntax error: missing ')' at '<EOF>' (at character 25)",
  "invalid-rule: Ruled: @Rule "self.size" does not compile: cel expression must evaluate to a bool; compare it with something, such as "self.size > 0"",
  "invalid-rule: Ruled.alias: @Rule "self == \\"a\\"": Invalid value: true: may not be set if oldSelf is not used in rule; remove optionalOldSelf, or use oldSelf in the rule",
  "invalid-rule: Ruled.count: the messageExpression of @Rule "self > 0" does not compile: messageExpression must evaluate to a string; convert it with string(...)",
  "invalid-rule: Ruled.name: @Rule "self.size() > oldSlef.size()" does not compile: undeclared reference to 'oldSlef' (at character 15); did you mean "oldSelf"?",
  "invalid-option: Ruled.size: @Rule("self > 0"): reason "Wrong" is unknown; use one of FieldValueInvalid, FieldValueForbidden, FieldValueRequired, FieldValueDuplicate",
  "invalid-rule: RuledTls: @Rule "self.kert != \\"\\"" does not compile: undefined field 'kert' (at character 5); did you mean "cert"?",
]
`);
  });

  it('reports an expensive rule with the limits that would be enough', async () => {
    expect(await errorsOf(LimitedRules)).toEqual([]);
    expect(await errorsOf(CostlyRules)).toMatchInlineSnapshot(`
[
  "expensive-rule: Costly: @Rule "self.hosts.all(a, self.hosts.exists_one(b, a.name == b.name))" costs more than 100 times what the API server allows one rule; limit the values that it reads (@ArrayMaxSize(200) on Costly.hosts, @MaxLength(200) on Host.name), or simplify it",
  "expensive-rule: Host.name: @Rule "self.matches(\\"^[a-z]+$\\")" costs more than 100 times what the API server allows one rule; limit the values that it reads (@ArrayMaxSize(2000) on Costly.hosts, @MaxLength(2000) on Host.name), or simplify it",
]
`);
  });

  it('reports each property with the fix, even if one error hides another', async () => {
    expect(await errorsOf(WrongSchema)).toMatchInlineSnapshot(`
[
  "invalid-default: Wrong.main: its default {"port":0,"protocol":"TCP"} violates its own schema: must not have unknown fields; remove the undeclared fields from the default",
  "invalid-default: Wrong.main: its default {"port":0,"protocol":"TCP"} violates its own schema: port should be greater than or equal to 1; change the default, or the type and the decorators of the property",
  "invalid-rule: Wrong.name: @Rule "slef == \\"a\\"" does not compile: undeclared reference to 'slef' (at character 1); did you mean "self"?",
  "invalid-option: Wrong.others: @ListType("map", "nmae"): Port has no property "nmae"; did you mean "name"?",
  "invalid-option: Wrong.ports: @ListType("map", "name"): Port.name may be missing, but every item needs its key; make it required or give it a default",
  "invalid-default: Wrong.size: its default "three" violates its own schema: must be of type integer; change the default, or the type and the decorators of the property",
  "unknown-option: Wrong.tags: @Schema(): structural schemas do not have the keyword "uniqueItems"",
]
`);
  });

  it('reports an error with the class of its version, and once if versions share the class', async () => {
    const error = expect.stringMatching(
      /^invalid-default: Large\.size: its default 6 violates its own schema: should be less than or equal to 5/,
    );
    expect(await errorsOf(LargeSized, SmallSized)).toEqual([error]);
    expect(await errorsOf(LargeSized, SmallSized, AlsoLargeSized)).toEqual([error]);
    expect(await errorsOf(LargeSized, OtherLargeSized)).toEqual([
      error,
      expect.stringMatching(/^invalid-default: OtherLarge\.size: /),
    ]);
  });

  it('reports selectable fields that differ between versions with equal schemas', async () => {
    expect(await errorsOf(SelectedV2, SelectedV1)).toMatchInlineSnapshot(`
[
  "refused-by-api-server: SelectedV2: the API server would reject the CRD: Invalid value: "": may only be set when \`version.schema.openAPIV3Schema\` is not included (spec.versions[0].selectableFields); versions whose schemas are the same must have the same @SelectableField in each class, in the same order; a JSDoc comment on one of the classes makes the schemas differ",
]
`);
    expect(await errorsOf(SelectedV2)).toEqual([]);
  });

  it('reports an error about the group with the class', async () => {
    expect(await errorsOf(Protected)).toMatchInlineSnapshot(`
[
  "refused-by-api-server: Protected: the API server would reject the CRD: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111 (metadata.annotations[api-approved.kubernetes.io]); use a group of your own domain; only the Kubernetes project uses *.k8s.io and *.kubernetes.io, with annotations: { 'api-approved.kubernetes.io': '...' }",
]
`);
  });
});
