import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { bundleChecks, findingText, validateBundle } from '../index.ts';
import { baseBundle } from './recorded-verdicts.fixture.ts';

/** The parsed CRD of the bundle that a case changes. */
// biome-ignore lint/suspicious/noExplicitAny: a case sets any field
type Definition = any;

const file = 'manifests/widgets.acme.example_widgets.yaml';
const schemaOf = ({ spec }: Definition): Definition => spec.versions[0].schema.openAPIV3Schema.properties.spec;

/** Changes of the CRD, and what is reported about them: the check, and a part of the message. */
const cases: readonly (readonly [string, (definition: Definition) => void, readonly [string, string] | undefined])[] = [
  ['a description', (crd) => (schemaOf(crd).properties.size.description = 'other'), undefined],
  ['a new optional field', (crd) => (schemaOf(crd).properties.color = { type: 'string' }), undefined],
  [
    'a new version',
    ({ spec }) => spec.versions.push({ ...structuredClone(spec.versions[0]), name: 'v1', storage: false }),
    undefined,
  ],
  [
    'a removed field',
    (crd) => delete schemaOf(crd).properties.size,
    ['upgrade-unsafe', 'since widgets.v0.1.0, v1alpha1: spec.size: is removed (existingFieldRemoval); undo the change'],
  ],
  [
    'another type',
    (crd) => (schemaOf(crd).properties.size = { type: 'string' }),
    ['upgrade-unsafe', '(type); undo the change'],
  ],
  [
    'a new required field',
    (crd) =>
      Object.assign(schemaOf(crd), {
        required: ['size', 'color'],
        properties: { ...schemaOf(crd).properties, color: { type: 'string' } },
      }),
    ['upgrade-unsafe', '(required); '],
  ],
  ['a default', (crd) => (schemaOf(crd).properties.size.default = 3), ['upgrade-unsafe', '(default); ']],
  ['a limit', (crd) => (schemaOf(crd).properties.size.maximum = 3), ['upgrade-unsafe', '(maximum); ']],
  ['another scope', (crd) => (crd.spec.scope = 'Cluster'), ['upgrade-unsafe', '(scope); ']],
  [
    'a removed version, in which objects are stored',
    ({ spec }) => (spec.versions[0].name = 'v1'),
    ['upgrade-unsafe', '(storedVersionRemoval); '],
  ],
  [
    'a version that is no longer served',
    ({ spec }) =>
      spec.versions.unshift({ ...structuredClone(spec.versions[0]), name: 'v1' }) &&
      Object.assign(spec.versions[1], { served: false, storage: false }),
    ['upgrade-breaks-clients', '(servedVersionRemoval); keep it for one more release'],
  ],
];

describe('validateBundle() with a previous bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-upgrades-'));
  const previous = join(folder, 'previous');
  const next = join(folder, 'next');
  beforeAll(() => {
    cpSync(baseBundle, previous, { recursive: true });
    cpSync(baseBundle, next, { recursive: true });
    rewrite(previous, 'manifests/widgets.clusterserviceversion.yaml', (text) =>
      text.replaceAll(/(widgets\.v|version: )0\.2\.0/g, '$10.1.0').replace(/\n {2}replaces: .*/, ''),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function rewrite(bundle: string, path: string, change: (text: string) => string): void {
    writeFileSync(join(bundle, path), change(readFileSync(join(bundle, path), 'utf8')));
  }

  async function findings(before = previous): Promise<string[]> {
    const { findings: all } = await validateBundle(next, { previous: before });
    const ofUpgrades = all.filter(({ check }) => /^(?:previous|upgrade)-/.test(check));
    return ofUpgrades.map((finding) => `${finding.level} ${finding.check} ${findingText(finding)}`);
  }

  it.each(cases)('decides about %s', async (_, change, expected) => {
    const definition: Definition = parse(readFileSync(join(baseBundle, file), 'utf8'));
    change(definition);
    writeFileSync(join(next, file), stringify(definition));
    const found = await findings();
    if (expected === undefined) return expect(found).toEqual([]);
    const [check, message] = expected;
    const level = check === 'upgrade-unsafe' ? 'error' : 'warning';
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${level} ${check} ${file}:\\d+: spec`)));
    expect(found).toContainEqual(expect.stringContaining(message));
  });

  it('names the line of the changed field', async () => {
    const definition: Definition = parse(readFileSync(join(baseBundle, file), 'utf8'));
    schemaOf(definition).properties.size.maximum = 3;
    const text = stringify(definition);
    writeFileSync(join(next, file), text);
    const line = text.slice(0, text.indexOf('size:')).split('\n').length;
    expect((await findings())[0]).toMatch(
      new RegExp(`${file}:${line + 1}: spec\\.versions\\[0\\]\\..*\\.properties\\.size: since`),
    );
  });

  it('reports a removed CRD, a wrong order and an unreadable bundle', async () => {
    cpSync(join(baseBundle, file), join(next, file));
    rewrite(previous, file, (text) =>
      text.replaceAll('widgets.widgets', 'gadgets.widgets').replaceAll('plural: widgets', 'plural: gadgets'),
    );
    expect(await findings()).toEqual([
      expect.stringMatching(/^error upgrade-definition-removed .*no longer has the CRD gadgets/),
    ]);
    expect(await findings(next)).toEqual([
      expect.stringMatching(
        /^error upgrade-order .*spec\.version: it must be higher than 0\.2\.0 of the previous bundle; raise it/,
      ),
    ]);
    expect(await findings(join(folder, 'none'))).toEqual([
      `error previous-unreadable the previous bundle ${join(folder, 'none')} cannot be read: the folder does not exist; pass the folder of a bundle`,
    ]);
    const shown = Object.keys(bundleChecks).filter((id) => /^(?:previous|upgrade)-/.test(id));
    expect(shown).toHaveLength(5);
  });
});
