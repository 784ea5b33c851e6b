import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ChannelEntry } from '../catalog/catalog.ts';
import { CatalogUpdateError } from '../catalog/catalog-update-error.ts';
import { type AvailableBundle, renderTemplate } from './render-template.ts';

interface Recorded {
  readonly template: object;
  readonly default: string;
  readonly channels: readonly { readonly name: string; readonly entries: readonly ChannelEntry[] }[] | null;
  readonly error: string;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded/semver-channels.json'), 'utf8')) as {
  readonly versions: readonly string[];
  readonly cases: readonly Recorded[];
};

function bundleOf(version: string, packageName = 'p'): AvailableBundle {
  const document = {
    schema: 'olm.bundle',
    name: `${packageName}.v${version}`,
    package: packageName,
    image: `q/${version}`,
    properties: [{ type: 'olm.package', value: { packageName, version } }],
    relatedImages: [],
  } as const;
  return { document, description: `About ${version}.` };
}

const bundles = new Map(recorded.versions.map((version) => [`q/${version}`, bundleOf(version)]));
const ofSchema = (documents: readonly object[], schema: string): object[] =>
  documents.filter((document) => 'schema' in document && document.schema === schema);

describe('renderTemplate()', () => {
  it.each(recorded.cases.map((each) => [JSON.stringify(each.template), each] as const))(
    'gives the channels of operator-registry for %s',
    (_, { template, default: defaultChannel, channels, error }) => {
      const render = (): readonly object[] => renderTemplate('t.yaml', stringify(template), bundles).documents;
      if (error !== '') return expect(render).toThrow(CatalogUpdateError);
      const documents = render();
      expect(documents[0]).toMatchObject({ schema: 'olm.package', name: 'p', defaultChannel });
      const own = ofSchema(documents, 'olm.channel').map((channel) => {
        const { schema: _schema, package: packageName, ...rest } = channel as Record<string, unknown>;
        expect(packageName).toBe('p');
        return rest;
      });
      expect(own).toEqual(channels);
    },
  );

  it('describes the package with the head of the default channel', () => {
    const template = { schema: 'olm.semver', Stable: { Bundles: [{ Image: 'q/1.0.0' }, { Image: 'q/1.0.1' }] } };
    const { documents } = renderTemplate('t.yaml', stringify(template), bundles);
    expect(documents[0]).toMatchObject({ defaultChannel: 'stable-v1.0', description: 'About 1.0.1.' });
    expect(ofSchema(documents, 'olm.bundle')).toEqual([bundleOf('1.0.0').document, bundleOf('1.0.1').document]);
  });

  it('replaces the bundles of a basic template, and keeps all other documents', () => {
    const others = [
      { schema: 'olm.package', name: 'p', defaultChannel: 'a' },
      { schema: 'acme.notes', anything: [1] },
    ];
    const template = {
      schema: 'olm.template.basic',
      entries: [others[0], { schema: 'olm.bundle', image: 'q/1.0.0' }, others[1]],
    };
    expect(renderTemplate('t.yaml', stringify(template), bundles)).toEqual({
      packageName: 'p',
      documents: [others[0], bundleOf('1.0.0').document, others[1]],
    });
  });

  it.each([
    ['another schema', 'schema: olm.bundle\n', 't.yaml:1: "olm.bundle" is no template; use'],
    ['invalid YAML', 'a: [\n', 't.yaml:2: '],
    ['a list', '- a\n', 'it is not an object; write a template'],
    ['an unknown field', 'schema: olm.semver\nBeta: {}\n', 't.yaml:2: a semver template has no field Beta; use'],
    ['no bundles', 'schema: olm.semver\n', 'it has no bundles; list images'],
    ['bundles without an image', 'schema: olm.semver\nfast: {bundles: [{}]}\n', 't.yaml:2: image is missing; set'],
    [
      'unknown images',
      'schema: olm.semver\nfast: {bundles: [{image: x/y}, {image: x/z}]}\n',
      'these images are not known: x/y, x/z; pass the folders of their bundles',
    ],
    [
      'versions without an order',
      'schema: olm.semver\nfast: {bundles: [{image: q/1.0.0+a}, {image: q/1.0.0+b}]}\n',
      't.yaml:2: p.v1.0.0+a and p.v1.0.0+b have versions without an order; remove',
    ],
    [
      'a basic template with a whole bundle',
      'schema: olm.template.basic\nentries:\n- {schema: olm.bundle, image: q/1.0.0, name: x}\n',
      't.yaml:3: a bundle of a template has only schema and image; remove it',
    ],
    [
      'a basic template without a package',
      'schema: olm.template.basic\nentries: []\n',
      'it has no olm.package; add one',
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => renderTemplate('t.yaml', text, bundles)).toThrow(message);
  });

  it('refuses bundles of several packages', () => {
    const mixed = new Map([...bundles, ['q/other', bundleOf('1.0.0', 'other')]]);
    const text = 'schema: olm.semver\nfast: {bundles: [{image: q/1.0.0}, {image: q/other}]}\n';
    expect(() => renderTemplate('t.yaml', text, mixed)).toThrow(
      'are of the packages p, other; write a template for each',
    );
  });
});
