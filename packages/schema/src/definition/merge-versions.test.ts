import type { AnyClass } from '@evenkeel/core';
import { declarationsOf, resourceOf } from '@evenkeel/core';
import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { versionClass } from './versions.fixture.ts';

async function findingsOf(...types: AnyClass[]): Promise<string[]> {
  const { findings, definitions } = await generateCustomResourceDefinitions(types);
  expect(definitions.length > 0).toBe(!findings.some(({ level }) => level === 'error'));
  return findings.map((finding) => `${finding.code}: ${findingText(finding)}`);
}

async function onlyDefinition(...types: AnyClass[]) {
  const { definitions, findings } = await generateCustomResourceDefinitions(types);
  expect(findings).toEqual([]);
  expect(definitions).toHaveLength(1);
  const [definition] = definitions;
  if (definition === undefined) throw new Error('no CRD was generated');
  return definition;
}

describe('mergeVersions', () => {
  it("makes one CRD with the versions in Kubernetes' order of preference", async () => {
    const versions = ['v1', 'foo', 'v10', 'v1alpha1', 'v2', 'v1beta2', 'v1beta1', 'v2alpha1'];
    const types = versions.map((version) => versionClass(`Thing${version}`, { version, storage: version === 'v1' }));
    for (const order of [types, types.toReversed()]) {
      const { spec } = await onlyDefinition(...order);
      expect(spec.versions.map(({ name }) => name)).toEqual([
        'v10',
        'v2',
        'v1',
        'v1beta2',
        'v1beta1',
        'v2alpha1',
        'v1alpha1',
        'foo',
      ]);
      expect(spec.versions.filter(({ storage }) => storage).map(({ name }) => name)).toEqual(['v1']);
    }
  });

  it('merges the options that belong to the kind', async () => {
    const { metadata, spec } = await onlyDefinition(
      versionClass('ThingV2', { version: 'v2', storage: true, shortNames: ['t', 'th'], labels: { a: '1', b: '2' } }),
      versionClass('ThingV1', {
        shortNames: ['th', 't'],
        categories: ['all'],
        singular: 'thingy',
        labels: { b: '2', c: '3' },
        annotations: { note: 'kept' },
        served: false,
        deprecated: true,
      }),
    );
    expect(metadata).toEqual({
      name: 'things.example.com',
      labels: { a: '1', b: '2', c: '3' },
      annotations: { note: 'kept' },
    });
    expect(spec.names).toEqual({
      kind: 'Thing',
      listKind: 'ThingList',
      plural: 'things',
      singular: 'thingy',
      shortNames: ['t', 'th'],
      categories: ['all'],
    });
    expect(spec.versions).toMatchObject([
      { name: 'v2', served: true, storage: true },
      { name: 'v1', served: false, storage: false, deprecated: true },
    ]);
    expect(spec.versions[0]).not.toHaveProperty('deprecated');
    expect(spec.versions[1]).not.toHaveProperty('deprecationWarning');
  });

  it('leaves each class the resource of its own version for clients and controllers', () => {
    const types = ['v2', 'v1'].map((version) => versionClass(`Thing${version}`, { version }));
    expect(types.map(resourceOf).map(({ version, plural }) => `${plural}/${version}`)).toEqual([
      'things/v2',
      'things/v1',
    ]);
    expect(types.map((type) => declarationsOf(type).customResource?.kind)).toEqual(['Thing', 'Thing']);
  });

  it('reports every conflict between classes with both classes and the option', async () => {
    const found = await findingsOf(
      versionClass('ThingV2', {
        version: 'v2',
        storage: true,
        scope: 'Cluster',
        shortNames: ['t'],
        categories: ['all'],
        listKind: 'Things',
        labels: { team: 'web', other: 'x' },
        annotations: { owner: 'me' },
      }),
      versionClass('ThingV1', {
        plural: 'thingies',
        shortNames: ['th'],
        categories: ['none'],
        singular: 'ding',
        listKind: 'ThingList',
        labels: { team: 'api' },
        annotations: { owner: 'you' },
      }),
    );
    expect(found).toMatchInlineSnapshot(`
[
  "conflicting-versions: ThingV1: @CustomResource: plural is "thingies" here and "things" in ThingV2, but both are versions of Thing; set the same value in all of them",
  "conflicting-versions: ThingV1: @CustomResource: scope is "Namespaced" here and "Cluster" in ThingV2, but both are versions of Thing; set the same value in all of them",
  "conflicting-versions: ThingV1: @CustomResource: listKind is "ThingList" here and "Things" in ThingV2, but both are versions of Thing; set the same value, or set it in only one of them",
  "conflicting-versions: ThingV1: @CustomResource: shortNames is ["th"] here and ["t"] in ThingV2, but both are versions of Thing; set the same value, or set it in only one of them",
  "conflicting-versions: ThingV1: @CustomResource: categories is ["none"] here and ["all"] in ThingV2, but both are versions of Thing; set the same value, or set it in only one of them",
  "conflicting-versions: ThingV1: @CustomResource: labels["team"] is "api" here and "web" in ThingV2, but both are versions of Thing; set the same value, or set it in only one of them",
  "conflicting-versions: ThingV1: @CustomResource: annotations["owner"] is "you" here and "me" in ThingV2, but both are versions of Thing; set the same value, or set it in only one of them",
]
`);
  });

  it('requires exactly one storage version and at least one served version', async () => {
    const stored = (version: string, storage?: boolean) =>
      versionClass(`Thing${version}`, { version, ...(storage === undefined ? {} : { storage }) });
    expect(await findingsOf(stored('v1'), stored('v2'), stored('v1beta1', false))).toMatchInlineSnapshot(`
[
  "conflicting-versions: Thingv2: none of Thingv2 (v2), Thingv1 (v1) and Thingv1beta1 (v1beta1) is the storage version of Thing; set storage: true in one of them, usually in the newest that every installed operator can read",
]
`);
    expect(await findingsOf(stored('v1', true), stored('v2', true), stored('v1beta1'))).toMatchInlineSnapshot(`
[
  "conflicting-versions: Thingv1: Thingv2 (v2) and Thingv1 (v1) all set storage: true for Thing; remove it from all but one",
]
`);
    expect(await findingsOf(stored('v1', false))).toMatchInlineSnapshot(`
[
  "conflicting-versions: Thingv1: @CustomResource: storage is false, but this is the only version of Thing; remove the option, or list the class of the storage version",
]
`);
    expect(await findingsOf(versionClass('Hidden', { served: false }))).toMatchInlineSnapshot(`
[
  "conflicting-versions: Hidden: no version of Thing in example.com is served (Hidden (v1)), so no client could use it; remove served: false from one of them",
]
`);
  });

  it('rejects two classes for the same version', async () => {
    const found = await findingsOf(versionClass('First', {}), versionClass('Second', {}), versionClass('Third', {}));
    expect(found).toMatchInlineSnapshot(`
[
  "duplicate-declaration: Second: First declares Thing of example.com/v1 too; give one of them another version or kind, or list only one",
  "duplicate-declaration: Third: First declares Thing of example.com/v1 too; give one of them another version or kind, or list only one",
]
`);
    const once = versionClass('First', {});
    await onlyDefinition(once, once);
  });
});
