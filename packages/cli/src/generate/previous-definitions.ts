import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import {
  customResourceDefinitionFileName,
  customResourceDefinitionYaml,
  type GenerationOptions,
} from '@evenkeel/schema';
import { checkCustomResourceDefinition } from '@evenkeel/schema/evaluate';
import type { LoadedConfig } from '../load/load-config.ts';

type PreviousDefinitions = NonNullable<GenerationOptions['previous']>;
type PreviousDefinition = NonNullable<ReturnType<PreviousDefinitions['replacedBy']>>;

/**
 * The CRDs that those of a project replace: those of its last release, or those that `evenkeel generate` wrote before. Throws
 * `invalid-config` for an invalid file in the folder of the release.
 *
 * @param folder messages show file paths relative to this folder.
 */
export async function previousDefinitions(
  { released, output }: LoadedConfig,
  folder: string,
): Promise<PreviousDefinitions> {
  if (released === undefined) return generatedDefinitions(join(output, 'crd'), folder);
  const files = await yamlFiles(released);
  const nested = (await readdir(released, { recursive: true })).find((name) => /[/\\].*\.ya?ml$/.test(name));
  if (nested !== undefined) {
    throw new EvenkeelError(
      'invalid-config',
      `released: ${relative(folder, join(released, nested))} is in a subfolder, which is not read; put the CRDs of your last release into ${relative(folder, released)} itself, and remove the subfolder`,
    );
  }
  const { parseAllDocuments } = await import('yaml');
  const definitions = [...files].flatMap(([name, text]) => {
    const file = relative(folder, join(released, name));
    const invalid = (why: string): EvenkeelError =>
      new EvenkeelError(
        'invalid-config',
        `released: ${file} is not a valid CRD: ${why}; copy the CRDs of your last release without changes`,
      );
    return [parseAllDocuments(text)].flat().flatMap((document): PreviousDefinition | [] => {
      if (!('toJS' in document)) return [];
      const [mistake] = document.errors;
      if (mistake !== undefined) throw invalid(mistake.message.split('\n')[0] ?? '');
      let value: unknown;
      try {
        value = document.toJS({ maxAliasCount: 100 });
      } catch (error) {
        throw invalid(error instanceof Error ? error.message : String(error));
      }
      if (!isJsonObject(value) || value['kind'] !== 'CustomResourceDefinition') return [];
      const [error] = checkCustomResourceDefinition(value).errors;
      if (error !== undefined) throw invalid(`${error.field}: ${error.detail}`);
      return { definition: value as unknown as PreviousDefinition['definition'], file };
    });
  });
  if (definitions.length === 0) {
    throw new EvenkeelError(
      'invalid-config',
      `released: ${relative(folder, released)} contains no CRD; copy the CRDs of your last release there, or remove the option`,
    );
  }
  const byName = new Map(definitions.map((previous) => [previous.definition.metadata.name, previous]));
  return { areReleased: true, replacedBy: ({ metadata }) => byName.get(metadata.name) };
}

/** A file that is not a valid CRD is ignored: the user can have changed it by hand, and it will be replaced. */
async function generatedDefinitions(output: string, folder: string): Promise<PreviousDefinitions> {
  const files = await yamlFiles(output);
  if (files.size === 0) return { areReleased: false, replacedBy: () => undefined };
  const { parse } = await import('yaml');
  return {
    areReleased: false,
    replacedBy: (definition) => {
      const name = customResourceDefinitionFileName(definition);
      const text = files.get(name)?.replaceAll('\r\n', '\n');
      // Parsing takes longer than writing, and most files are current.
      if (text === undefined || text === customResourceDefinitionYaml(definition)) return undefined;
      try {
        const value: unknown = parse(text, { maxAliasCount: 100 });
        if (checkCustomResourceDefinition(value).errors.length > 0) return undefined;
        return { definition: value as PreviousDefinition['definition'], file: relative(folder, join(output, name)) };
      } catch {
        return undefined;
      }
    },
  };
}

/** The texts of the YAML files in a folder, by name. Empty if there is no such folder. */
async function yamlFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name)).map(({ name }) => name);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}
