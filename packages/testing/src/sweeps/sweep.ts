import type { RequestedKind } from '@evenkeel/client';
import { durationMs, EvenkeelError, messageOf, SystemClock } from '@evenkeel/core';
import { journalReport } from '../journal/journal-report.ts';
import { abandonableRound } from './abandonable-round.ts';
import { type ApiCall, describeCall } from './api-call.ts';
import { deletedButHeld, differencesOf, type EndState, readEndState, readVersions } from './end-state.ts';
import { diverged, failed, RoundError, type RoundFailure, UnstruckError } from './round-failure.ts';
import { RoundOperators } from './round-operators.ts';
import type { SweepOptions } from './sweep-options.ts';
import { type CallRecord, newCallRecord, type Strike } from './swept-transport.ts';
import { untilQuiet } from './until-quiet.ts';

/** The result of a sweep. */
export interface SweepReport {
  /** The number of rounds with a fault, without the two rounds before them. */
  readonly rounds: number;
  /**
   * The calls of a run without a fault, without Events and Leases: `PATCH deployments.apps web`. If the two runs
   * differ, the shorter list.
   */
  readonly calls: readonly string[];
  /** The writing calls. */
  readonly writes: readonly string[];
  /** The writes of an operator that was restarted with nothing to do; none of them changed anything. */
  readonly idleWrites: readonly string[];
}

/** A round with a fault. */
export interface StruckRound {
  /** `killed during write 3 of 9`. */
  readonly title: string;
  readonly strike: Strike;
}

/** The calls that every round should make. */
export interface GoodCalls {
  readonly calls: readonly ApiCall[];
  readonly writes: readonly ApiCall[];
}

/** The result of a round. */
export interface RoundEnd {
  readonly namespace: string;
  readonly state: EndState;
  /** The states at the calls of `compare()`. */
  readonly compared: readonly EndState[];
  readonly record: CallRecord;
  readonly idleWrites?: readonly ApiCall[];
}

/**
 * Runs a scenario twice without a fault, then once for each derived round, and compares the end states. Rejects after all rounds: with
 * `sweep-diverged` if a round ended in another state, otherwise with `sweep-not-repeatable` if a fault did not happen because the
 * round made too few calls. The error names all these rounds.
 */
export async function sweep<K extends RequestedKind>(
  options: SweepOptions<K>,
  roundsOf: (good: GoodCalls) => readonly StruckRound[],
): Promise<SweepReport> {
  const good = await firstRound(options);
  if (good.state.size === 0 && good.compared.length === 0) {
    throw new EvenkeelError(
      'sweep-compares-nothing',
      `at the end of the scenario, no object of the ${options.kinds.length} compared kinds exists, so the sweep cannot find a difference; call compare() before the scenario deletes the objects`,
    );
  }
  const again = await runRound(options, undefined, good.compared);
  const unstable = differencesBetween(again, good);
  if (unstable.length > 0) {
    throw diverged([
      {
        title: 'two runs without a fault differ',
        problem: `${unstable.join('; ')}; remove such values with mask, as in mask: (object) => { delete object.metadata.labels; }. The sweep then does not notice if a fault changes them; for a value that must stay, such as a password, keep it in the scenario and compare it there`,
      },
    ]);
  }
  const calls = shorter(good.record.calls, again.record.calls);
  const writes = shorter(good.record.writes, again.record.writes);
  const rounds = roundsOf({ calls, writes });
  const failures: RoundFailure[] = [];
  let cause: unknown;
  const waiting = [...rounds];
  const work = async (): Promise<void> => {
    for (let round = waiting.shift(); round !== undefined; round = waiting.shift()) {
      const { title, strike } = round;
      try {
        const differences = differencesBetween(await runStruckRound(options, strike, good.compared), good);
        if (differences.length > 0) failures.push({ title, problem: differences.join('; ') });
      } catch (error) {
        const isUnstruck = error instanceof UnstruckError;
        if (!isUnstruck) cause ??= error;
        failures.push({ title, problem: messageOf(error), isUnstruck });
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 4 }, work));
  if (failures.length > 0) throw failed(failures, rounds.length, cause);
  const { idleWrites = [] } = good;
  return {
    rounds: rounds.length,
    calls: calls.map(describeCall),
    writes: writes.map(describeCall),
    idleWrites: idleWrites.map(describeCall),
  };
}

/** Runs a round without a fault. Returns the idle writes of the restarted operator, as in a report. */
export async function faultlessRound<K extends RequestedKind>(
  options: SweepOptions<K>,
): Promise<Pick<SweepReport, 'idleWrites'>> {
  const { idleWrites = [] } = await firstRound(options);
  return { idleWrites: idleWrites.map(describeCall) };
}

/** Runs a round without a fault. Rejects with `sweep-diverged` if it does not reach its end. */
export function firstRound<K extends RequestedKind>(options: SweepOptions<K>): Promise<RoundEnd> {
  return runRound(options, undefined).catch((error: unknown) => {
    throw diverged([{ title: 'without a fault', problem: messageOf(error) }], error);
  });
}

function shorter(one: readonly ApiCall[], other: readonly ApiCall[]): readonly ApiCall[] {
  return other.length < one.length ? other : one;
}

/** A run may make one call less than another, for example if two events enqueue a key once. */
const strikeAttempts = 4;

async function runStruckRound<K extends RequestedKind>(
  options: SweepOptions<K>,
  strike: Strike,
  expected: readonly EndState[],
): Promise<RoundEnd> {
  for (let attempt = 1; ; attempt++) {
    const end = await runRound(options, strike, expected);
    const { isStruck, calls, writes } = end.record;
    if (isStruck) return end;
    if (attempt === strikeAttempts) {
      throw new UnstruckError(
        `the fault did not happen in ${strikeAttempts} attempts: the last had ${calls.length} calls and ${writes.length} writes`,
      );
    }
  }
}

function differencesBetween(actual: RoundEnd, expected: RoundEnd): string[] {
  return [
    ...expected.compared.flatMap((state, at) =>
      differencesOf(actual.compared[at] ?? new Map(), state).map((text) => `at compare() ${at + 1}: ${text}`),
    ),
    ...differencesOf(actual.state, expected.state),
    ...moreOf('created', actual.record.created, expected.record.created),
    ...moreOf('deleted', actual.record.deleted, expected.record.deleted),
  ];
}

/** Creating or deleting an object twice may leave no trace in the end state, but is still wrong. */
function moreOf(what: string, actual: CallRecord['created'], expected: CallRecord['created']): string[] {
  return [...actual].flatMap(([resource, count]) => {
    const wanted = expected.get(resource) ?? 0;
    return count > wanted ? [`${what} ${count} ${resource} instead of ${wanted}`] : [];
  });
}

async function runRound<K extends RequestedKind>(
  options: SweepOptions<K>,
  strike: Strike | undefined,
  expected: readonly EndState[] = [],
): Promise<RoundEnd> {
  const { environment, kinds, mask = () => undefined } = options;
  const { client } = environment;
  const timeoutMs = durationMs(options.timeout ?? '30s');
  const quietMs = durationMs(options.quiet ?? '100ms');
  const clock = new SystemClock();
  const record = newCallRecord();
  const namespace = await environment.createNamespace();
  const operators = new RoundOperators(options, namespace, record);
  const compared: EndState[] = [];
  const compare = async (): Promise<void> => {
    await untilQuiet(() => record.pending === 0 && record.writes.length, clock, quietMs);
    const wanted = expected[compared.length];
    const limitMs = (clock.monotonic() + endMs) / 2;
    let state = await readEndState(client, namespace, kinds, mask);
    while (wanted !== undefined && clock.monotonic() < limitMs && differencesOf(state, wanted).length > 0) {
      await clock.sleep(compareEveryMs);
      state = await readEndState(client, namespace, kinds, mask);
    }
    compared.push(state);
  };
  const timeLeftMs = (): number => Math.max(1, Math.round(endMs - clock.monotonic()));
  const round = abandonableRound(namespace, client, timeLeftMs, compare);
  const timeIsUp = Promise.withResolvers<never>();
  const endMs = clock.monotonic() + timeoutMs;
  // A failing assertion times out a little earlier with a better message.
  const timer = clock.schedule(timeoutMs + graceMs, () =>
    timeIsUp.reject(new Error(`the round did not finish within ${timeoutMs / 1000} s`)),
  );
  const within = <T>(work: Promise<T>): Promise<T> => Promise.race([work, operators.failure, timeIsUp.promise]);
  timeIsUp.promise.catch(() => undefined);
  try {
    operators.start(strike);
    await within(operators.serving());
    await within(options.scenario(round));
    await within(untilQuiet(() => record.pending === 0 && record.writes.length, clock, quietMs));
    const state = await readEndState(client, namespace, kinds, mask);
    if (strike === undefined) {
      const before = await readVersions(client, namespace, kinds);
      const [called, written] = [record.calls.length, record.writes.length];
      await operators.stop();
      operators.start(undefined);
      await within(operators.started);
      // An operator that polls is never quiet.
      await within(untilQuiet(() => record.pending === 0 && record.calls.length, clock, quietMs, 10 * quietMs));
      const changed = differencesOf(await readVersions(client, namespace, kinds), before);
      if (changed.length > 0) throw new Error(changedAtRest(changed, record.writes.length > written));
      const held = await deletedButHeld(client, namespace, kinds);
      if (held.length > 0) {
        throw new Error(
          `${held.join('; ')}, although a restarted operator runs; fix the operator that must remove them, and wait in the scenario until a deleted object is gone, so that the sweep also tests its finalizers`,
        );
      }
      record.calls.splice(called);
      return { namespace, state, compared, record, idleWrites: record.writes.splice(written) };
    }
    return { namespace, state, compared, record };
  } catch (error) {
    // Equal problems of several rounds have the same text.
    const problem = messageOf(error).replaceAll(namespace, '<namespace>');
    const message = `${problem}; the last writes: ${lastOf(record.writes)}`;
    throw new RoundError(message, journalReport([operators.journal]), error);
  } finally {
    timer.cancel();
    round.abandon();
    await operators.stop();
    await environment.releaseNamespace?.(namespace);
  }
}

/** What changed while a restarted operator had nothing to do. */
function changedAtRest(changed: readonly string[], hasWritten: boolean): string {
  const what = changed.join('; ');
  return hasWritten
    ? `a restarted operator with nothing to do changed ${what}`
    : `something else changed ${what} after the scenario, while the restarted operator wrote nothing; wait in the scenario until ` +
        'the other controllers have finished, for example until status.readyReplicas of a Deployment has its value';
}

/** The interval at which a state is read again that is not yet the expected one. */
const compareEveryMs = 20;

/** The extra time of a scenario after the limit of its assertions. */
const graceMs = 1000;

function lastOf(writes: CallRecord['writes']): string {
  return writes.length === 0 ? 'none' : writes.slice(-5).map(describeCall).join(', ');
}
