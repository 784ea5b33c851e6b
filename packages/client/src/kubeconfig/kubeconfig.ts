import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';

/** A cluster, user or context of a file, unparsed. Its relative paths start at the folder of the file. */
export interface KubeconfigEntry {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One or several kubeconfig files, merged as in kubectl: the first file that sets a value wins. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
}

/** Reads and merges files. Throws `kubeconfig-not-found` and `invalid-kubeconfig`; messages never include contents. */
export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const clusters = new Map<string, KubeconfigEntry>();
  const users = new Map<string, KubeconfigEntry>();
  const contexts = new Map<string, KubeconfigEntry>();
  let currentContext: string | undefined;
  for (const file of files) {
    const root = await parseFile(file);
    addEntries(clusters, root['clusters'], 'cluster', file);
    addEntries(users, root['users'], 'user', file);
    addEntries(contexts, root['contexts'], 'context', file);
    const current = root['current-context'];
    if (currentContext === undefined && typeof current === 'string' && current !== '') currentContext = current;
  }
  return { files, currentContext, clusters, users, contexts };
}

async function parseFile(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const isAbsent = (error as { code?: unknown }).code === 'ENOENT';
    throw new EvenkeelError(
      'kubeconfig-not-found',
      isAbsent
        ? `${file}: the kubeconfig does not exist; pass an existing file with --kubeconfig FILE or KUBECONFIG`
        : `${file}: cannot read the kubeconfig: ${(error as Error).message}`,
      { cause: error },
    );
  }
  const value = text.trimStart().startsWith('{') ? parseJson(text, file) : await parseYaml(text, file);
  if (value === null || value === undefined) return {};
  if (!isJsonObject(value)) throw invalid(file, 'it is not a mapping; check that it is a kubeconfig');
  return value;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(file, 'it starts like JSON but is invalid JSON; fix it');
  }
}

/**
 * Loads the parser only here, so that a pod, which has no kubeconfig, does not load it. Omits the parser's messages,
 * because they quote the file.
 */
async function parseYaml(text: string, file: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) {
    try {
      return document.toJS();
    } catch (cause) {
      // For example aliases that expand exponentially.
      throw invalid(file, 'its YAML aliases cannot be resolved; fix or remove them', cause);
    }
  }
  const at = error.linePos?.[0];
  throw invalid(file, `invalid YAML${at === undefined ? '' : ` (line ${at.line}, column ${at.col})`}`);
}

function addEntries(entries: Map<string, KubeconfigEntry>, list: unknown, what: string, file: string): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw invalid(file, `"${what}s" is not a list; fix it`);
  for (const item of list as unknown[]) {
    const name = isJsonObject(item) ? item['name'] : undefined;
    if (!isJsonObject(item) || typeof name !== 'string')
      throw invalid(file, `an entry of "${what}s" has no name; add one`);
    const fields = item[what] ?? {};
    if (!isJsonObject(fields)) throw invalid(file, `the ${what} "${name}" is not a mapping; fix it`);
    if (!entries.has(name)) entries.set(name, { name, file, folder: dirname(file), fields });
  }
}

export function invalid(file: string, why: string, cause?: unknown): EvenkeelError {
  return new EvenkeelError('invalid-kubeconfig', `${file}: invalid kubeconfig: ${why}`, { cause });
}
