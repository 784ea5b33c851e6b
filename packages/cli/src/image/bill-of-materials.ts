import { createRequire } from 'node:module';
import { digestOf, hexOf } from '../registry/digest.ts';
import type { ImageReference } from '../registry/image-reference.ts';
import type { BundledPackage } from './bundled-packages.ts';
import { timeText } from './image.ts';

/** Throws for a string that is not a license expression of SPDX. The package is CommonJS without types. */
const parseExpression = createRequire(import.meta.url)('spdx-expression-parse') as (text: string) => object;

export interface Materials {
  readonly image: ImageReference;
  /** The digest of the image's manifest or index. */
  readonly digest: string;
  readonly application: BundledPackage;
  readonly packages: readonly BundledPackage[];
  readonly base: { readonly name: string; readonly reference: ImageReference | undefined; readonly digest: string };
  readonly epochSeconds: number;
  /** The version of this program. */
  readonly toolVersion: string;
}

/**
 * Returns the bill of materials of an image in SPDX 2.3 as JSON. It follows from its arguments: its namespace, which must be
 * unique, has the digest of the content instead of a random number.
 */
export function billOfMaterials(materials: Materials): Buffer {
  const { image, digest, application, base, packages, epochSeconds, toolVersion } = materials;
  const ids = new Set<string>();
  const root = packageOf('image', image.repository, digest, ids, {
    primaryPackagePurpose: 'CONTAINER',
    checksums: [{ algorithm: 'SHA256', checksumValue: hexOf(digest) }],
    externalRefs: [purlRef(imagePurl(image, digest))],
  });
  const below = packageOf('base', base.name, base.digest, ids, {
    primaryPackagePurpose: 'CONTAINER',
    checksums: [{ algorithm: 'SHA256', checksumValue: hexOf(base.digest) }],
    ...(base.reference === undefined ? {} : { externalRefs: [purlRef(imagePurl(base.reference, base.digest))] }),
  });
  const program = npmPackage(application, 'APPLICATION', ids);
  const libraries = packages.map((each) => npmPackage(each, 'LIBRARY', ids));
  const relation = (from: { SPDXID: string }, relationshipType: string, to: { SPDXID: string }) => ({
    spdxElementId: from.SPDXID,
    relationshipType,
    relatedSpdxElement: to.SPDXID,
  });
  const content = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: image.repository,
    creationInfo: { created: timeText(epochSeconds), creators: [`Tool: evenkeel-${toolVersion}`] },
    packages: [root, below, program, ...libraries],
    relationships: [
      relation({ SPDXID: 'SPDXRef-DOCUMENT' }, 'DESCRIBES', root),
      relation(root, 'DESCENDANT_OF', below),
      relation(root, 'CONTAINS', program),
      ...libraries.map((library) => relation(program, 'DEPENDS_ON', library)),
    ],
  };
  const namespace = `https://spdx.org/spdxdocs/${image.repository}-${hexOf(digestOf(JSON.stringify(content)))}`;
  return Buffer.from(`${JSON.stringify({ ...content, documentNamespace: namespace }, null, 2)}\n`);
}

function npmPackage(given: BundledPackage, primaryPackagePurpose: string, ids: Set<string>) {
  const { name, version, license } = given;
  const declared = expressionOf(license);
  return packageOf(`npm-${name.replace('@', '').replace('/', '.')}-${version}`, name, version, ids, {
    primaryPackagePurpose,
    ...(declared === undefined ? {} : { licenseDeclared: declared }),
    ...(declared === undefined && license !== undefined ? { licenseComments: `package.json: ${license}` } : {}),
    externalRefs: [purlRef(`pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`)],
  });
}

function packageOf(id: string, name: string, versionInfo: string, ids: Set<string>, others: object) {
  const base = `SPDXRef-${id.replace(/[^A-Za-z0-9.-]/g, '-')}`;
  let SPDXID = base;
  for (let next = 2; ids.has(SPDXID); next++) SPDXID = `${base}-${next}`;
  ids.add(SPDXID);
  return {
    SPDXID,
    name,
    versionInfo,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    ...others,
  };
}

/** A license of package.json; undefined if it is not an expression of SPDX, such as `SEE LICENSE IN file`. */
function expressionOf(license: string | undefined): string | undefined {
  if (license === undefined) return undefined;
  try {
    parseExpression(license);
    return license;
  } catch {
    return undefined;
  }
}

function purlRef(referenceLocator: string) {
  return { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator };
}

function imagePurl({ registry, repository, tag }: ImageReference, digest: string): string {
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const address = encodeURIComponent(`${registry}/${repository}`);
  const ofTag = tag === undefined ? '' : `&tag=${encodeURIComponent(tag)}`;
  return `pkg:oci/${name}@${encodeURIComponent(digest)}?repository_url=${address}${ofTag}`;
}
