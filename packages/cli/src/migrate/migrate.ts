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
  readonly allowDataLoss?: boolean;
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
      const { dryRun = false, allowDataLoss = false, server: useServer } = options;
      const observer = (state: StorageMigrationProgress) => progress.show(state);
      try {
        const requested = { qps, dryRun, allowDataLoss, useServer, signal, clock, observer };
        const report = await migrateStorage(client, name, requested);
        migrations.push(report);
        reportText(report, terminal);
        if (report.outcome === 'failed' || !isLossAllowed(report, allowDataLoss)) isOk = false;
        reportLosses(report, allowDataLoss, terminal);
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

/** A dry run fails if the migration would be refused. */
function isLossAllowed({ losses, unchecked }: StorageMigrationReport, allowDataLoss: boolean): boolean {
  return allowDataLoss || (losses.length === 0 && unchecked === 0);
}

/** The number of fields that the text lists. JSON has more. */
const listedFields = 20;

function reportLosses(report: StorageMigrationReport, allowDataLoss: boolean, terminal: CommandTerminal): void {
  const { definition, storageVersion, outcome, losses, unchecked, failures } = report;
  const isAllowed = isLossAllowed(report, allowDataLoss);
  const level = isAllowed ? 'notice' : 'error';
  const loses = outcome === 'migrated' || outcome === 'failed' ? 'lost' : 'would lose';
  const written = outcome === 'refused' ? '; nothing was written' : '';
  const fix = isAllowed
    ? ''
    : `${written}; add the fields to ${storageVersion}, declare a conversion, or copy the values first; if nobody needs these fields, pass --allow-data-loss`;
  if (losses.length > 0) {
    const message = `${definition}: objects ${loses} fields permanently, because ${storageVersion} does not have them${fix}`;
    terminal.finding({ level, object: definition, code: 'lossy-migration', message });
  }
  if (unchecked > 0) {
    const checked = `${definition}: ${unchecked} objects could not be compared with ${storageVersion}${written}`;
    const message = isAllowed
      ? checked
      : `${checked}; resolve the reasons, or pass --allow-data-loss if nobody needs fields that ${storageVersion} does not have`;
    terminal.finding({ level, object: definition, code: 'lossy-migration', message });
  }
  if (terminal.isJson) return;
  if (outcome === 'refused') listFailures(failures, unchecked, terminal);
  for (const { version, field, objects, example } of losses.slice(0, listedFields)) {
    const having =
      objects === undefined
        ? `perhaps in all objects that are stored in ${version}, which is not served`
        : `of ${objects} ${objects === 1 ? 'object' : 'objects'}, such as ${example}`;
    terminal.err(`  ${field} ${having}`);
  }
  if (losses.length > listedFields) terminal.err(`  and ${losses.length - listedFields} more fields`);
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
    case 'refused':
      return;
    case 'failed': {
      const message = `${definition}: ${failed} of ${rewritten + failed} objects could not be stored in ${storageVersion}, so status.storedVersions remains [${storedVersions.after.join(', ')}]; fix the objects and run the command again`;
      terminal.finding({ level: 'error', object: definition, message });
    }
  }
  // For programs, the report contains them.
  if (terminal.isJson) return;
  listFailures(failures, failed, terminal);
}

function listFailures(failures: StorageMigrationReport['failures'], failed: number, terminal: CommandTerminal): void {
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

  show({
    definition,
    storageVersion,
    by,
    checked,
    rewritten,
    gone,
    failed,
    remaining,
  }: StorageMigrationProgress): void {
    const nowMs = this.#clock.monotonic();
    this.#dueMs ??= nowMs + interactiveMs;
    if (nowMs < this.#dueMs) return;
    this.#dueMs = nowMs + this.#everyMs;
    if (by === 'server') {
      this.#terminal.err(`${definition}: the API server is storing the objects in ${storageVersion} ...`);
      return;
    }
    if (checked > 0 && rewritten + gone + failed === 0) {
      this.#terminal.err(
        `${definition}: ${checked} objects checked for fields that ${storageVersion} does not have ...`,
      );
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
