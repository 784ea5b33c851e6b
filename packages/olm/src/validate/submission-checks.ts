import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { readBundle } from '../bundle/read-bundle.ts';
import { parseYaml } from '../bundle/yaml-document.ts';
import type { BundleCheck } from './bundle-check.ts';
import type { CheckedBundle } from './checked-bundle.ts';
import { OlmReport } from './finding.ts';

const updateGraphs = ['replaces-mode', 'semver-mode'];
const ciFile = '../ci.yaml';
/** A ci.yaml has some lines. */
const ciBytesMax = 64 * 1024;

/**
 * What OperatorHub's pipeline checks about the files next to a bundle, if its folder is `operators/PACKAGE/VERSION` as in the
 * repository community-operators.
 */
export async function checkSubmission(checked: CheckedBundle, folder: string): Promise<void> {
  const packageFolder = dirname(folder);
  if (basename(dirname(packageFolder)) !== 'operators') return;
  const { version, replaces } = checked.spec;
  if (version && basename(folder) !== version) {
    const message = `it is ${version}, but the folder is ${basename(folder)}; rename the folder to ${version}`;
    checked.add('submission-folder', ['spec', 'version'], message);
  }
  const updateGraph = await checkUpdateGraph(checked, folder);
  if (!replaces || updateGraph === 'semver-mode' || (await hasBundle(packageFolder, replaces))) return;
  const message = `no bundle next to this one has the name ${replaces}; correct the name, or submit that version first`;
  checked.add('submission-replaces-unknown', ['spec', 'replaces'], message);
}

async function checkUpdateGraph(checked: CheckedBundle, folder: string): Promise<unknown> {
  const path = join(folder, ciFile);
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isFile() || stats.size > ciBytesMax) return undefined;
  const document = parseYaml(await readFile(path, 'utf8'));
  if (!('value' in document)) {
    const message = `${document.reason}; write it as YAML`;
    checked.report.add('submission-ci-invalid', message, { file: ciFile, line: document.line });
    return undefined;
  }
  const updateGraph = isJsonObject(document.value) ? valueAt(document.value, 'updateGraph') : undefined;
  if (updateGraph === undefined || updateGraphs.some((each) => each === updateGraph)) return updateGraph;
  const message = `${JSON.stringify(updateGraph)} is not a mode; use ${updateGraphs.join(' or ')}`;
  checked.report.add('submission-ci-invalid', message, { file: ciFile, document, path: ['updateGraph'] });
  return updateGraph;
}

async function hasBundle(packageFolder: string, name: string): Promise<boolean> {
  for (const entry of await readdir(packageFolder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const other = await readBundle(join(packageFolder, entry.name), new OlmReport<BundleCheck>());
    if (other?.name === name) return true;
  }
  return false;
}
