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

describe('generateCustomResourceDefinitions() with mistakes of beginners', () => {
  it('reports each mistake once, with the fix', async () => {
    expect(await findingsOf(Beginner)).toMatchInlineSnapshot(`
[
  "error recursive-class: Branch.leaves: Branch.leaves -> Branch is a cycle, which a structural schema cannot express; make Branch a class, because an interface has no decorators, and add @Recursive(levels) to its property to repeat it that many times, or @PreserveUnknownFields() to keep whatever is sent there",
  "error recursive-class: Right.left: Left.right -> Right.left -> Left is a cycle, which a structural schema cannot express; make Left a class, because an interface has no decorators, and add @Recursive(levels) to its property to repeat it that many times, or @PreserveUnknownFields() to keep whatever is sent there",
  "error class-not-constructible: Placed.files: new Placed() threw "Error: ENOENT: no such file or directory, scandir '/elsewhere'" at another time, on another host, with other environment variables; its initialisers must not need arguments, the network or the time",
  "error invalid-default: BeginnerSpec.home: its initialiser returns a different value at another time, on another host or with other environment variables, so it cannot be the default of the CRD; set it in the controller",
  "error invalid-default: BeginnerSpec.host: its initialiser returns a different value at another time, on another host or with other environment variables, so it cannot be the default of the CRD; set it in the controller",
  "error invalid-default: BeginnerSpec.year: its initialiser returns a different value at another time, on another host or with other environment variables, so it cannot be the default of the CRD; set it in the controller",
  "error hidden-property: BeginnerSpec.secret: it is private only in TypeScript, but every property of an API class is part of its objects; use #secret or a variable outside of the class, or remove "private"",
  "error hidden-property: BeginnerSpec.inner: it is protected only in TypeScript, but every property of an API class is part of its objects; use #inner or a variable outside of the class, or remove "protected"",
  "error unknown-type: BeginnerSpec.empty: its properties are unknown, so the API server would prune all of them; use a class, or Record<string, unknown> to keep whatever is sent",
  "error unknown-type: BeginnerSpec.emptyMap: its properties are unknown, so the API server would prune all of them; use a class, or Record<string, unknown> to keep whatever is sent",
  "error invalid-rule: BeginnerSpec.compared: @Rule "self > \\"a\\"" does not compile: found no matching overload for '_>_' applied to '(double, string)' (at character 6)",
  "notice inexact-constraint: BeginnerSpec.whole: @IsInt is in the schema, which accepts less: JavaScript cannot represent integers beyond 2^53 - 1 exactly; set bounds with @Min() and @Max()",
  "error invalid-default: BeginnerSpec.whole: its default 1.5 violates its own schema: must be of type integer; change the default, or the type and the decorators of the property",
  "error conflicting-types: BeginnerSpec.text: @ListType() applies to lists, but this is a string",
  "error expensive-rule: BeginnerSpec.costly: the messageExpression of @Rule "self.size() > 0" costs more than 100 times what the API server allows; limit the values that it reads, or simplify it",
  "error hidden-property: BeginnerSpec.injected: it is private only in TypeScript, but every property of an API class is part of its objects; use #injected or a variable outside of the class, or remove "private"",
  "notice required-status: BeginnerStatus.ready: it is required, so the API server rejects every status without it, even one that only sets a condition; write "?", or give it a default",
  "notice required-status: BeginnerStatus.details: it is required, so the API server rejects every status without it, even one that only sets a condition; write "?", or give it a default",
]
`);
  });

  it('reports decorators without parentheses, with their names if the source is known', async () => {
    expect(await findingsOf(Uncalled)).toMatchInlineSnapshot(`
[
  "error decorator-not-called: UncalledSpec.count: one of its decorators has no parentheses, so it has no effect and the property is lost; write @IsInt()",
  "error decorator-not-called: UncalledSpec.wait: one of its decorators has no parentheses, so it has no effect and the property is lost; write @IsDuration()",
  "error decorator-not-called: Uncalled.status: one of its decorators has no parentheses, so it has no effect and the property is lost; write @Status()",
]
`);
    expect(await findingsOf(Uncalled, false)).toMatchInlineSnapshot(`
[
  "error decorator-not-called: Uncalled.status: one of its decorators has no parentheses, so it has no effect and the property is lost; add them: @IsInt(), not @IsInt",
  "error decorator-not-called: UncalledSpec.count: one of its decorators has no parentheses, so it has no effect and the property is lost; add them: @IsInt(), not @IsInt",
  "error decorator-not-called: UncalledSpec.wait: one of its decorators has no parentheses, so it has no effect and the property is lost; add them: @IsInt(), not @IsInt",
]
`);
  });

  it('reports names that CEL escapes', async () => {
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
