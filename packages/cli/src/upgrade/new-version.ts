import { join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { type ErrorCode, EvenkeelError } from '@evenkeel/core';
import { type Interruption, type Program, packageManagerProgram, runProgram } from '../package-manager/run-program.ts';
import { installedManifest } from './framework-dependencies.ts';
import { cliPackage } from './published-version.ts';
import type { UpgradeDocument, UpgradeReport } from './upgrade-report.ts';

/** A project that the new version migrates. */
export interface ProjectToMigrate {
  readonly folder: string;
  readonly config: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
  /** Whether node_modules has the new version. Otherwise, npm gets it into its cache. */
  readonly isInstalled: boolean;
  readonly interruption: Interruption | undefined;
}

/**
 * Runs `evenkeel upgrade --from` of the new version, which knows the codemods since the old one, and returns its report. Throws
 * `upgrade-failed`, or the error in the report.
 */
export async function runNewVersion(project: ProjectToMigrate): Promise<UpgradeReport> {
  const { folder, config, from, to, dryRun, isInstalled, interruption } = project;
  const command = isInstalled ? installedCommand(folder, to) : cachedCommand(to);
  const options = ['upgrade', '--from', from, '--allow-dirty', '--output', 'json'];
  const { stdout } = await runProgram(
    folder,
    command,
    [...options, ...(dryRun ? ['--dry-run'] : []), ...(config === undefined ? [] : ['--config', config])],
    { captures: true, interruption },
  );
  const report = documentIn(stdout);
  if (report !== undefined && isReport(report)) return report;
  const error = report?.findings.find(({ level }) => level === 'error');
  const { code = 'upgrade-failed', message = `evenkeel ${to} did not finish the upgrade of ${folder}; see above` } =
    error ?? {};
  throw new EvenkeelError(code as ErrorCode, message);
}

function isReport(document: UpgradeDocument): document is UpgradeDocument & UpgradeReport {
  return document.from !== undefined;
}

function cachedCommand(version: string): Program {
  const npm = packageManagerProgram('npm');
  const options = ['exec', '--yes', '--loglevel=error', `--package=${cliPackage}@${version}`, '--', 'evenkeel'];
  return { ...npm, arguments: [...npm.arguments, ...options] };
}

function installedCommand(folder: string, version: string): Program {
  const found = installedManifest(folder, cliPackage);
  const installed = found?.manifest['version'];
  const bin = found?.manifest['bin'];
  const path = isJsonObject(bin) ? bin['evenkeel'] : bin;
  if (found === undefined || typeof path !== 'string') {
    throw new EvenkeelError(
      'upgrade-failed',
      `${cliPackage} is not in node_modules; add it to the development dependencies (yarn needs nodeLinker: node-modules)`,
    );
  }
  if (installed !== version) {
    throw new EvenkeelError(
      'upgrade-failed',
      `${cliPackage} ${installed} is installed instead of ${version}; remove it from overrides and resolutions of package.json`,
    );
  }
  return { path: process.execPath, arguments: [join(found.folder, path)] };
}

function documentIn(stdout: string): UpgradeDocument | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    return isJsonObject(value) && Array.isArray(value['findings']) ? (value as unknown as UpgradeDocument) : undefined;
  } catch {
    return undefined;
  }
}
