import type { Client, RequestedKind } from '@evenkeel/client';
import { type Duration, durationMs, EvenkeelError, type KubernetesObject, SystemClock } from '@evenkeel/core';
import type { Environment, OperatorConnection, Stoppable } from '../environment.ts';
import { type EventuallyOptions, eventually } from '../eventually.ts';
import { type ApiCall, describeCall } from './api-call.ts';
import { differencesOf, type EndState, readEndState, readVersions } from './end-state.ts';
import { RoundOperators } from './round-operators.ts';
import { type CallRecord, newCallRecord, type Strike } from './swept-transport.ts';
import { untilQuiet } from './until-quiet.ts';

/** What an operator in a sweep is given: `createManager({ ...connection, controllers })` takes it as it is. */
export interface SweepConnection extends OperatorConnection {
  /** The namespace of the round, and no other: rounds run side by side. */
  readonly namespaces: readonly string[];
  /**
   * Aborted when this operator is killed, its connection being dead then. A fake of another system that the operator works
   * with should take nothing from it any more either.
   */
  readonly killed: AbortSignal;
}

/** What a scenario works with. */
export interface SweepRound {
  readonly namespace: string;
  /** The user's, not the operator's: nothing strikes it. */
  readonly client: Client;
  /** Calls an assertion until it holds; see `eventually()`. By default it may fail for as long as the round may take. */
  eventually<T>(assertion: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
}

export interface SweepOptions {
  /** Where operator and scenario meet; not closed. */
  readonly environment: Pick<Environment, 'client' | 'createNamespace' | 'run'>;
  /**
   * Starts the operator. Called several times in a round where it is killed, and for several rounds at once: what it keeps
   * must be its own. A `stop()` of one that was killed may reject.
   */
  readonly operator: (connection: SweepConnection) => Promise<Stoppable>;
  /**
   * What a user does in a namespace, step by step: it writes, waits until the operator has answered that, and writes again.
   * It resolves when all is as it should be, and must not know whether anything went wrong meanwhile.
   */
  readonly scenario: (round: SweepRound) => Promise<void>;
  /** The kinds whose objects are compared at the end. */
  readonly kinds: readonly RequestedKind[];
  /**
   * Takes out of a copy of an object what may differ between two good runs: it changes that copy. Taken out already are
   * resourceVersions, times, managedFields, uids as far as they are of objects of `kinds`, and what the server assigns: of a
   * Service its cluster IPs, node ports and the addresses of its load balancer, also where another object tells them, of a
   * Pod its node and addresses, of a PersistentVolumeClaim its volume. A headless Service stays headless.
   */
  readonly mask?: (object: KubernetesObject) => void;
  /** How many rounds run side by side. Default 4. */
  readonly concurrency?: number;
  /** How long an operator must have written nothing to be done. Default `'100ms'`. */
  readonly quiet?: Duration;
  /** How long a round may take. Default `'30s'`. */
  readonly timeout?: Duration;
}

export interface SweepReport {
  /** How many rounds there were, besides the two good ones. In each of them something was struck. */
  readonly rounds: number;
  /** The calls of a good run, of the shorter one where two differ in that, Events and Leases apart: `PATCH deployments.apps web`. */
  readonly calls: readonly string[];
  /** Those that write. */
  readonly writes: readonly string[];
  /** What an operator wrote that was started where everything was done; none of it changed anything. */
  readonly idleWrites: readonly string[];
}

/** One run that something happens to. */
export interface StruckRound {
  /** `killed after write 3 of 9`. */
  readonly title: string;
  readonly strike: Strike;
}

/** What every round is expected to come to. */
export interface GoodCalls {
  readonly calls: readonly ApiCall[];
  readonly writes: readonly ApiCall[];
}

/** How a round ended. */
export interface RoundEnd {
  readonly namespace: string;
  readonly state: EndState;
  readonly record: CallRecord;
  readonly idleWrites?: readonly ApiCall[];
}

/**
 * Runs a scenario twice without a fault, then once for each of the rounds that follow from it, and compares the ends.
 * Rejects with `sweep-diverged` after all rounds, naming each that did not come to the same end, and each that nothing
 * could be done to, because it never came to so many calls.
 */
export async function sweep(
  options: SweepOptions,
  roundsOf: (good: GoodCalls) => readonly StruckRound[],
): Promise<SweepReport> {
  const good = await runRound(options, undefined).catch((error: unknown) => {
    throw diverged([`without any fault: ${error instanceof Error ? error.message : String(error)}`], error);
  });
  const again = await runRound(options, undefined);
  const unstable = differencesBetween(again, good);
  if (unstable.length > 0) {
    throw diverged([
      `two runs without any fault: ${unstable.join('; ')}; take out with mask what may differ, as in mask: (object) => { delete object.metadata.labels; }`,
    ]);
  }
  const calls = shorter(good.record.calls, again.record.calls);
  const writes = shorter(good.record.writes, again.record.writes);
  const rounds = roundsOf({ calls, writes });
  const failures: string[] = [];
  let cause: unknown;
  const waiting = [...rounds];
  const work = async (): Promise<void> => {
    for (let round = waiting.shift(); round !== undefined; round = waiting.shift()) {
      const { title, strike } = round;
      try {
        const differences = differencesBetween(await runStruckRound(options, strike), good);
        if (differences.length > 0) failures.push(`${title}: ${differences.join('; ')}`);
      } catch (error) {
        cause ??= error;
        failures.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 4 }, work));
  if (failures.length > 0) throw diverged(failures, cause);
  const { idleWrites = [] } = good;
  return {
    rounds: rounds.length,
    calls: calls.map(describeCall),
    writes: writes.map(describeCall),
    idleWrites: idleWrites.map(describeCall),
  };
}

function shorter(one: readonly ApiCall[], other: readonly ApiCall[]): readonly ApiCall[] {
  return other.length < one.length ? other : one;
}

/** A run may get by with a call less than another one, as where two events wake a key once. */
const triesToStrike = 4;

async function runStruckRound(options: SweepOptions, strike: Strike): Promise<RoundEnd> {
  for (let attempt = 1; ; attempt++) {
    const end = await runRound(options, strike);
    const { isStruck, calls, writes } = end.record;
    if (isStruck) return end;
    if (attempt === triesToStrike) {
      throw new Error(
        `nothing was struck in ${triesToStrike} tries: the last came to ${calls.length} calls and ${writes.length} writes`,
      );
    }
  }
}

export function diverged(
  failures: readonly string[],
  cause?: unknown,
  title = 'the operator did not come to the same end',
): EvenkeelError {
  return new EvenkeelError('sweep-diverged', `${title}\n${failures.join('\n')}`, cause === undefined ? {} : { cause });
}

function differencesBetween(actual: RoundEnd, expected: RoundEnd): string[] {
  return [
    ...differencesOf(actual.state, expected.state),
    ...moreOf('created', actual.record.created, expected.record.created),
    ...moreOf('deleted', actual.record.deleted, expected.record.deleted),
  ];
}

/** Making something a second time, or destroying it, may leave no trace in the end, and is wrong all the same. */
function moreOf(what: string, actual: CallRecord['created'], expected: CallRecord['created']): string[] {
  return [...actual].flatMap(([resource, count]) => {
    const wanted = expected.get(resource) ?? 0;
    return count > wanted ? [`${count} ${resource} were ${what}, in a good run ${wanted}`] : [];
  });
}

export async function runRound(options: SweepOptions, strike: Strike | undefined): Promise<RoundEnd> {
  const { environment, kinds, scenario, mask = () => undefined } = options;
  const { client } = environment;
  const timeoutMs = durationMs(options.timeout ?? '30s');
  const quietMs = durationMs(options.quiet ?? '100ms');
  const clock = new SystemClock();
  const record = newCallRecord();
  const namespace = await environment.createNamespace();
  const operators = new RoundOperators(options, namespace, record);
  const timeIsUp = Promise.withResolvers<never>();
  const endMs = clock.monotonic() + timeoutMs;
  // An assertion that does not hold ends a little earlier, and says more.
  const timer = clock.schedule(timeoutMs + graceMs, () =>
    timeIsUp.reject(new Error(`not at its end after ${timeoutMs / 1000} s`)),
  );
  const within = <T>(work: Promise<T>): Promise<T> => Promise.race([work, operators.failure, timeIsUp.promise]);
  timeIsUp.promise.catch(() => undefined);
  try {
    operators.start(strike);
    const eventuallyInRound: SweepRound['eventually'] = (assertion, given) =>
      eventually(assertion, { timeout: Math.max(1, Math.round(endMs - clock.monotonic())), ...given });
    await within(scenario({ namespace, client, eventually: eventuallyInRound }));
    await within(untilQuiet(() => record.pending === 0 && record.writes.length, clock, quietMs));
    const state = await readEndState(client, namespace, kinds, mask);
    if (strike === undefined) {
      const before = await readVersions(client, namespace, kinds);
      const [called, written] = [record.calls.length, record.writes.length];
      await operators.stop();
      operators.start(undefined);
      await within(operators.started);
      // One that asks again and again is never quiet.
      await within(untilQuiet(() => record.pending === 0 && record.calls.length, clock, quietMs, 10 * quietMs));
      const changed = differencesOf(await readVersions(client, namespace, kinds), before);
      if (changed.length > 0) throw new Error(`started again with nothing to do, it changed ${changed.join('; ')}`);
      record.calls.splice(called);
      return { namespace, state, record, idleWrites: record.writes.splice(written) };
    }
    return { namespace, state, record };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`${said}; the last writes were ${lastOf(record.writes)}`, { cause: error });
  } finally {
    timer.cancel();
    await operators.stop();
  }
}

/** How much longer a scenario may take than what it waits for. */
const graceMs = 1000;

function lastOf(writes: CallRecord['writes']): string {
  return writes.length === 0 ? 'none' : writes.slice(-5).map(describeCall).join(', ');
}
