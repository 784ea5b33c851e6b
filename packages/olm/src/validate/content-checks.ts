import { gzipSync } from 'node:zlib';
import { objectBytesMax } from '@evenkeel/apimachinery/limits';
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
  checkObjectSizes(checked);
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
  const sizes = checked.bundle.files.map(({ content }) => base64Length(gzipSync(content).length));
  const size = sizes.reduce((sum, each) => sum + each, 0);
  if (size <= nearlyMax * compressedMax) return;
  const largest = checked.bundle.files[sizes.indexOf(Math.max(...sizes))]?.path;
  const shown = `${inKiB(size)} compressed, of ${inKiB(compressedMax)}; its largest file is ${largest}`;
  if (size > compressedMax) {
    checked.report.add('bundle-too-large', `the bundle has ${shown}; shorten icons, descriptions and CRDs`);
  } else checked.report.add('bundle-nearly-too-large', `the bundle has ${shown}; shorten it before it grows`);
}

function checkObjectSizes(checked: CheckedBundle): void {
  for (const object of checked.bundle.objects) {
    const size = jsonSize(object.value);
    if (size <= objectBytesMax) continue;
    const path = pathOfMost(object.value);
    const message = `the ${object.kind} has ${inKiB(size)}, and the API server stores at most ${inKiB(objectBytesMax)}, so it cannot be installed; shorten ${path.length === 0 ? 'it' : 'this field'}`;
    checked.report.add('object-too-large', message, { ...object, path });
  }
}

/** The path of the smallest part that has more than half of the size of the value. */
function pathOfMost(value: unknown): (string | number)[] {
  const half = jsonSize(value) / 2;
  const path: (string | number)[] = [];
  for (let part = value; typeof part === 'object' && part !== null; ) {
    const largest = Object.entries(part).find(([, each]) => jsonSize(each) > half);
    if (largest === undefined) break;
    const [key, content]: [string, unknown] = largest;
    path.push(Array.isArray(part) ? Number(key) : key);
    part = content;
  }
  return path;
}

function jsonSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function inKiB(bytes: number): string {
  return `${Math.round(bytes / 1024)} KiB`;
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
