import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { parseYaml } from '../bundle/yaml-document.ts';
import { CatalogUpdateError } from '../catalog/catalog-update-error.ts';
import type { RenderedBundle } from '../catalog/render-bundle.ts';
import { versionOf } from '../catalog/upgrade-graph.ts';
import {
  type Archetype,
  archetypes,
  semverChannels,
  type TemplateBundle,
  unorderedVersions,
} from './semver-channels.ts';

/** A bundle as its catalog document, and what a package shows of it. */
export interface AvailableBundle {
  readonly document: RenderedBundle;
  readonly description?: string | undefined;
  readonly icon?: { readonly base64data: string; readonly mediatype: string } | undefined;
}

/** The documents of a template, and the package that they are about. */
export interface RenderedTemplate {
  readonly packageName: string;
  readonly documents: readonly object[];
}

/**
 * Renders a template of `opm`: `olm.template.basic`, in which bundles are only images, or `olm.semver`, whose channels follow from
 * the versions of the bundles.
 *
 * @param file the name of the template in messages.
 * @param bundles the bundles by the references of their images.
 * @throws CatalogUpdateError
 */
export function renderTemplate(
  file: string,
  text: string,
  bundles: ReadonlyMap<string, AvailableBundle>,
): RenderedTemplate {
  const parsed = parseYaml(text);
  if ('reason' in parsed)
    throw new CatalogUpdateError(`${file}:${parsed.line}: ${parsed.reason}; write it as YAML or JSON`);
  const fail = (path: readonly (string | number)[], message: string): never => {
    throw new CatalogUpdateError(`${file}:${parsed.lineOf(path)}: ${message}`);
  };
  const { value } = parsed;
  if (!isJsonObject(value)) return fail([], 'it is not an object; write a template with a schema');
  const schema = valueAt(value, 'schema');
  if (schema === 'olm.semver') return renderSemver(value, bundles, fail);
  if (schema === 'olm.template.basic') return renderBasic(value, bundles, fail);
  return fail(['schema'], `${JSON.stringify(schema ?? '')} is no template; use olm.template.basic or olm.semver`);
}

type Fail = (path: readonly (string | number)[], message: string) => never;

function renderBasic(
  template: JsonObject,
  bundles: ReadonlyMap<string, AvailableBundle>,
  fail: Fail,
): RenderedTemplate {
  const entries = valueAt(template, 'entries');
  if (!Array.isArray(entries)) return fail(['entries'], 'entries is missing; list packages, channels and bundles');
  const isBundle = (entry: JsonObject): boolean => valueAt(entry, 'schema') === 'olm.bundle';
  const images = entries.map((entry, index) => {
    if (!isJsonObject(entry)) return fail(['entries', index], 'it is not an object; write a document with a schema');
    if (!isBundle(entry)) return undefined;
    const { schema: _, image, ...others } = entry;
    const [other] = Object.keys(others);
    if (other !== undefined)
      fail(['entries', index, other], 'a bundle of a template has only schema and image; remove it');
    return imageOf(image, ['entries', index], fail);
  });
  const found = available(
    images.filter((image) => image !== undefined),
    bundles,
    fail,
  );
  const documents = entries.map((entry: object, index) => {
    const image = images[index];
    return image === undefined ? entry : (found.get(image)?.document ?? entry);
  });
  const packageName = documents
    .filter(isJsonObject)
    .filter((each) => valueAt(each, 'schema') === 'olm.package')
    .map((each) => valueAt(each, 'name'))
    .find((name) => typeof name === 'string');
  return typeof packageName === 'string'
    ? { packageName, documents }
    : fail(['entries'], 'it has no olm.package; add one');
}

function renderSemver(
  template: JsonObject,
  bundles: ReadonlyMap<string, AvailableBundle>,
  fail: Fail,
): RenderedTemplate {
  const known = ['schema', 'generateMajorChannels', 'generateMinorChannels', 'defaultChannelTypePreference'];
  const fields = [...known, ...archetypes.flatMap((each) => [each, capitalized(each)])];
  const unknown = Object.keys(template).find(
    (key) => !fields.includes(key) && !fields.includes(key.charAt(0).toLowerCase() + key.slice(1)),
  );
  if (unknown !== undefined)
    fail([unknown], `a semver template has no field ${unknown}; use ${known.join(', ')}, ${archetypes.join(', ')}`);
  const read = (key: string): unknown => valueAt(template, key) ?? valueAt(template, capitalized(key));
  const isMajor = read('generateMajorChannels') === true;
  const isMinor = read('generateMinorChannels') === true || !isMajor;
  const preference = read('defaultChannelTypePreference') ?? (isMinor ? 'minor' : 'major');
  if ((preference !== 'major' || !isMajor) && (preference !== 'minor' || !isMinor)) {
    const choices = [...(isMajor ? ['major'] : []), ...(isMinor ? ['minor'] : [])].join(' or ');
    fail(['defaultChannelTypePreference'], `${JSON.stringify(preference)} channels are not generated; use ${choices}`);
  }
  const images = Object.fromEntries(archetypes.map((each) => [each, imagesOf(read(each), each, fail)])) as Record<
    Archetype,
    string[]
  >;
  const found = available(
    archetypes.flatMap((each) => images[each]),
    bundles,
    fail,
  );
  if (found.size === 0) fail([], 'it has no bundles; list images below candidate, fast or stable');
  const [packageName = '', ...others] = [...new Set([...found.values()].map(({ document }) => document.package))];
  if (others.length > 0)
    fail([], `its bundles are of the packages ${[packageName, ...others].join(', ')}; write a template for each`);
  const versions = Object.fromEntries(
    archetypes.map((each) => [each, images[each].map((image) => templateBundle(image, found, fail))]),
  ) as Record<Archetype, TemplateBundle[]>;
  for (const each of archetypes) {
    const [first, second] = unorderedVersions(versions[each]) ?? [];
    if (first !== undefined && second !== undefined) {
      fail([each], `${first.name} and ${second.name} have versions without an order; remove one of them`);
    }
  }
  const { defaultChannel, channels } = semverChannels(versions, {
    generateMajorChannels: isMajor,
    generateMinorChannels: isMinor,
    defaultChannelTypePreference: preference === 'major' ? 'major' : 'minor',
  });
  const head = channels.find(({ name }) => name === defaultChannel)?.entries.at(-1)?.name;
  const shown = [...found.values()].find(({ document }) => document.name === head);
  const documents = [
    {
      schema: 'olm.package',
      name: packageName,
      defaultChannel,
      ...(shown?.description ? { description: shown.description } : {}),
      ...(shown?.icon === undefined ? {} : { icon: shown.icon }),
    },
    ...channels.map(({ name, entries }) => ({ schema: 'olm.channel', package: packageName, name, entries })),
    ...[...found.values()].map(({ document }) => document).sort((left, right) => (left.name < right.name ? -1 : 1)),
  ];
  return { packageName, documents };
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function imagesOf(channel: unknown, archetype: string, fail: Fail): string[] {
  if (channel === undefined || channel === null) return [];
  const list = isJsonObject(channel) ? (valueAt(channel, 'bundles') ?? valueAt(channel, 'Bundles')) : undefined;
  if (!Array.isArray(list)) return fail([archetype], 'it has no list bundles; add it, with the images');
  return list.map((each: unknown, index) => {
    const image = isJsonObject(each) ? (valueAt(each, 'image') ?? valueAt(each, 'Image')) : undefined;
    return imageOf(image, [archetype, 'bundles', index], fail);
  });
}

function imageOf(image: unknown, path: readonly (string | number)[], fail: Fail): string {
  return typeof image === 'string' && image !== ''
    ? image
    : fail(path, 'image is missing; set the reference of the bundle image');
}

function available(
  images: readonly string[],
  bundles: ReadonlyMap<string, AvailableBundle>,
  fail: Fail,
): Map<string, AvailableBundle> {
  const missing = [...new Set(images.filter((image) => !bundles.has(image)))];
  if (missing.length > 0) {
    fail(
      [],
      `these images are not known: ${missing.join(', ')}; pass the folders of their bundles and --image, or add them to the catalog first`,
    );
  }
  return new Map(
    images.flatMap((image) => {
      const bundle = bundles.get(image);
      return bundle === undefined ? [] : [[image, bundle] as const];
    }),
  );
}

function templateBundle(image: string, bundles: ReadonlyMap<string, AvailableBundle>, fail: Fail): TemplateBundle {
  const document = bundles.get(image)?.document;
  const version = document === undefined ? undefined : versionOf(document);
  if (document === undefined || version === undefined)
    return fail([], `the version of ${image} is invalid; correct spec.version`);
  return { name: document.name, version };
}
