import { decodeBase64 } from '@evenkeel/apimachinery/base64';
import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { TypeMismatch } from '../bundle/json-types.ts';
import { parseYaml } from '../bundle/yaml-document.ts';
import { type CatalogBundle, type CatalogProperty, type Located, propertyTypes } from '../catalog/catalog.ts';
import { decodeDocument } from '../catalog/decode-document.ts';
import { hasDigest, imageReferenceError } from '../format/image-reference.ts';
import { identifierIn, parseVersion, versionText } from '../format/semantic-version.ts';
import { parseRange } from '../format/version-range.ts';
import { type CheckedCatalog, firstAndRepeated } from './checked-catalog.ts';
import { constraintProblem } from './constraint-problem.ts';

type FoundBundle = Located<CatalogBundle>;

/** As in the CRD of ClusterServiceVersions. */
const releaseLongest = 20;

/** The checks of bundles in a catalog. */
export function checkCatalogBundles(checked: CheckedCatalog): void {
  const { bundles, channels } = checked.catalog;
  const keyOf = ({ value }: FoundBundle): string => JSON.stringify([value.package, value.name]);
  for (const [found, first] of firstAndRepeated(bundles, keyOf).repeated) {
    const message = `${first.document.file} has the bundle ${found.value.name} too; remove one of them`;
    checked.add('bundle-duplicate', found, ['name'], message);
  }
  const inChannels = new Set(
    channels.flatMap(({ value }) => (value.entries ?? []).map(({ name }) => JSON.stringify([value.package, name]))),
  );
  const versions = new Map<string, FoundBundle>();
  for (const found of bundles) {
    const { name, package: packageName } = found.value;
    if (!name) checked.add('bundle-name-missing', found, ['name'], 'it is missing; set the name of the bundle');
    if (!packageName) {
      checked.add('bundle-package-missing', found, ['package'], 'it is missing; set the package of the bundle');
    }
    if (name && packageName && checked.isPackage(packageName) && !inChannels.has(keyOf(found))) {
      const message = `bundle ${name} is in no channel of the package; add an entry to a channel, or remove the bundle`;
      checked.add('bundle-not-in-channel', found, ['name'], message);
    }
    checkImages(checked, found);
    const version = checkProperties(checked, found);
    if (version === undefined) continue;
    const key = JSON.stringify([packageName, version]);
    const other = versions.get(key);
    if (other !== undefined && other.value.name !== name) {
      const message = `bundle ${other.value.name} in ${other.document.file} has the version ${version} too; change one of them`;
      checked.add('bundle-version-duplicate', found, ['properties'], message);
    }
    versions.set(key, other ?? found);
  }
}

function checkImages(checked: CheckedCatalog, found: FoundBundle): void {
  const { image, relatedImages = [], properties = [] } = found.value;
  if (!image && !properties.some(({ type }) => type === 'olm.bundle.object')) {
    checked.add('bundle-image-missing', found, ['image'], 'it is missing; set the reference of the bundle image');
  }
  const images = [
    { path: ['image'], image },
    ...relatedImages.map((related, index) => ({ path: ['relatedImages', index, 'image'], image: related.image })),
  ];
  for (const each of images) {
    const problem = each.image ? imageReferenceError(each.image) : undefined;
    if (problem === undefined) continue;
    const message = `${JSON.stringify(each.image)} is invalid: ${problem}; correct the reference`;
    checked.add('bundle-image-invalid', found, each.path, message);
  }
  if (image && imageReferenceError(image) === undefined && !hasDigest(image)) {
    const message = `${image} has no digest, so its content can change after the release; write it as NAME@sha256:...`;
    checked.add('bundle-image-digest', found, ['image'], message);
  }
}

/** Returns the version with the release, if both are valid. */
function checkProperties(checked: CheckedCatalog, found: FoundBundle): string | undefined {
  const { properties = [] } = found.value;
  let isValid = true;
  for (const [index, property] of properties.entries()) {
    if (!checkProperty(checked, found, property, index)) isValid = false;
  }
  const packages = properties.flatMap(({ type }, index) => (type === 'olm.package' ? [index] : []));
  const [index] = packages;
  if (index === undefined || packages.length > 1) {
    const message = `the bundle must have exactly one property olm.package, and has ${packages.length}; add or remove some`;
    checked.add('bundle-package-property', found, ['properties'], message);
  }
  if (isValid) checkMetadata(checked, found);
  if (index === undefined || !isValid) return undefined;
  const decoded = decodeDocument(properties[index]?.value, propertyTypes['olm.package'] ?? {}).value ?? {};
  return checkVersion(checked, found, decoded, ['properties', index, 'value']);
}

interface PackageProperty {
  readonly packageName?: string;
  readonly version?: string;
  readonly release?: string;
}

function checkVersion(
  checked: CheckedCatalog,
  found: FoundBundle,
  { packageName = '', version: text = '', release = '' }: PackageProperty,
  path: readonly (string | number)[],
): string | undefined {
  const { name = '', package: owner } = found.value;
  if (packageName !== owner) {
    const message = `${JSON.stringify(packageName)} is not the package ${owner} of the bundle; use that name`;
    checked.add('bundle-package-property', found, [...path, 'packageName'], message);
  }
  const version = parseVersion(text);
  if (version === undefined) {
    const message = `${JSON.stringify(text)} is not a semantic version; write it as 1.2.3`;
    checked.add('bundle-version-invalid', found, [...path, 'version'], message);
    return undefined;
  }
  if (release === '') return versionText(version);
  if (release.length > releaseLongest || release.split('.').some((part) => identifierIn(part) === undefined)) {
    const message = `${JSON.stringify(release)} is invalid; write at most ${releaseLongest} characters: words of letters, digits and - with dots between them, and numbers without leading zeros`;
    checked.add('bundle-release-invalid', found, [...path, 'release'], message);
    return undefined;
  }
  if (version.build.length > 0) {
    const message = 'a version with a build cannot have a release; remove one of them';
    checked.add('bundle-release-invalid', found, [...path, 'release'], message);
  }
  const withRelease = `${versionText(version)}-${release}`;
  const expected = `${owner}-v${withRelease}`;
  if (name !== expected) {
    const message = `a bundle with a release must have the name ${expected}; rename it`;
    checked.add('bundle-release-name', found, ['name'], message);
  }
  return withRelease;
}

/** The members that registries need in properties. Source: operator-registry `alpha/property`. */
const requiredMembers: Readonly<Record<string, readonly string[]>> = {
  'olm.package': ['packageName', 'version'],
  'olm.package.required': ['packageName', 'versionRange'],
  'olm.gvk': ['group', 'version', 'kind'],
  'olm.gvk.required': ['group', 'version', 'kind'],
  'olm.bundle.object': ['data'],
};

/** Returns whether registries can read the property. */
function checkProperty(
  checked: CheckedCatalog,
  found: FoundBundle,
  { type, value }: CatalogProperty,
  index: number,
): boolean {
  const path = ['properties', index];
  if (value === undefined) {
    checked.add('property-invalid', found, path, `${type || 'a property'} needs a value; add it`);
    return false;
  }
  if (!type) {
    checked.add('property-incomplete', found, path, 'a property needs a type; add it, such as olm.gvk');
    return true;
  }
  const node = Object.hasOwn(propertyTypes, type) ? propertyTypes[type] : undefined;
  try {
    const decoded = node === undefined ? value : decodeDocument(value, node).value;
    if (type === 'olm.bundle.object' && !isBundleObject(decoded)) {
      const message = 'data is not an object in JSON or YAML; encode an object, or replace it by olm.csv.metadata';
      checked.add('property-invalid', found, [...path, 'value', 'data'], message);
      return false;
    }
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    const message = `${error.message}; correct the value`;
    checked.add('property-invalid', found, [...path, 'value', ...error.path], message);
    return false;
  }
  const members = isJsonObject(value) ? value : {};
  const missing = (requiredMembers[type] ?? []).filter((member) => !valueAt(members, member));
  if (missing.length > 0 && type !== 'olm.package') {
    checked.add('property-incomplete', found, [...path, 'value'], `${type} needs ${missing.join(', ')}; add it`);
  }
  const range = type === 'olm.package.required' ? valueAt(members, 'versionRange') : undefined;
  if (typeof range === 'string' && range !== '' && parseRange(range) === undefined) {
    const message = `${JSON.stringify(range)} is not a range; write it as ">=1.0.0 <2.0.0"`;
    checked.add('property-incomplete', found, [...path, 'value', 'versionRange'], message);
  }
  const problem = type === 'olm.constraint' ? constraintProblem(value) : undefined;
  if (problem !== undefined) {
    checked.add('constraint-invalid', found, [...path, 'value', ...problem.path], problem.message);
  }
  return true;
}

function isBundleObject(value: unknown): boolean {
  const data = isJsonObject(value) ? valueAt(value, 'data') : undefined;
  return typeof data !== 'string' || data === '' || !('reason' in parseYaml(decodeBase64(data).toString('utf8')));
}

function checkMetadata(checked: CheckedCatalog, found: FoundBundle): void {
  const { properties = [] } = found.value;
  const objects = properties.findIndex(({ type }) => type === 'olm.bundle.object');
  if (objects !== -1) {
    const message =
      'OpenShift 4.17 and later ignore it; replace it by olm.csv.metadata, as "evenkeel catalog" writes it';
    checked.add('bundle-object-property', found, ['properties', objects], message);
  } else if (!properties.some(({ type }) => type === 'olm.csv.metadata')) {
    const message =
      'the property olm.csv.metadata is missing, so consoles show no description; add the bundle with "evenkeel catalog"';
    checked.add('bundle-metadata-missing', found, ['properties'], message);
  }
}
