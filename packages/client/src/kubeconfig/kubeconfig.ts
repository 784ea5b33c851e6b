import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';

/** A cluster, user or context as a file has it, unparsed, and which file that is: its relative paths start there. */
export interface KubeconfigEntry {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One or several kubeconfig files, merged as kubectl merges them: the first to say something wins. */
export interface Kubeconfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
}

/** Reads and merges files. Throws `kubeconfig-not-found` and `invalid-kubeconfig`; messages never hold contents. */
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
        ? `there is no kubeconfig ${file}; name one that exists with --kubeconfig FILE or KUBECONFIG`
        : `the kubeconfig ${file} cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
  const value = text.trimStart().startsWith('{') ? parseJson(text, file) : await parseYaml(text, file);
  if (value === null || value === undefined) return {};
  if (!isJsonObject(value)) throw invalid(file, 'it holds no mapping; is it a kubeconfig?');
  return value;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(file, 'it is not JSON, though it begins like it');
  }
}

/** The parser is loaded only here: a pod, which has no kubeconfig, never pays for it. Its own messages quote the text. */
async function parseYaml(text: string, file: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) {
    try {
      return document.toJS();
    } catch (cause) {
      // Aliases that multiply themselves.
      throw invalid(file, 'its YAML aliases cannot be resolved', cause);
    }
  }
  const at = error.linePos?.[0];
  throw invalid(file, `it is not YAML${at === undefined ? '' : ` (line ${at.line}, column ${at.col})`}`);
}

function addEntries(entries: Map<string, KubeconfigEntry>, list: unknown, what: string, file: string): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw invalid(file, `${what}s is not a list`);
  for (const item of list as unknown[]) {
    const name = isJsonObject(item) ? item['name'] : undefined;
    if (!isJsonObject(item) || typeof name !== 'string') throw invalid(file, `an entry of ${what}s has no name`);
    const fields = item[what] ?? {};
    if (!isJsonObject(fields)) throw invalid(file, `the ${what} "${name}" is not a mapping`);
    if (!entries.has(name)) entries.set(name, { name, file, folder: dirname(file), fields });
  }
}

export function invalid(file: string, why: string, cause?: unknown): EvenkeelError {
  return new EvenkeelError('invalid-kubeconfig', `the kubeconfig ${file} cannot be used: ${why}`, { cause });
}
