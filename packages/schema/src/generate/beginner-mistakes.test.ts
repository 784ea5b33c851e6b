import type { AnyClass } from '@evenkeel/core';
import { findingText } from '../finding/finding.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { Beginner, Escaped, Uncalled } from './beginner-mistakes.fixture.ts';
import { generateCustomResourceDefinitions } from './generate.ts';

const url = new URL('./beginner-mistakes.fixture.ts', import.meta.url).href;

async function findingsOf(type: AnyClass, isSourced = true): Promise<readonly string[]> {
  const sources = await ClassSources.read(isSourced ? [url] : [], {
    reader: new OxcSourceReader(),
    importModule: (it) => import(it),
  });
  const { findings } = await generateCustomResourceDefinitions([type], { sources });
  return findings.map(
    (finding) => `${finding.level} ${finding.code}: ${findingText(finding).replace(/^.*\.fixture\.ts:\d+: /, '')}`,
  );
}

describe('mistakes of a first day', () => {
  it('are told once each, with what to write', async () => {
    expect(await findingsOf(Beginner)).toMatchInlineSnapshot(`
[
  "error recursive-class: Branch.leaves: Branch.leaves -> Branch is a circle, which a structural schema cannot say; make Branch a class, because an interface has no decorators, and add @Recursive(levels) to its property to write it out so many times, or @PreserveUnknownFields() to keep whatever is sent there",
  "error recursive-class: Right.left: Left.right -> Right.left -> Left is a circle, which a structural schema cannot say; make Left a class, because an interface has no decorators, and add @Recursive(levels) to its property to write it out so many times, or @PreserveUnknownFields() to keep whatever is sent there",
  "error class-not-constructible: Placed.files: new Placed() threw "Error: ENOENT: no such file or directory, scandir '/elsewhere'" at another time, on another host, with other environment variables; its initialisers must not need arguments, the network or the time",
  "error invalid-default: BeginnerSpec.home: its initialiser gives something else at another time, on another host or with other environment variables, so it cannot be the default of the CRD; set it in the controller",
  "error invalid-default: BeginnerSpec.host: its initialiser gives something else at another time, on another host or with other environment variables, so it cannot be the default of the CRD; set it in the controller",
  "error invalid-default: BeginnerSpec.year: its initialiser gives something else at another time, on another host or with other environment variables, so it cannot be the default of the CRD; set it in the controller",
  "error hidden-property: BeginnerSpec.secret: it is private in TypeScript alone, and every property of an API class is part of its objects; write #secret or a variable outside of the class, or remove "private"",
  "error hidden-property: BeginnerSpec.inner: it is protected in TypeScript alone, and every property of an API class is part of its objects; write #inner or a variable outside of the class, or remove "protected"",
  "error unknown-type: BeginnerSpec.empty: it is an object of which nothing is known, so the API server would prune all of it; use a class, or Record<string, unknown> to keep whatever is sent",
  "error unknown-type: BeginnerSpec.emptyMap: it is an object of which nothing is known, so the API server would prune all of it; use a class, or Record<string, unknown> to keep whatever is sent",
  "error invalid-rule: BeginnerSpec.compared: @Rule "self > \\"a\\"" does not compile: found no matching overload for '_>_' applied to '(double, string)' (at character 6)",
  "notice inexact-constraint: BeginnerSpec.whole: @IsInt is in the schema, which accepts less: JavaScript cannot hold whole numbers beyond 2^53 - 1; bound it with @Min() and @Max()",
  "error invalid-default: BeginnerSpec.whole: its default 1.5 breaks its own schema: must be of type integer; change the default, or what the type and the decorators of the property demand",
  "error conflicting-types: BeginnerSpec.text: @ListType() is about lists, and this is a string",
  "error expensive-rule: BeginnerSpec.costly: the messageExpression of @Rule "self.size() > 0" costs more than 100 times what the API server allows; limit what it looks at, or make it simpler",
  "error hidden-property: BeginnerSpec.injected: it is private in TypeScript alone, and every property of an API class is part of its objects; write #injected or a variable outside of the class, or remove "private"",
  "notice required-status: BeginnerStatus.ready: it is required, so that the API server refuses every status without it, even one that only sets a condition; write "?", or give it a default",
  "notice required-status: BeginnerStatus.details: it is required, so that the API server refuses every status without it, even one that only sets a condition; write "?", or give it a default",
]
`);
  });

  it('are told of decorators without parentheses, by their names where the source is known', async () => {
    expect(await findingsOf(Uncalled)).toMatchInlineSnapshot(`
[
  "error decorator-not-called: UncalledSpec.count: a decorator of it has no parentheses, so that it says nothing and the property is lost; write @IsInt()",
  "error decorator-not-called: UncalledSpec.wait: a decorator of it has no parentheses, so that it says nothing and the property is lost; write @IsDuration()",
  "error decorator-not-called: Uncalled.status: a decorator of it has no parentheses, so that it says nothing and the property is lost; write @Status()",
]
`);
    expect(await findingsOf(Uncalled, false)).toMatchInlineSnapshot(`
[
  "error decorator-not-called: Uncalled.status: a decorator of it has no parentheses, so that it says nothing and the property is lost; write them: @IsInt(), not @IsInt",
  "error decorator-not-called: UncalledSpec.count: a decorator of it has no parentheses, so that it says nothing and the property is lost; write them: @IsInt(), not @IsInt",
  "error decorator-not-called: UncalledSpec.wait: a decorator of it has no parentheses, so that it says nothing and the property is lost; write them: @IsInt(), not @IsInt",
]
`);
  });

  it('are told of names that CEL knows by others', async () => {
    const errors = (await findingsOf(Escaped)).filter((text) => text.startsWith('error'));
    expect(errors).toMatchInlineSnapshot(`
[
  "error invalid-rule: EscapedSpec.keyword: @Rule "self.in == \\"x\\"" does not compile: Syntax error: no viable alternative at input '.in' (at character 6); the property "in" is called __in__ in CEL: write self.__in__",
  "error invalid-rule: EscapedSpec.dash: @Rule "self.a-b == \\"x\\"" does not compile: undefined field 'a' (at character 5); the property "a-b" is called a__dash__b in CEL: write self.a__dash__b",
  "error invalid-rule: EscapedSpec.dashes: @Rule "self.all(one, one.a-b == \\"x\\")" does not compile: undefined field 'a' (at character 18); the property "a-b" is called a__dash__b in CEL: write one.a__dash__b",
]
`);
  });
});
