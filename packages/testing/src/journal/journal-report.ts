import { groupResourceOf, messageWithCause, type WitnessedRun } from '@evenkeel/core';
import { callPlace } from './call-place.ts';
import { advancedByControllers } from './controller-kinds.ts';
import { describeRunOf, type ManagerEntry, type Timed } from './manager-entry.ts';
import type { OperatorJournal } from './operator-journal.ts';
import { quotedMessage } from './quoted-message.ts';
import type { ReadTarget } from './watched-reads.ts';

/** The limits of a report; it counts the rest. */
const mostManagers = 4;
const mostObjects = 3;
const mostRunsOfObject = 5;
const mostErrors = 5;

/**
 * Describes what the operators of some environments did, for the message of a failed wait: the state of each manager,
 * the last runs of the objects that the assertion read, and the last other errors. Without such runs, it describes those
 * in the same namespaces; without these, all. Empty if there was no operator.
 */
export function journalReport(journals: readonly OperatorJournal[], targets: readonly ReadTarget[] = []): string {
  const reports = journals.flatMap((journal) => {
    const lines = reportOf(journal, targets);
    return lines.length === 0 ? [] : [journals.length > 1 ? [`${journal.title}:`, ...lines] : lines];
  });
  return reports.map((lines) => `\n\n${lines.join('\n')}`).join('');
}

function reportOf(journal: OperatorJournal, targets: readonly ReadTarget[]): string[] {
  const managers = relevantManagers(journal, targets);
  const relevant = relevantRuns(managers, targets);
  const known = new Set(managers.flatMap(({ failures }) => [...failures]));
  const failedStarts = journal.failedStarts.filter(({ error }) => !known.has(error));
  const { silentStart } = journal;
  return [
    ...managers.slice(-mostManagers).flatMap((entry) => managerLines(entry, journal.nowMs, relevant, targets)),
    ...(managers.length > mostManagers ? [`and ${managers.length - mostManagers} more managers`] : []),
    ...failedStarts.map(
      ({ call, error }) => `environment.run()${at(call)} failed: ${quotedMessage(messageWithCause(error), '  ')}`,
    ),
    ...(managers.length > 0 || silentStart === undefined
      ? []
      : [
          `the operator of environment.run()${at(silentStart.call)} reports nothing; use its connection, as in createManager({ ...connection, controllers })`,
        ]),
    ...missingControllers(journal, managers, relevant, targets),
    ...journal.guestLines.map((text) => quotedMessage(text, '  ')),
  ];
}

/** Says that the server runs no controllers, if the assertion or the described runs have objects that need them. */
function missingControllers(
  { withoutControllers }: OperatorJournal,
  managers: readonly ManagerEntry[],
  isRelevant: (run: WitnessedRun) => boolean,
  targets: readonly ReadTarget[],
): string[] {
  if (withoutControllers === undefined) return [];
  const runs = managers.flatMap((entry) => entry.runs.map(({ value }) => value)).filter(isRelevant);
  const written = runs.flatMap(({ objects }) => objects.map(({ resource }) => groupResourceOf(resource)));
  const waiting = advancedByControllers([...targets.map(({ resource }) => resource), ...written]);
  if (waiting.length === 0) return [];
  return [
    `the server of this environment runs no controllers, because ${withoutControllers}: nothing changes the status of ${waiting.join(', ')}, starts Pods or deletes children of deleted objects; write what the test needs with the client, or test on an embedded server with controllers`,
  ];
}

function at(call: Error): string {
  const place = callPlace(call);
  return place === undefined ? '' : ` at ${place}`;
}

/** Returns the managers of the read namespaces, or all: those that have not ended or have failed, or else the last one. */
function relevantManagers({ active, ended }: OperatorJournal, targets: readonly ReadTarget[]): readonly ManagerEntry[] {
  const entries = [...ended.filter(({ failures }) => failures.size > 0), ...active];
  const namespaces = namespacesOf(targets);
  return firstNonEmpty(
    entries.filter(({ manager }) => manager.namespaces?.some((namespace) => namespaces.has(namespace)) ?? true),
    entries,
    ended.slice(-1),
  );
}

/**
 * Returns the filter for runs that are relevant for what an assertion read. These are runs that read or wrote the same objects, or if there
 * are none, runs in the same namespaces, or else all runs. All other runs of the same reconciled objects are relevant too, because a run
 * that failed before its write does not list the written object.
 */
function relevantRuns(
  managers: readonly ManagerEntry[],
  targets: readonly ReadTarget[],
): (run: WitnessedRun) => boolean {
  const runs = managers.flatMap((entry) => entry.runs.map(({ value }) => value));
  const namespaces = namespacesOf(targets);
  const relations = [
    ({ objects }: WitnessedRun) =>
      objects.some(({ resource, key }) =>
        targets.some(
          (target) =>
            target.resource === groupResourceOf(resource) &&
            (target.namespace === '' || target.namespace === key.namespace) &&
            (target.name === '' || target.name === key.name),
        ),
      ),
    ({ key }: WitnessedRun) => namespaces.has(key.namespace ?? ''),
  ];
  const closest = relations.find((relation) => runs.some(relation));
  if (closest === undefined) return () => true;
  const objects = new Set(runs.filter(closest).map(objectOf));
  return (run) => objects.has(objectOf(run));
}

function namespacesOf(targets: readonly ReadTarget[]): ReadonlySet<string> {
  return new Set(targets.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''));
}

function managerLines(
  entry: ManagerEntry,
  nowMs: number,
  isRelevant: (run: WitnessedRun) => boolean,
  targets: readonly ReadTarget[],
): string[] {
  const objects = [
    ...Map.groupBy(
      entry.runs.filter(({ value }) => isRelevant(value)),
      ({ value }) => objectOf(value),
    ),
  ].sort(([, one], [, other]) => lastMs(other) - lastMs(one));
  const shown = objects.slice(0, mostObjects).map(([object, runs]) => ({ object, runs: lastRuns(runs) }));
  const described = new Set(shown.flatMap(({ runs }) => runs.flatMap(({ all }) => all)));
  const errors = errorsOf(entry, (run) => described.has(run), targets);
  const more = objects.length - shown.length;
  return [
    `${entry.title} ${stateOf(entry)}`,
    ...(entry.isActive ? entry.manager.now().map((sentence) => `  ${quotedMessage(sentence, '    ')}`) : []),
    ...shown.flatMap(({ object, runs }) => [
      `  last runs of ${object}:`,
      ...runs.map((run) => {
        const { text, aside } = run.value.describe();
        return line(nowMs, run, text, aside);
      }),
    ]),
    ...(more > 0 ? [`  and runs of ${more} more objects`] : []),
    ...(errors.length === 0 ? [] : [shown.length === 0 ? '  last errors:' : '  other errors:']),
    ...repeated(errors, ({ what }) => what)
      .slice(-mostErrors)
      .map((error) => line(nowMs, error, error.value.text)),
  ];
}

/** The last runs of an object. Those with the same result that follow each other count as one. */
function lastRuns(runs: readonly Timed<WitnessedRun>[]): readonly Repeated<WitnessedRun>[] {
  return repeated(runs, (run) => run.describe().result).slice(-mostRunsOfObject);
}

/** `(running; controller site; 3 runs, 2 failed)` */
function stateOf({ state, failures, manager, runCount, failedCount }: ManagerEntry): string {
  const names = manager.controllers.map(({ name }) => name);
  const controllers = `${names.length === 1 ? 'controller' : 'controllers'} ${names.length === 0 ? 'none' : names.join(', ')}`;
  const runs = runCount === 1 ? '1 run' : `${runCount} runs`;
  const ended = runCount === 0 ? 'no runs' : failedCount === 0 ? runs : `${runs}, ${failedCount} failed`;
  const why = [...failures].map((error) => `: ${quotedMessage(messageWithCause(error), '    ')}`).join('');
  const not = state === 'created' && failures.size === 0 ? '; it was never started: call its start()' : '';
  return `(${state}; ${controllers}; ${ended})${why}${not}`;
}

/** A failed run or a warning. */
interface ReportedError {
  /** The text without what differs between repetitions. */
  readonly what: string;
  readonly text: string;
}

/** Returns the failed runs and the warnings of a manager, in order; the runs of the read namespaces if there are any. */
function errorsOf(
  entry: ManagerEntry,
  isShown: (run: WitnessedRun) => boolean,
  targets: readonly ReadTarget[],
): Timed<ReportedError>[] {
  const namespaces = namespacesOf(targets);
  const failed = entry.runs.filter(({ value }) => value.isFailed && !isShown(value));
  const close = firstNonEmpty(
    failed.filter(({ value }) => namespaces.has(value.key.namespace ?? '')),
    failed,
  );
  return [
    ...close.map(({ atMs, value }) => ({
      atMs,
      value: { what: `${objectOf(value)} ${value.describe().result}`, text: describeRunOf(value) },
    })),
    ...entry.lines.map(({ atMs, value }) => {
      const text = `${value.level}: ${value.describe()}`;
      return { atMs, value: { what: text, text } };
    }),
  ].sort((one, other) => one.atMs - other.atMs);
}

function objectOf({ kind, key }: WitnessedRun): string {
  return `${kind} ${key}`;
}

function lastMs(runs: readonly Timed<unknown>[]): number {
  return runs.at(-1)?.atMs ?? 0;
}

/** The last of equal values that follow each other. */
interface Repeated<T> extends Timed<T> {
  readonly all: readonly T[];
  readonly firstMs: number;
}

function repeated<T>(items: readonly Timed<T>[], textOf: (value: T) => string): Repeated<T>[] {
  const found: Repeated<T>[] = [];
  for (const item of items) {
    const last = found.at(-1);
    if (last === undefined || textOf(last.value) !== textOf(item.value)) {
      found.push({ ...item, all: [item.value], firstMs: item.atMs });
    } else {
      found[found.length - 1] = {
        ...item,
        all: [...last.all, item.value],
        firstMs: last.firstMs,
      };
    }
  }
  return found;
}

function line(
  nowMs: number,
  { atMs, firstMs, all: { length: count } }: Repeated<unknown>,
  text: string,
  aside = '',
): string {
  const times = count === 1 ? [] : [`the last of ${count} times since ${ago(nowMs - firstMs)}`];
  const notes = [...(aside === '' ? [] : [aside]), ...times];
  const note = notes.length === 0 ? '' : ` [${notes.join('; ')}]`;
  return `    ${ago(nowMs - atMs)}: ${quotedMessage(text, '      ')}${note}`;
}

function ago(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s ago`;
}

function firstNonEmpty<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  return lists.find((list) => list.length > 0) ?? [];
}
