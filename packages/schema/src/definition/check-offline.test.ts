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

describe('what the API server would refuse', () => {
  it('is told of the class or the property whose decorator wrote a rule, with the place in it', async () => {
    expect(await errorsOf(WrongRules)).toMatchInlineSnapshot(`
[
  "invalid-rule: Ruled: @Rule "self.name.startsWith(\\"a\\"" does not compile: Syntax error: missing ')' at '<EOF>' (at character 25)",
  "invalid-rule: Ruled: @Rule "self.size" does not compile: cel expression must evaluate to a bool; compare it with something, such as "self.size > 0"",
  "invalid-rule: Ruled.alias: @Rule "self == \\"a\\"": Invalid value: true: may not be set if oldSelf is not used in rule; remove optionalOldSelf, or use oldSelf in the rule",
  "invalid-rule: Ruled.count: the messageExpression of @Rule "self > 0" does not compile: messageExpression must evaluate to a string; convert it with string(...)",
  "invalid-rule: Ruled.name: @Rule "self.size() > oldSlef.size()" does not compile: undeclared reference to 'oldSlef' (at character 15); did you mean "oldSelf"?",
  "invalid-option: Ruled.size: @Rule("self > 0"): reason "Wrong" is not known; it is one of FieldValueInvalid, FieldValueForbidden, FieldValueRequired, FieldValueDuplicate",
  "invalid-rule: RuledTls: @Rule "self.kert != \\"\\"" does not compile: undefined field 'kert' (at character 5); did you mean "cert"?",
]
`);
  });

  it('is told of rules that are too costly with the limits that would be enough', async () => {
    expect(await errorsOf(LimitedRules)).toEqual([]);
    expect(await errorsOf(CostlyRules)).toMatchInlineSnapshot(`
[
  "expensive-rule: Costly: @Rule "self.hosts.all(a, self.hosts.exists_one(b, a.name == b.name))" costs more than 100 times what the API server allows one rule; limit what it looks at (@ArrayMaxSize(200) on Costly.hosts, @MaxLength(200) on Host.name), or make it simpler",
  "expensive-rule: Host.name: @Rule "self.matches(\\"^[a-z]+$\\")" costs more than 100 times what the API server allows one rule; limit what it looks at (@ArrayMaxSize(2000) on Costly.hosts, @MaxLength(2000) on Host.name), or make it simpler",
]
`);
  });

  it('is told of the property with what to do, also where one error hides another', async () => {
    expect(await errorsOf(WrongSchema)).toMatchInlineSnapshot(`
[
  "invalid-default: Wrong.main: its default {"port":0,"protocol":"TCP"} breaks its own schema: must not have unknown fields; leave out of the default what its class does not declare",
  "invalid-default: Wrong.main: its default {"port":0,"protocol":"TCP"} breaks its own schema: port should be greater than or equal to 1; change the default, or what the type and the decorators of the property demand",
  "invalid-rule: Wrong.name: @Rule "slef == \\"a\\"" does not compile: undeclared reference to 'slef' (at character 1); did you mean "self"?",
  "invalid-option: Wrong.others: @ListType("map", "nmae"): Port has no property "nmae"; did you mean "name"?",
  "invalid-option: Wrong.ports: @ListType("map", "name"): Port.name may be missing, and items without a key could not be told apart; make it required or give it a default",
  "invalid-default: Wrong.size: its default "three" breaks its own schema: must be of type integer; change the default, or what the type and the decorators of the property demand",
  "unknown-option: Wrong.tags: @Schema(): no structural schema has the keyword "uniqueItems"",
]
`);
  });

  it('is told of the class of the version it is in, and once where versions share it', async () => {
    const error = expect.stringMatching(
      /^invalid-default: Large\.size: its default 6 breaks its own schema: should be less than or equal to 5/,
    );
    expect(await errorsOf(LargeSized, SmallSized)).toEqual([error]);
    expect(await errorsOf(LargeSized, SmallSized, AlsoLargeSized)).toEqual([error]);
    expect(await errorsOf(LargeSized, OtherLargeSized)).toEqual([
      error,
      expect.stringMatching(/^invalid-default: OtherLarge\.size: /),
    ]);
  });

  it('is told of selectable fields that versions of one schema do not share', async () => {
    expect(await errorsOf(SelectedV2, SelectedV1)).toMatchInlineSnapshot(`
[
  "refused-by-api-server: SelectedV2: the API server would refuse the CRD: Invalid value: "": may only be set when \`version.schema.openAPIV3Schema\` is not included (spec.versions[0].selectableFields); versions whose schemas are the same must have the same @SelectableField in each class, in the same order; a JSDoc comment on one of the classes makes the schemas differ",
]
`);
    expect(await errorsOf(SelectedV2)).toEqual([]);
  });

  it('is told of the class where it is about the group', async () => {
    expect(await errorsOf(Protected)).toMatchInlineSnapshot(`
[
  "refused-by-api-server: Protected: the API server would refuse the CRD: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111 (metadata.annotations[api-approved.kubernetes.io]); use a group of your own domain; only the Kubernetes project uses *.k8s.io and *.kubernetes.io, with annotations: { 'api-approved.kubernetes.io': '...' }",
]
`);
  });
});
