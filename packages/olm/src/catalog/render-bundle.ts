import { isJsonObject, type JsonObject, setKey, valueAt } from '@evenkeel/apimachinery/json';
import { currentForm } from '../bundle/beta-definition.ts';
import { type Bundle, packageNameOf } from '../bundle/bundle.ts';
import { parseYaml } from '../bundle/yaml-document.ts';

/** An `olm.bundle` as a catalog contains it. */
export interface RenderedBundle {
  readonly schema: 'olm.bundle';
  readonly name: string;
  readonly package: string;
  readonly image: string;
  readonly properties: readonly { readonly type: string; readonly value: unknown }[];
  readonly relatedImages: readonly { readonly name: string; readonly image: string }[];
}

type Property = RenderedBundle['properties'][number];

/**
 * The `olm.bundle` of a bundle: its package and version, the kinds that it provides and requires, its dependencies and properties, what
 * consoles show of it, and its images. The same bundle always gives the same result.
 *
 * Source: `opm render --migrate-level=bundle-object-to-csv-metadata` of operator-registry v1.69.0 (`pkg/registry/parse.go`,
 * `registry_to_model.go`, `alpha/action/render.go`). Required APIs and images without an order are sorted.
 */
export function renderBundle(bundle: Bundle, image: string): RenderedBundle {
  const { version = '', release = '' } = bundle.csv.spec ?? {};
  const packageName = packageNameOf(bundle);
  const given = listIn(bundle, 'properties').concat(annotatedProperties(bundle));
  const properties: Property[] = [
    { type: 'olm.package', value: { packageName, version, ...(release === '' ? {} : { release }) } },
    ...providedKinds(bundle).map((value) => ({ type: 'olm.gvk', value })),
    ...requiredKinds(bundle).map((value) => ({ type: 'olm.gvk.required', value })),
    ...listIn(bundle, 'dependencies').map(asProperty),
    ...given.filter(({ type }) => type !== 'olm.package' && type !== 'olm.csv.metadata'),
  ];
  return {
    schema: 'olm.bundle',
    name: bundle.name,
    package: packageName,
    image,
    properties: [...sortedSet(properties), { type: 'olm.csv.metadata', value: metadataOf(bundle) }],
    relatedImages: imagesOf(bundle, image),
  };
}

function asProperty({ type, value }: Property): Property {
  if (type === 'olm.gvk') return { type: 'olm.gvk.required', value: value };
  if (type !== 'olm.package' || !isJsonObject(value)) return { type, value };
  const { packageName, version } = value;
  return { type: 'olm.package.required', value: { packageName, versionRange: version } };
}

function sortedSet(properties: readonly Property[]): Property[] {
  const byText = new Map(properties.map((property) => [`${property.type}\n${textOf(property.value)}`, property]));
  return [...byText].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, property]) => property);
}

/** JSON with sorted keys. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

/** The items of metadata/NAME.yaml. */
function listIn({ files }: Bundle, name: 'dependencies' | 'properties'): Property[] {
  const file = files.find(({ path }) => path === `metadata/${name}.yaml`);
  const document = file === undefined ? undefined : parseYaml(file.content.toString('utf8'));
  if (document === undefined || 'reason' in document || !isJsonObject(document.value)) return [];
  return propertiesIn(valueAt(document.value, name));
}

function annotatedProperties({ csv }: Bundle): Property[] {
  const text = csv.metadata?.annotations?.['olm.properties'];
  if (text === undefined) return [];
  try {
    return propertiesIn(JSON.parse(text));
  } catch {
    return [];
  }
}

function propertiesIn(list: unknown): Property[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const type = isJsonObject(item) ? valueAt(item, 'type') : undefined;
    return isJsonObject(item) && typeof type === 'string' ? [{ type, value: valueAt(item, 'value') }] : [];
  });
}

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

function providedKinds({ objects, csv }: Bundle): Kind[] {
  const defined = objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap((object) => {
      const { spec } = currentForm(object) as { spec?: DefinitionSpec };
      const { group = '', names, versions = [] } = spec ?? {};
      return versions.map(({ name: version = '' }) => ({ group, kind: names?.kind ?? '', version }));
    });
  return [...defined, ...(csv.spec?.apiservicedefinitions?.owned ?? []).map(kindOf)];
}

interface DefinitionSpec {
  readonly group?: string;
  readonly names?: { readonly kind?: string };
  readonly versions?: readonly { readonly name?: string }[];
}

function requiredKinds({ csv }: Bundle): Kind[] {
  const definitions = (csv.spec?.customresourcedefinitions?.required ?? []).map((each) => ({
    ...kindOf(each),
    group: (each.name ?? '').split('.').slice(1).join('.'),
  }));
  return [...definitions, ...(csv.spec?.apiservicedefinitions?.required ?? []).map(kindOf)];
}

function kindOf({ group = '', kind = '', version = '' }: Partial<Kind>): Kind {
  return { group, kind, version };
}

/** The members that Go writes although they are empty, by the list that contains the objects. */
const writtenMembers: Readonly<Record<string, JsonObject>> = {
  resources: { name: '', kind: '', version: '' },
  specDescriptors: { path: '' },
  statusDescriptors: { path: '' },
  actionDescriptors: { path: '' },
  installModes: { type: '', supported: false },
  nativeAPIs: { group: '', version: '', kind: '' },
};
const definitionMembers = { name: '', version: '', kind: '' };

/** What consoles show of a bundle, from the ClusterServiceVersion. */
function metadataOf({ csv }: Bundle): JsonObject {
  const { annotations, labels } = { ...csv.metadata } as JsonObject;
  const { apiservicedefinitions, customresourcedefinitions, provider, ...spec } = { ...csv.spec } as JsonObject;
  const names = [
    ...['description', 'displayName', 'installModes', 'keywords', 'links', 'maintainers', 'maturity', 'minKubeVersion'],
    'nativeAPIs',
  ];
  const shown = { annotations, labels, ...Object.fromEntries(names.map((name) => [name, spec[name]])) };
  return {
    ...(written(shown) as JsonObject),
    apiServiceDefinitions: described(apiservicedefinitions, { group: '', ...definitionMembers }),
    crdDescriptions: described(customresourcedefinitions, definitionMembers),
    provider: written(provider ?? {}),
  };
}

function described(kinds: unknown, members: JsonObject): unknown {
  const { owned, required } = isJsonObject(kinds) ? kinds : {};
  const completed = (list: unknown): unknown =>
    Array.isArray(list) ? list.map((each: unknown) => ({ ...members, ...(written(each) as object) })) : undefined;
  const lists = { owned: completed(owned), required: completed(required) };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => !isEmpty(list)));
}

/** A value as Go writes it: without empty members, except {@link writtenMembers}. */
function written(value: unknown, members: JsonObject = {}): unknown {
  if (!isJsonObject(value)) return value;
  const result: JsonObject = { ...members };
  for (const [name, member] of Object.entries(value)) {
    if (name === 'value') setKey(result, name, member);
    else if (Array.isArray(member) && member.length > 0) {
      setKey(
        result,
        name,
        member.map((each: unknown) => written(each, writtenMembers[name])),
      );
    } else if (!isEmpty(member) || Object.hasOwn(members, name)) setKey(result, name, member);
  }
  return result;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The related images, the bundle image, and the images of the Deployments. */
function imagesOf({ csv }: Bundle, bundleImage: string): RenderedBundle['relatedImages'] {
  const related = (csv.spec?.relatedImages ?? []).map(({ name = '', image = '' }) => ({ name, image }));
  const { strategy, spec } = csv.spec?.install ?? {};
  const deployments = strategy === 'deployment' ? (spec?.deployments ?? []) : [];
  const used = deployments.flatMap((deployment) => {
    const pod = deployment.spec?.template?.spec;
    return [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map(({ image = '' }) => image);
  });
  const known = new Set(related.map(({ image }) => image));
  const others = [bundleImage, ...[...new Set(used)].sort()].filter((image) => !known.has(image));
  return [...related, ...[...new Set(others)].map((image) => ({ name: '', image }))];
}
