import type { AnyClass } from '@evenkeel/core';
import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { versionClass } from './versions.fixture.ts';

async function findingsOf(...types: AnyClass[]): Promise<string[]> {
  const { findings } = await generateCustomResourceDefinitions(types);
  return findings.map((finding) => `${finding.level} ${finding.code}: ${findingText(finding)}`);
}

describe('checkNames', () => {
  it('rejects a name that two kinds of a group use, because only one of them would be served', async () => {
    const found = await findingsOf(
      versionClass('Thing', { shortNames: ['t'] }),
      versionClass('Tool', { kind: 'Tool', shortNames: ['t', 'things'] }),
      versionClass('Things', { kind: 'Dings', plural: 'things' }),
      versionClass('Lister', { kind: 'ThingList', plural: 'lists' }),
    );
    expect(found).toMatchInlineSnapshot(`
[
  "error duplicate-declaration: Lister: Thing is called ThingList in example.com too: the API server would serve only the first of them; give one of them another name or group",
  "error duplicate-declaration: Things: Thing declares things.example.com too; give one of them another kind, plural or group, or list only one",
  "error duplicate-declaration: Things: Tool is called things in example.com too: the API server would serve only the first of them; give one of them another name or group",
  "error duplicate-declaration: Tool: Thing is called t in example.com too: the API server would serve only the first of them; give one of them another name or group",
  "error duplicate-declaration: Tool: Thing is called things in example.com too: the API server would serve only the first of them; give one of them another name or group",
]
`);
  });

  it('warns of names for which kubectl may select another kind', async () => {
    const found = await findingsOf(
      versionClass('Thing', { shortNames: ['t'], categories: ['all', 'tools'] }),
      versionClass('Tool', { group: 'other.example.com', kind: 'Tool', shortNames: ['t'], categories: ['all'] }),
    );
    expect(found).toMatchInlineSnapshot(`
[
  "notice ambiguous-name: Thing: the category tools is also a name of Tool, so "kubectl get tools" lists the whole category; give it another name",
  "notice ambiguous-name: Tool: the short name t is also a name of Thing in example.com, so "kubectl get t" may list either; give one of them another short name",
]
`);
  });

  it('accepts equal kinds and categories in different groups', async () => {
    const found = await findingsOf(
      versionClass('Thing', { categories: ['all'] }),
      versionClass('OtherThing', { group: 'other.example.com', categories: ['all'] }),
    );
    expect(found).toEqual([]);
  });
});

describe('checkStrayVersions', () => {
  it('rejects a class whose kind is the name of another kind with its version', async () => {
    expect(
      await findingsOf(
        versionClass('Thing', { version: 'v1beta1' }),
        versionClass('ThingV1', { version: 'v1', kind: 'ThingV1' }),
        versionClass('Other', { version: 'v2', kind: 'ThingV2' }),
        versionClass('ThingV3', { version: 'v4', kind: 'ThingV3' }),
      ),
    ).toEqual([
      "error separate-kind: ThingV1: the class does not set kind, so it declares the kind ThingV1, and not the version v1 of Thing; set kind: 'Thing' in @CustomResource. If ThingV1 is a separate kind, rename the class and set kind: 'ThingV1'",
    ]);
  });

  it('warns once of a kind in two similar groups', async () => {
    const old = versionClass('ThingV1beta1', { version: 'v1beta1', group: 'exmaple.com' });
    const expected = [
      'notice separate-kind: ThingV1beta1: the class declares Thing in the group exmaple.com, but Thing declares it in the group example.com, so they are two kinds; use the same group if they are versions of one kind',
    ];
    expect(await findingsOf(versionClass('Thing', {}), old)).toEqual(expected);
    expect(await findingsOf(old, versionClass('Thing', {}))).toEqual(expected);
  });
});
