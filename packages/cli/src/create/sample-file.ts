import { isJsonObject } from '@evenkeel/apimachinery/json';
import { type Document, parseAllDocuments } from 'yaml';
import type { DeclaredKind } from './find-kind.ts';
import type { ProjectSources } from './project-sources.ts';

/** The first object of a kind in a file. */
export interface SampleOfKind {
  readonly path: string;
  readonly document: Document;
  readonly object: Readonly<Record<string, unknown>>;
  /** Whether the file has objects of this kind only. */
  readonly isAlone: boolean;
}

/** Returns the first object of a kind, or of one version, in a YAML file; undefined if there is none. */
export function sampleOf(
  project: ProjectSources,
  path: string,
  { kind, group, versions }: DeclaredKind,
): SampleOfKind | undefined {
  const parsed = parseAllDocuments(project.changes.read(path) ?? '');
  const documents = Array.isArray(parsed) ? (parsed as Document[]).filter(({ contents }) => contents !== null) : [];
  const apiVersions = versions.map(({ version }) => `${group}/${version}`);
  const found = documents.flatMap((document) => {
    const object: unknown = document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 });
    const isOfKind =
      isJsonObject(object) && object['kind'] === kind && apiVersions.includes(String(object['apiVersion']));
    return isOfKind ? [{ document, object }] : [];
  });
  const [first] = found;
  return first === undefined ? undefined : { ...first, path, isAlone: found.length === documents.length };
}
