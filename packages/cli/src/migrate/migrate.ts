import { type Clock, EvenkeelError, messageOf, SystemClock } from '@evenkeel/core';
import { listenForStopSignal } from '@evenkeel/runtime';
import {
  migrateStorage,
  type StorageMigrationProgress,
  type StorageMigrationReport,
} from '@evenkeel/runtime/migration';
import { withCluster } from '../cluster/cluster-client.ts';
import { namedDefinitions } from '../cluster/named-definitions.ts';
import { interruptedCode } from '../exit-codes.ts';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';

/** The options of `evenkeel migrate` as strings from the command line. */
export interface MigrateOptions {
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly dryRun?: boolean;
  readonly qps: string;
  /** False with `--no-server`. */
  readonly server: boolean;
}

/** What `--output json` prints. Its findings name the CRDs that were not migrated, as their `object`. */
export interface MigrateReport extends CommandDocument {
  readonly migrations: readonly StorageMigrationReport[];
}

/** Migrates the stored objects of kinds; resolves to the exit code. */
export async function migrate(
  kinds: readonly string[],
  options: MigrateOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const qps = qpsOf(options.qps);
  const clock = new SystemClock();
  const stopping = new AbortController();
  const stopSignal = listenForStopSignal(process, clock);
  void stopSignal.received.then(() => stopping.abort(new Error('interrupted')));
  const { signal } = stopping;
  const migrations: StorageMigrationReport[] = [];
  let isOk = true;
  const result = await withCluster(options.kubeconfig, clock, terminal, async (client) => {
    const names = await namedDefinitions(client, kinds, options.config, terminal);
    if (names === undefined) return 'reported';
    for (const name of names) {
      const progress = new ProgressLines(terminal, clock);
      const { dryRun = false, server: useServer } = options;
      const observer = (state: StorageMigrationProgress) => progress.show(state);
      try {
        const report = await migrateStorage(client, name, { qps, dryRun, useServer, signal, clock, observer });
        migrations.push(report);
        reportText(report, terminal);
        if (report.outcome === 'failed') isOk = false;
      } catch (error) {
        if (signal.aborted) return 'interrupted';
        const code = error instanceof EvenkeelError ? error.code : undefined;
        isOk = false;
        terminal.finding({ level: 'error', object: name, code, message: messageOf(error) });
        // The others would fail in the same way.
        if (code === 'cluster-unreachable') return 'done';
      }
    }
    return 'done';
  }).finally(() => stopSignal.close());
  if (result === 'reported') return 1;
  const report: Omit<MigrateReport, keyof CommandDocument> = { migrations };
  terminal.add(report);
  if (result === 'interrupted') {
    terminal.err('interrupted; run the same command again to continue');
    return interruptedCode;
  }
  return isOk ? 0 : 1;
}

function reportText(report: StorageMigrationReport, terminal: CommandTerminal): void {
  const { definition, storageVersion, outcome, rewritten, gone, failed, failures, storedVersions } = report;
  const objects = `${rewritten} ${rewritten === 1 ? 'object' : 'objects'}`;
  const deleted = gone === 0 ? '' : `; ${gone} deleted meanwhile`;
  const before = storedVersions.before.filter((version) => version !== storageVersion);
  switch (outcome) {
    case 'current':
      terminal.out(`${definition}: all objects are stored in ${storageVersion}`);
      return;
    case 'dry-run': {
      const refused = failed === 0 ? '' : `, and ${failed} would be rejected`;
      terminal.out(`${definition}: ${objects} would be stored in ${storageVersion}${refused}; nothing was written`);
      break;
    }
    case 'migrated': {
      const how = report.by === 'server' ? 'the API server stored all objects' : `stored ${objects}`;
      const drop = before.length === 0 ? '' : `; removed ${before.join(', ')} from status.storedVersions`;
      terminal.out(`${definition}: ${how} in ${storageVersion}${deleted}${drop}`);
      return;
    }
    case 'failed': {
      const message = `${definition}: ${failed} of ${rewritten + failed} objects could not be stored in ${storageVersion}, so status.storedVersions remains [${storedVersions.after.join(', ')}]; fix the objects and run the command again`;
      terminal.finding({ level: 'error', object: definition, message });
    }
  }
  // For programs, the report contains them.
  if (terminal.isJson) return;
  for (const { object, message } of failures) terminal.err(`  ${object}: ${message}`);
  if (failed > failures.length) terminal.err(`  and ${failed - failures.length} more`);
}

/** After how long the first line of progress is printed, and how often in a terminal. */
const interactiveMs = 1000;
/** How often in a log. */
const logMs = 30_000;

/** Prints the state of a long migration on stderr. */
class ProgressLines {
  readonly #terminal: CommandTerminal;
  readonly #clock: Clock;
  readonly #everyMs: number;
  /** From the first object on, because the migration may wait before. */
  #dueMs: number | undefined;

  constructor(terminal: CommandTerminal, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#everyMs = terminal.isInteractive === true ? interactiveMs : logMs;
  }

  show({ definition, storageVersion, by, rewritten, gone, failed, remaining }: StorageMigrationProgress): void {
    const nowMs = this.#clock.monotonic();
    this.#dueMs ??= nowMs + interactiveMs;
    if (nowMs < this.#dueMs) return;
    this.#dueMs = nowMs + this.#everyMs;
    if (by === 'server') {
      this.#terminal.err(`${definition}: the API server is storing the objects in ${storageVersion} ...`);
      return;
    }
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    const total = remaining === undefined ? '' : `, about ${remaining} after this page`;
    this.#terminal.err(`${definition}: ${rewritten + gone} objects done${failures}${total} ...`);
  }
}

function qpsOf(text: string): number {
  const qps = Number(text);
  if (text.trim() !== '' && Number.isFinite(qps) && qps > 0) return qps;
  throw new EvenkeelError(
    'invalid-option',
    `--qps ${JSON.stringify(text)}: not a number of requests per second; pass a positive number such as 100`,
  );
}
