import { relative } from 'node:path';
import type { ReportedFinding } from './generation.ts';
import type { OutputFile } from './output-files.ts';

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
}

/** The part of a generated CRD that clusters with an earlier one depend on. */
interface Versions {
  readonly definition: string;
  readonly versions: readonly Version[];
}

/**
 * Compares generated CRDs with those on disk that they replace, which clusters have. Reports an error for each removed version
 * that was the storage version or was served, and a notice for a new storage version.
 *
 * @param folder messages show file paths relative to this folder.
 */
export async function versionChanges(files: readonly OutputFile[], folder: string): Promise<ReportedFinding[]> {
  const findings: ReportedFinding[] = [];
  for (const { path, text, replaced } of files) {
    if (text === undefined || replaced === undefined || !/^kind: CustomResourceDefinition$/m.test(text)) continue;
    const now = await versionsIn(text);
    const before = await versionsIn(replaced);
    if (now === undefined || before === undefined) continue;
    findings.push(...changesOf(before, now, relative(folder, path)));
  }
  return findings;
}

/** Undefined if the text, which somebody may have edited, is not a CRD. */
async function versionsIn(text: string): Promise<Versions | undefined> {
  // Only a changed CRD needs the parser.
  const { parse } = await import('yaml');
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch {
    return undefined;
  }
  const { metadata, spec } = (parsed ?? {}) as { metadata?: { name?: unknown }; spec?: { versions?: unknown } };
  const definition = metadata?.name;
  const versions = spec?.versions;
  if (typeof definition !== 'string' || !Array.isArray(versions) || !versions.every(isVersion)) return undefined;
  return { definition, versions };
}

function isVersion(value: unknown): value is Version {
  const { name, served, storage } = (value ?? {}) as Partial<Version>;
  return typeof name === 'string' && typeof served === 'boolean' && typeof storage === 'boolean';
}

function changesOf(
  { versions: before }: Versions,
  { definition, versions: now }: Versions,
  file: string,
): ReportedFinding[] {
  const finding = (level: 'error' | 'notice', code: ReportedFinding['code'], message: string): ReportedFinding => {
    const shown = `${file}: ${message}`;
    return { level, code, className: '', message: shown, text: shown };
  };
  const storage = now.find((version) => version.storage)?.name ?? '';
  const removed = before.filter(({ name }) => now.every((version) => version.name !== name));
  const errors = removed.flatMap(({ name, ...version }) => {
    const otherwise = `if no cluster has this CRD, delete ${file}`;
    if (version.storage) {
      return finding(
        'error',
        'version-still-used',
        `the classes no longer have ${name}, in which clusters store the objects of ${definition}, so the API server would reject this CRD; keep the class of ${name} in this release with another storage version, and run "evenkeel migrate ${definition}" on each cluster before you remove it; ${otherwise}`,
      );
    }
    if (!version.served) return [];
    return finding(
      'error',
      'version-still-used',
      `the classes no longer have ${name} of ${definition}, which clusters serve, so requests for it would fail; check with "evenkeel versions ${definition}" that nobody writes it, set served: false in its class, generate, and remove it after that; ${otherwise}`,
    );
  });
  const previous = before.find((version) => version.storage)?.name ?? storage;
  if (errors.length > 0 || previous === storage) return errors;
  return [
    finding(
      'notice',
      'storage-version-moved',
      `the storage version of ${definition} changes from ${previous} to ${storage}; existing objects stay in ${previous} until they are written, so run "evenkeel migrate ${definition}" on each cluster after the new CRD is installed`,
    ),
  ];
}
