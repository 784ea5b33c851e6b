import { join, relative } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { interruptedCode } from '../exit-codes.ts';
import { type GenerateResult, hasErrors } from '../generate/report.ts';
import { findConfig } from '../load/load-config.ts';
import { nearestPackageFolder } from '../load/nearest-package.ts';
import { ownChangelog } from '../own-changelog.ts';
import { ownVersion } from '../own-version.ts';
import { Interruption } from '../package-manager/run-program.ts';
import { workspaceOf } from '../package-manager/workspace.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { codemods } from './codemods.ts';
import { compareVersions, completeVersion } from './framework-version.ts';
import { migrateProject } from './migrate-project.ts';
import { type ProjectToMigrate, runNewVersion } from './new-version.ts';
import { PackageFiles } from './package-files.ts';
import { publishedVersion } from './published-version.ts';
import { rejectUncommitted } from './uncommitted.ts';
import { printReport, type UpgradeReport } from './upgrade-report.ts';

export interface UpgradeOptions {
  readonly config?: string;
  /** The version before. The packages are installed already. */
  readonly from?: string;
  readonly allowDirty?: boolean;
  readonly dryRun?: boolean;
}

/** An upgrade that the user interrupted. The project is as before. */
class Interrupted extends Error {}

/**
 * Moves a project to another version of the framework. Resolves to the exit code: 0, or 1 if the project is upgraded and its files
 * could not be generated. If it throws, package.json and the lockfile are as before.
 *
 * @param generate generates the files of the project, by this version.
 */
export async function upgrade(
  wanted: string | undefined,
  options: UpgradeOptions,
  terminal: CommandTerminal,
  generate: () => Promise<GenerateResult>,
): Promise<number> {
  try {
    if (options.allowDirty !== true && options.dryRun !== true) rejectUncommitted(terminal.folder);
    const report =
      options.from === undefined
        ? await upgradePackages(wanted, options, terminal)
        : await migrateInstalled(wanted, options.from, options, terminal, generate);
    if (report === undefined) return 0;
    printReport(report, terminal);
    return hasErrors(report.findings) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    terminal.err(error.message, 'error');
    return interruptedCode;
  }
}

/** Finishes an upgrade whose packages are installed. Only the new version runs this: the command of the old version starts it. */
async function migrateInstalled(
  wanted: string | undefined,
  given: string,
  { config, dryRun = false }: UpgradeOptions,
  terminal: CommandTerminal,
  generate: () => Promise<GenerateResult>,
): Promise<UpgradeReport> {
  const from = completeVersion(given);
  if (from === undefined || wanted !== undefined) {
    const why = from === undefined ? `"${given}" is not a version` : 'the installed version is the new one';
    throw new EvenkeelError('invalid-option', `--from: ${why}; pass only the version before, such as --from 0.1.0`);
  }
  const to = ownVersion();
  rejectDowngrade(from, to);
  return migrateProject({ from, to, config, dryRun, changelog: ownChangelog(), codemods, generate }, terminal);
}

async function upgradePackages(
  wanted: string | undefined,
  options: UpgradeOptions,
  terminal: CommandTerminal,
): Promise<UpgradeReport | undefined> {
  const folder = nearestPackageFolder(terminal.folder);
  if (folder === undefined) throw notDeclared(`no package.json in ${terminal.folder} or above it`);
  const workspace = workspaceOf(folder);
  const files = new PackageFiles(workspace, terminal.folder);
  const from = files.currentVersion();
  const to = await publishedVersion(workspace.root, wanted ?? 'latest');
  if (from === to || (wanted === undefined && compareVersions(from, to) > 0)) {
    return isNewest(from, to, terminal);
  }
  rejectDowngrade(from, to);
  files.plan(to);
  const report = { ...nothing(from, to), packages: files.changed(), diff: files.diff(terminal.folder) };
  const projects = projectsOf(files, options, terminal);
  const versions = { from, to };
  if (options.dryRun === true) {
    const planned = await migrated(projects, {
      ...versions,
      dryRun: true,
      isInstalled: false,
      interruption: undefined,
    });
    return withProjects(report, planned, terminal);
  }
  const { name } = workspace.manager;
  terminal.err(`upgrading evenkeel from ${from} to ${to}: installing the packages with ${name} ...`);
  return transaction(files, name, async (interruption) => {
    await files.install(interruption);
    const installed = { ...versions, isInstalled: true, interruption };
    // A project that fails must not leave the changes of the projects before it.
    if (projects.length > 1) await migrated(projects, { ...installed, dryRun: true });
    const done = await migrated(projects, { ...installed, dryRun: false });
    return withProjects({ ...report, written: true }, done, terminal);
  });
}

function isNewest(from: string, to: string, terminal: CommandTerminal): UpgradeReport | undefined {
  if (terminal.isJson) return nothing(from, from);
  terminal.out(
    from === to ? `the project has evenkeel ${to} already` : `evenkeel ${from} is newer than the latest version, ${to}`,
  );
  return undefined;
}

/** Undoes everything if a step fails, or if the user interrupts one; a signal must not stop the process during a step. */
async function transaction(
  files: PackageFiles,
  manager: string,
  run: (interruption: Interruption) => Promise<UpgradeReport>,
): Promise<UpgradeReport> {
  const interruption = new Interruption();
  const interrupt = (): void => interruption.request();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await run(interruption);
  } catch (error) {
    const restored = files.restore();
    const undone = `${restored} as before; run ${manager} install to restore node_modules`;
    if (interruption.isRequested) throw new Interrupted(`the upgrade was interrupted; ${undone}`);
    if (!(error instanceof EvenkeelError)) throw error;
    throw new EvenkeelError(error.code, `${error.message}; ${undone}`, { cause: error });
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/** The folders of the operators to migrate: each upgraded package with a configuration. */
function projectsOf(
  files: PackageFiles,
  { config }: UpgradeOptions,
  terminal: CommandTerminal,
): { folder: string; config?: string }[] {
  if (config !== undefined) return [{ folder: terminal.folder, config: findConfig(terminal.folder, config) }];
  return files
    .folders()
    .filter(hasConfig)
    .map((folder) => ({ folder }));
}

function hasConfig(folder: string): boolean {
  try {
    findConfig(folder);
    return true;
  } catch {
    return false;
  }
}

interface MigratedProject {
  readonly folder: string;
  readonly report: UpgradeReport;
}

async function migrated(
  projects: readonly { readonly folder: string; readonly config?: string }[],
  options: Omit<ProjectToMigrate, 'folder' | 'config'>,
): Promise<MigratedProject[]> {
  const reports: MigratedProject[] = [];
  for (const { folder, config } of projects) {
    reports.push({ folder, report: await runNewVersion({ ...options, folder, config }) });
  }
  return reports;
}

/** Adds the changes that the new version made in each project, with paths from the folder of the command. */
function withProjects(
  report: UpgradeReport,
  projects: readonly MigratedProject[],
  terminal: CommandTerminal,
): UpgradeReport {
  const shown = <T extends { readonly path: string }>(folder: string, all: readonly T[]): T[] =>
    all.map((each) => ({ ...each, path: relative(terminal.folder, join(folder, each.path)).replaceAll('\\', '/') }));
  return {
    ...report,
    changed: projects.flatMap(({ folder, report: { changed } }) => shown(folder, changed)),
    generated: projects.flatMap(({ folder, report: { generated } }) => shown(folder, generated)),
    diff: [report.diff, ...projects.map(({ report: { diff } }) => diff)].join(''),
    findings: projects.flatMap(({ report: { findings } }) => findings),
    changelog: projects[0]?.report.changelog ?? [],
  };
}

function rejectDowngrade(from: string, to: string): void {
  if (compareVersions(from, to) <= 0) return;
  throw new EvenkeelError(
    'framework-downgrade',
    `the project has evenkeel ${from}, which is newer than ${to}; to go back, restore package.json, the lockfile and your sources with git`,
  );
}

function notDeclared(why: string): EvenkeelError {
  return new EvenkeelError('framework-not-declared', `${why}; run the command in the folder of your project`);
}

function nothing(from: string, to: string): UpgradeReport {
  return {
    ...{ from, to, packages: [], changed: [], diff: '', generated: [], findings: [], changelog: [] },
    written: false,
  };
}
