import { SystemClock } from '@evenkeel/core';
import { withCluster } from '../cluster/cluster-client.ts';
import { namedDefinitions } from '../cluster/named-definitions.ts';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { type VersionReport, versionReport } from './version-report.ts';

/** The options of `evenkeel versions` as strings from the command line. */
export interface VersionsOptions {
  readonly config?: string;
  readonly kubeconfig?: string;
}

/** What `--output json` prints. It has no definitions if there is an error. */
export interface VersionsReport extends CommandDocument {
  readonly definitions: readonly VersionReport[];
}

/** Prints the versions of kinds and who writes them; resolves to the exit code. */
export async function versions(
  kinds: readonly string[],
  options: VersionsOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const clock = new SystemClock();
  const definitions = await withCluster(options.kubeconfig, clock, terminal, async (client) => {
    const names = await namedDefinitions(client, kinds, options.config, terminal);
    if (names === undefined) return undefined;
    const reports: VersionReport[] = [];
    for (const name of names) reports.push(await versionReport(client, name));
    return reports;
  });
  if (definitions === undefined) return 1;
  const report: Omit<VersionsReport, keyof CommandDocument> = { definitions };
  terminal.add(report);
  for (const [at, definition] of definitions.entries()) {
    if (at > 0) terminal.out('');
    reportText(definition, terminal);
  }
  return 0;
}

/** The number of writers that the text shows for each version. JSON has all. */
const shownWriters = 10;

function reportText(
  { definition, kind, objects, versions, isComplete }: VersionReport,
  terminal: CommandTerminal,
): void {
  terminal.out(`${definition}: ${objects} ${objects === 1 ? 'object' : 'objects'} of the kind ${kind}`);
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  const rows = versions.map(({ name, served, storage, stored, deprecated, blockers }) => [
    ...[name, yes(served), yes(storage), yes(stored), yes(deprecated), yes(blockers.length === 0)],
  ]);
  table(['VERSION', 'SERVED', 'STORAGE', 'STORED', 'DEPRECATED', 'REMOVABLE'], rows, terminal);
  for (const { name, storage, blockers } of versions) {
    if (storage) continue;
    for (const [at, blocker] of blockers.entries()) {
      terminal.out(`  ${at === 0 ? `before you remove ${name}` : 'then'}: ${blocker}`);
    }
  }
  const old = versions.filter(({ storage }) => !storage).flatMap(({ writers }) => writers.slice(0, shownWriters));
  if (old.length === 0) {
    if (versions.length > 1)
      terminal.out('  no field manager has written through another version than the storage version');
  } else {
    terminal.out('  last written through another version than the storage version:');
    const writers = old.map(
      ({ version, manager, operation, subresource, objects: count, lastWrite = '-', example }) => [
        ...[version, manager, `${operation}${subresource === '' ? '' : ` (${subresource})`}`, String(count), lastWrite],
        example,
      ],
    );
    table(['VERSION', 'MANAGER', 'OPERATION', 'OBJECTS', 'LAST WRITE', 'EXAMPLE'], writers, terminal);
  }
  const hidden = versions.some(({ storage, writers }) => !storage && writers.length > shownWriters);
  if (hidden) terminal.out('  more writers: --output json');
  if (!isComplete)
    terminal.err('there are more than 1,000 different field managers; the others are not shown', 'notice');
}

/** Columns are as wide as their longest value, up to this width, because names of managers can be long. */
const widest = 60;

function table(heads: readonly string[], rows: readonly (readonly string[])[], terminal: CommandTerminal): void {
  const widths = heads.map((head, at) =>
    Math.min(widest, Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0))),
  );
  for (const row of [heads, ...rows]) {
    const cells = row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)));
    terminal.out(`  ${cells.join('   ')}`);
  }
}
