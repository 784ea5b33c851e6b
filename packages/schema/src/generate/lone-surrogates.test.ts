import { fileURLToPath } from 'node:url';
import { findingText } from '../finding/finding.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { generateCustomResourceDefinitions } from './generate.ts';
import { Stray } from './lone-surrogates.fixture.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const url = new URL('./lone-surrogates.fixture.ts', import.meta.url).href;

describe('generateCustomResourceDefinitions() with lone surrogates', () => {
  it('reports each text of the schema with its property, and every other text with its class', async () => {
    const sources = await ClassSources.read([url], { reader: new OxcSourceReader(), importModule: (it) => import(it) });
    const { definitions, findings } = await generateCustomResourceDefinitions([Stray], { sources });
    expect(definitions).toEqual([]);
    const texts = findings
      .filter(({ level }) => level === 'error')
      // The name of a property is one of the texts, and this file cannot contain it.
      .map((finding) => `${finding.code} ${findingText(finding).replace(folder, '')}`.toWellFormed());
    expect(texts).toMatchInlineSnapshot(`
[
  "lone-surrogate lone-surrogates.fixture.ts:5: Entry.label: its title contains half of a surrogate pair ("cut \\ud83d"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:9: StraySpec: @Rule "size(self.name) > 0" contains half of a surrogate pair ("too small \\udc00"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:10: StraySpec.name: its default contains half of a surrogate pair ("x\\ud800y"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:11: StraySpec.size: its enum contains half of a surrogate pair ("z\\udfff"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:12: StraySpec.literal: its enum contains half of a surrogate pair ("\\ud800"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:13: StraySpec.object: its default contains half of a surrogate pair ("key\\ud800"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:14: StraySpec.k�: its name contains half of a surrogate pair ("k\\ud800"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:21: Stray: metadata.annotations.example.com/owner contains half of a surrogate pair ("web\\ud800"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
  "lone-surrogate lone-surrogates.fixture.ts:21: Stray: spec.versions[0].additionalPrinterColumns[0].description contains half of a surrogate pair ("of \\ud83d"), which YAML cannot express and the API server replaces with U+FFFD; write the whole character, or remove the half",
]
`);
  });
});
