import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogCheck, catalogChecks, findingText, validateCatalog } from '../index.ts';
import { baseDocuments } from './recorded-catalogs.fixture.ts';

/** The documents of the valid catalog that a case changes. */
// biome-ignore lint/suspicious/noExplicitAny: a case sets any field, also invalid ones
type Documents = any[];

const [packageAt, stableAt, firstBundleAt, constraintAt] = [0, 1, 3, 6];

/** For each check that only Evenkeel makes, a change of the valid catalog which it must find, and where. */
const cases: readonly (readonly [CatalogCheck, (documents: Documents) => void, string])[] = [
  [
    'document-key-case',
    (all) => Object.assign(all[packageAt], { description: undefined, Description: 'd' }),
    'catalog.yaml:1: Description',
  ],
  ['document-key-repeated', (all) => all.push('schema: acme.notes\na: {b: 1, b: 2}\n'), 'catalog.yaml:11'],
  ['document-schema-unknown', (all) => all.push({ schema: 'olm.bundles' }), 'catalog.yaml:10: schema'],
  ['package-icon-missing', (all) => (all[packageAt].icon = undefined), 'catalog.yaml:1'],
  ['package-icon-invalid', (all) => (all[packageAt].icon.mediatype = 'image/tiff'), 'catalog.yaml:1: icon.mediatype'],
  ['package-description-missing', (all) => (all[packageAt].description = ''), 'catalog.yaml:1: description'],
  [
    'channel-replaces-unknown',
    (all) => (all[stableAt].entries[0].replaces = 'w.v0.9.0'),
    'catalog.yaml:2: entries[0].replaces',
  ],
  ['channel-order', (all) => all[stableAt].entries[1].skips.push('w.v1.2.0'), 'catalog.yaml:2: entries[1].skips'],
  [
    'channel-skip-range-own',
    (all) => (all[stableAt].entries[3].skipRange = '>=1.0.0 <=1.2.0'),
    'catalog.yaml:2: entries[3].skipRange',
  ],
  [
    'channel-skip-range-alone',
    (all) => all[stableAt].entries.splice(0, 4, all[stableAt].entries[0], { name: 'w.v1.2.0', skipRange: '<1.2.0' }),
    'catalog.yaml:2: entries[1].skipRange',
  ],
  ['bundle-image-digest', (all) => (all[firstBundleAt].image = 'quay.io/a/w:v1.0.0'), 'catalog.yaml:4: image'],
  ['bundle-object-property', () => undefined, 'catalog.yaml:6: properties[4]'],
  ['bundle-metadata-missing', (all) => all[firstBundleAt].properties.pop(), 'catalog.yaml:4: properties'],
  [
    'property-incomplete',
    (all) => (all[firstBundleAt].properties[1].value.kind = ''),
    'catalog.yaml:4: properties[1].value',
  ],
  [
    'constraint-invalid',
    (all) => (all[constraintAt].properties[3].value.cel = { rule: 'true' }),
    'catalog.yaml:7: properties[3].value',
  ],
];

describe('a check of catalogs that only Evenkeel makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-own-catalog-checks-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** One document in each line. */
  async function findings(change: (documents: Documents) => void) {
    const documents: Documents = baseDocuments();
    change(documents);
    const texts = documents.map((each) => (typeof each === 'string' ? `---\n${each}` : JSON.stringify(each)));
    writeFileSync(join(folder, 'catalog.yaml'), texts.join('\n'));
    return (await validateCatalog(folder)).findings;
  }

  it.each(cases)('finds what it is for: %s', async (check, change, place) => {
    const found = (await findings(change)).find((finding) => finding.check === check);
    expect(found).toMatchObject({ level: catalogChecks[check].level, message: expect.stringMatching(/[;,] |: /) });
    if (found !== undefined) expect(findingText(found)).toMatch(new RegExp(`^${place.replace(/[[\].]/g, '\\$&')}: `));
  });

  it('has a case', () => {
    const own = Object.entries(catalogChecks).filter(([, { upstream }]) => !upstream);
    expect(cases.map(([check]) => check)).toEqual(own.map(([check]) => check));
  });
});
