import { EvenkeelError } from '@evenkeel/core';
import { ProjectSources } from '../create/project-sources.ts';
import type { GenerateResult } from '../generate/report.ts';
import type { DocumentFinding } from '../report/command-document.ts';
import type { Terminal } from '../terminal.ts';
import { releaseNotes } from './changelog.ts';
import type { Codemod } from './codemod.ts';
import { compareVersions, releaseOf } from './framework-version.ts';
import type { UpgradeReport } from './upgrade-report.ts';

/** The inputs of a migration. */
export interface Migration {
  /** The version of the project before. */
  readonly from: string;
  /** The version of this program. */
  readonly to: string;
  readonly config: string | undefined;
  readonly dryRun: boolean;
  readonly changelog: string;
  readonly codemods: readonly Codemod[];
  /** Generates the files of the project. */
  readonly generate: () => Promise<GenerateResult>;
}

/**
 * Migrates a project to the version of this program, which is installed already: applies the codemods of the versions in between, and
 * generates files. Writes all changes of the codemods or none.
 */
export async function migrateProject(migration: Migration, terminal: Terminal): Promise<UpgradeReport> {
  const { from, to, dryRun } = migration;
  const project = new ProjectSources(terminal.folder, migration.config);
  const notices: DocumentFinding[] = [];
  const reasons = new Map<string, string[]>();
  for (const codemod of codemodsBetween(migration.codemods, from, to)) {
    const before = textsOf(project);
    try {
      codemod.plan(project, (message) => notices.push({ level: 'notice', message }));
    } catch (error) {
      if (!(error instanceof EvenkeelError) || error.code !== 'edit-refused') throw error;
      notices.push({ level: 'notice', code: error.code, message: `${codemod.title}: ${error.message}` });
    }
    for (const [path, text] of textsOf(project)) {
      if (before.get(path) !== text) reasons.set(path, [...(reasons.get(path) ?? []), codemod.title]);
    }
  }
  const diff = project.changes.diff(project.folder);
  if (!dryRun) await project.changes.write(project.folder);
  const { generated, errors } = dryRun ? { generated: [], errors: [] } : await generatedFiles(migration, project);
  return {
    ...{ from, to, packages: [], diff, generated, written: !dryRun, findings: [...errors, ...notices] },
    changed: [...reasons].map(([path, titles]) => ({ path: project.shown(path), reasons: titles })),
    changelog: releaseNotes(migration.changelog, from, to),
  };
}

/**
 * Returns the codemods of the versions after `from`, up to `to`. A pre-release has those of its release, and the release applies them
 * again, because a later pre-release may have added some.
 */
export function codemodsBetween(all: readonly Codemod[], from: string, to: string): readonly Codemod[] {
  return all.filter(({ since }) => compareVersions(since, from) > 0 && compareVersions(since, releaseOf(to)) <= 0);
}

/** The planned texts of changed files. */
function textsOf({ changes }: ProjectSources): Map<string, string | undefined> {
  return new Map(changes.changes().map(({ path, after }) => [path, after]));
}

/** Errors of the generation do not undo the upgrade: the user needs the new version to fix them. */
async function generatedFiles(
  { generate }: Migration,
  project: ProjectSources,
): Promise<Pick<UpgradeReport, 'generated'> & { readonly errors: readonly DocumentFinding[] }> {
  const { files, findings, wasWritten } = await generate();
  const written = wasWritten ? files.filter(({ state }) => state !== 'current') : [];
  return {
    generated: written.map(({ path, text }) => ({
      path: project.shown(path),
      action: text === undefined ? 'removed' : 'written',
    })),
    errors: findings
      .filter(({ level }) => level === 'error')
      .map(({ level, text, code }) => ({ level, code, message: text })),
  };
}
