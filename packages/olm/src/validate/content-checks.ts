import { gzipSync } from 'node:zlib';
import { packageNameOf } from '../bundle/bundle.ts';
import { imageReferenceError } from '../format/image-reference.ts';
import { identifierIn, parseTolerantVersion, versionText } from '../format/semantic-version.ts';
import type { CheckedBundle } from './checked-bundle.ts';

/** The largest bundle, compressed and in base64. OLM stores it in one ConfigMap, and etcd limits a request to 1 MiB. */
const compressedMax = 1024 * 1024;
const nearlyMax = 0.85;

/** The checks of the bundle as a whole. */
export function checkContent(checked: CheckedBundle): void {
  checkServiceAccounts(checked);
  checkSize(checked);
  checkRelease(checked);
  checkRelatedImages(checked);
}

function checkServiceAccounts(checked: CheckedBundle): void {
  const used = new Set(
    (checked.spec.install?.spec?.deployments ?? []).map(({ spec }) => spec?.template?.spec?.serviceAccountName ?? ''),
  );
  for (const object of checked.bundle.objects) {
    if (object.apiVersion !== 'v1' || object.kind !== 'ServiceAccount' || !used.has(object.name)) continue;
    const message = `OLM creates the ServiceAccount ${object.name} of the Deployment itself; remove it from the bundle, or give it another name`;
    checked.report.add('service-account-duplicate', message, object);
  }
}

function checkSize(checked: CheckedBundle): void {
  const size = checked.bundle.files.reduce((sum, { content }) => sum + base64Length(gzipSync(content).length), 0);
  if (size <= nearlyMax * compressedMax) return;
  const shown = `${Math.round(size / 1024)} KiB compressed, of ${compressedMax / 1024} KiB`;
  if (size > compressedMax) {
    checked.report.add('bundle-too-large', `the bundle has ${shown}; shorten icons, descriptions and CRDs`);
  } else checked.report.add('bundle-nearly-too-large', `the bundle has ${shown}; shorten it before it grows`);
}

function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

function checkRelease(checked: CheckedBundle): void {
  const { release, version } = checked.spec;
  if (release === undefined || release === null || release === '') return;
  const parsed = parseTolerantVersion(version ?? '0.0.0');
  const identifiers = release.split('.').map(identifierIn);
  const expected = `${packageNameOf(checked.bundle)}-v${parsed === undefined ? '' : versionText(parsed)}-${identifiers.join('.')}`;
  if (checked.bundle.name === expected) return;
  checked.add(
    'release-name-mismatch',
    ['metadata', 'name'],
    `the bundle sets spec.release, so metadata.name must be ${expected}; change the name`,
  );
}

function checkRelatedImages(checked: CheckedBundle): void {
  for (const [index, { image }] of (checked.spec.relatedImages ?? []).entries()) {
    const path = ['spec', 'relatedImages', index, 'image'];
    if (!image) {
      checked.add('related-image-missing', path, 'it is missing; add the reference of the image');
      continue;
    }
    const problem = imageReferenceError(image);
    if (problem === undefined) continue;
    checked.add('related-image-invalid', path, `${JSON.stringify(image)} is not a reference to an image: ${problem}`);
  }
}
