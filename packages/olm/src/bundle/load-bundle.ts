import { posix } from 'node:path';
import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { decodeCustomResourceDefinition } from '@evenkeel/schema/evaluate';
import { identifierIn, parseTolerantVersion } from '../format/semantic-version.ts';
import type { BundleCheck } from '../validate/bundle-check.ts';
import type { OlmReport } from '../validate/finding.ts';
import { currentForm } from './beta-definition.ts';
import type { Bundle, BundleObject } from './bundle.ts';
import type { BundleFile } from './bundle-folder.ts';
import { type ClusterServiceVersion, clusterServiceVersionSchema } from './cluster-service-version.ts';
import { decodeTyped, TypeMismatch } from './json-types.ts';
import { parseYaml, type YamlDocument, type YamlProblem } from './yaml-document.ts';

const csvKind = 'ClusterServiceVersion';
const definitionKind = 'CustomResourceDefinition';

/**
 * Builds a bundle from its files. The folder of the ClusterServiceVersion has its other objects, wherever it is; the annotations are in
 * any file whose name starts with `annotations`. Returns undefined if there are errors, which are in the report then.
 *
 * Source: `bundleloader.go` of github.com/operator-framework/api.
 */
export async function loadBundle(
  files: readonly BundleFile[],
  report: OlmReport<BundleCheck>,
): Promise<Bundle | undefined> {
  const parsed = new Map<string, YamlDocument | YamlProblem>();
  const parsedFile = (file: BundleFile): YamlDocument | YamlProblem => {
    let document = parsed.get(file.path);
    if (document === undefined) {
      document = parseYaml(file.content.toString('utf8'));
      parsed.set(file.path, document);
    }
    return document;
  };
  const visible = files.filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')));
  const annotations = annotationsIn(visible, parsedFile, report);
  const folder = visible.map((file) => csvFolder(file, parsedFile(file))).findLast((found) => found !== undefined);
  if (folder === undefined) {
    reportMissingCsv(visible, parsedFile, report);
    return undefined;
  }
  const objects = files
    .filter(({ path }) => isBelow(path, folder))
    .map((file) => objectIn(file, folder, parsedFile, report))
    .filter((object) => object !== undefined);
  const versions = objects.filter(({ kind }) => kind === csvKind);
  const [csvObject, second] = versions;
  if (second !== undefined && csvObject !== undefined) {
    report.add('csv-duplicate', `${csvObject.file} has a ClusterServiceVersion too; remove one of them`, second);
  }
  const csv = csvObject === undefined ? undefined : await readCsv(csvObject, report);
  for (const object of objects) if (object.kind === definitionKind) checkDefinitionTypes(object, report);
  if (report.hasErrors || csv === undefined || csvObject === undefined) return undefined;
  return { files, name: csv.metadata?.name ?? '', csv, csvObject, objects, annotations };
}

/** The ClusterServiceVersion may be in a file that cannot be parsed. */
function reportMissingCsv(
  files: readonly BundleFile[],
  parsedFile: (file: BundleFile) => YamlDocument | YamlProblem,
  report: OlmReport<BundleCheck>,
): void {
  const manifests = files.filter(({ path }) => /\.(?:ya?ml|json)$/.test(path));
  for (const file of manifests) {
    const document = parsedFile(file);
    if ('reason' in document && !posix.basename(file.path).startsWith('annotations')) {
      reportUnparsable(file, document, report);
    }
  }
  const message = files.some(({ path }) => path.startsWith('manifests/'))
    ? 'the bundle has no ClusterServiceVersion; add its file to manifests/'
    : 'the folder has no manifests/ and no ClusterServiceVersion; pass the folder that contains manifests/';
  report.add('csv-missing', message);
}

function reportUnparsable({ path }: BundleFile, { line, reason }: YamlProblem, report: OlmReport<BundleCheck>): void {
  report.add('object-invalid', `${reason}; write one object as YAML or JSON`, { file: path, line });
}

function annotationsIn(
  files: readonly BundleFile[],
  parsedFile: (file: BundleFile) => YamlDocument | YamlProblem,
  report: OlmReport<BundleCheck>,
): Record<string, string> {
  let annotations: Record<string, string> = {};
  for (const file of files) {
    if (!posix.basename(file.path).startsWith('annotations')) continue;
    const document = parsedFile(file);
    if ('reason' in document) {
      const place = { file: file.path, line: document.line };
      report.add('annotations-file-invalid', `${document.reason}; write it as YAML`, place);
      continue;
    }
    const found = isJsonObject(document.value) ? valueAt(document.value, 'annotations') : undefined;
    const entries = isJsonObject(found) ? Object.entries(found) : [];
    const wrong = entries.find(([, value]) => typeof value !== 'string' && value !== null);
    if (wrong !== undefined || (found !== undefined && found !== null && !isJsonObject(found))) {
      const path = wrong === undefined ? ['annotations'] : ['annotations', wrong[0]];
      report.add('annotations-file-invalid', 'it must be a string; put the value in quotes', {
        file: file.path,
        document,
        path,
      });
      continue;
    }
    annotations = Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }
  return annotations;
}

/** The folder of a file that has a ClusterServiceVersion. */
function csvFolder({ path }: BundleFile, document: YamlDocument | YamlProblem): string | undefined {
  if ('reason' in document || !isJsonObject(document.value)) return undefined;
  return valueAt(document.value, 'kind') === csvKind ? posix.dirname(path) : undefined;
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`);
}

function objectIn(
  file: BundleFile,
  folder: string,
  parsedFile: (file: BundleFile) => YamlDocument | YamlProblem,
  report: OlmReport<BundleCheck>,
): BundleObject | undefined {
  const place = { file: file.path };
  const inside = folder === '.' ? file.path : file.path.slice(folder.length + 1);
  if (inside.includes('/')) {
    report.add('folder-nested', 'OLM does not read folders in manifests/; move this file to manifests/', place);
    return undefined;
  }
  if (inside.startsWith('.')) {
    report.add('file-hidden', 'OLM rejects hidden files in manifests/; remove this file', place);
    return undefined;
  }
  const document = parsedFile(file);
  if ('reason' in document) {
    reportUnparsable(file, document, report);
    return undefined;
  }
  const { value } = document;
  const kind = isJsonObject(value) ? valueAt(value, 'kind') : undefined;
  if (!isJsonObject(value) || typeof kind !== 'string' || kind === '') {
    report.add('object-invalid', 'it is not an object with a kind; remove the file, or add the kind', {
      ...place,
      document,
    });
    return undefined;
  }
  if (textAt(value, 'apiVersion').split('/').length > 2) {
    const message = 'it must be GROUP/VERSION or VERSION; correct it';
    report.add('object-invalid', message, { ...place, document, path: ['apiVersion'] });
    return undefined;
  }
  const metadata = valueAt(value, 'metadata');
  return {
    file: file.path,
    document,
    value,
    kind,
    apiVersion: textAt(value, 'apiVersion'),
    name: isJsonObject(metadata) ? textAt(metadata, 'name') : '',
  };
}

async function readCsv(
  object: BundleObject,
  report: OlmReport<BundleCheck>,
): Promise<ClusterServiceVersion | undefined> {
  let csv: ClusterServiceVersion;
  try {
    csv = decodeTyped(object.value, await clusterServiceVersionSchema(), 'yaml') as ClusterServiceVersion;
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    report.add('csv-field-type', `${error.message}; correct the value`, { ...object, path: error.path });
    return undefined;
  }
  const { version, release } = csv.spec ?? {};
  if (version !== undefined && parseTolerantVersion(version) === undefined) {
    const message = `${JSON.stringify(version)} is not a semantic version; write it as 1.2.3`;
    report.add('csv-field-type', message, { ...object, path: ['spec', 'version'] });
  }
  if (release?.split('.').some((part) => identifierIn(part) === undefined) === true) {
    const message = `${JSON.stringify(release)} is not a valid release; write words of letters, digits and - with dots between them, and numbers without leading zeros`;
    report.add('csv-field-type', message, { ...object, path: ['spec', 'release'] });
  }
  return csv;
}

function checkDefinitionTypes(object: BundleObject, report: OlmReport<BundleCheck>): void {
  const version = /^apiextensions\.k8s\.io\/(v1|v1beta1)$/.exec(object.apiVersion)?.[1];
  if (version === undefined) {
    const message = `${JSON.stringify(object.apiVersion)} is unsupported; use apiextensions.k8s.io/v1`;
    report.add('definition-version-unsupported', message, { ...object, path: ['apiVersion'] });
    return;
  }
  const [error] = decodeCustomResourceDefinition(currentForm(object)).errors;
  if (error === undefined) return;
  report.add('definition-field-type', `${error.field}: ${error.detail}; correct the value`, object);
}

function textAt(object: JsonObject, key: string): string {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : '';
}
