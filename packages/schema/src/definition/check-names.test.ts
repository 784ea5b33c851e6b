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
