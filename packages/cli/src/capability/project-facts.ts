import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { messageOf } from '@evenkeel/core';
import { type Bundle, type CapabilityFacts, currentForm, type ManifestFact } from '@evenkeel/olm';
import { parseAllDocuments } from 'yaml';
import { generatedDeployment } from '../cluster/generated-deployment.ts';
import { reportFindings } from '../generate/report.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

type DeclaredFacts = Pick<CapabilityFacts, 'definitions' | 'manifests'>;

/**
 * Collects what a project declares: its CRDs, and the manifests in its output folder, generated or not. Reports errors of the project, and
 * returns undefined then.
 */
export async function projectFacts(
  config: string | undefined,
  terminal: CommandTerminal,
): Promise<DeclaredFacts | undefined> {
  const { deployment, errors, generated } = await generatedDeployment(config, {}, terminal);
  if (deployment === undefined || generated === undefined) {
    reportFindings(errors, false, terminal);
    return undefined;
  }
  const { folder, files } = generated;
  const manifests: ManifestFact[] = deployment.objects.map((object) => {
    const { namespace, name } = object.metadata;
    const place = `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
    return { place, object: { ...object } };
  });
  const written = new Set(files.map(({ name }) => name));
  for await (const name of glob('**/*.{yaml,yml}', { cwd: folder })) {
    if (written.has(name)) continue;
    const path = resolve(folder, name);
    manifests.push(...objectsOf(path, relative(terminal.folder, path), terminal));
  }
  return { definitions: definitionsIn(manifests.map(({ object }) => object)), manifests };
}

/** Returns what a bundle declares, which another tool may have made. */
export function bundleFacts(bundle: Bundle, folder: string): DeclaredFacts {
  const place = (file: string): string => join(folder, file);
  const deployments = bundle.csv.spec?.install?.spec?.deployments ?? [];
  return {
    definitions: bundle.objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(currentForm),
    manifests: [
      ...bundle.objects.map(({ file, value }) => ({ place: place(file), object: value })),
      ...deployments.map(({ spec }) => ({
        place: place(bundle.csvObject.file),
        object: { kind: 'Deployment', spec } satisfies JsonObject,
      })),
    ],
  };
}

function definitionsIn(objects: readonly JsonObject[]): JsonObject[] {
  return objects.filter((object) => valueAt(object, 'kind') === 'CustomResourceDefinition');
}

function objectsOf(path: string, shown: string, terminal: CommandTerminal): ManifestFact[] {
  try {
    const documents = parseAllDocuments(readFileSync(path, 'utf8'), { logLevel: 'silent' });
    return [...documents].flatMap((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      const object: unknown = document.toJS({ maxAliasCount: 100 });
      return isJsonObject(object) ? [{ place: shown, object }] : [];
    });
  } catch (error) {
    terminal.finding({ level: 'notice', message: `${shown}: not read: ${messageOf(error).split('\n', 1)[0]}` });
    return [];
  }
}
