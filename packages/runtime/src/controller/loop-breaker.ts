import { type Clock, groupResourceOf } from '@evenkeel/core';
import type { LoopFinding, ObjectWrite } from '../reconcile/reconcile-run.ts';
import type { Trigger } from '../reconcile/trigger.ts';

/** A loop: this many runs within this period wrote the same field, and all were triggered by the key's own writes. */
const runsInLoop = 10;
const windowMs = 60_000;

/** The first delay of a key in a loop. It doubles each time. */
const firstDelayMs = 1000;
const longestDelayMs = 300_000;

/** The longest delay if events of other objects wait too, because users may wait for the effect of such a change. */
const longestDelayOfOthersMs = 30_000;

/** The number of fields that are counted for one key. A loop writes the same few fields repeatedly. */
const mostFields = 32;

/** If there are more keys, those without a counted run in the last window are dropped. */
const keysBeforeSweep = 1000;

/** A field that the runs of a key write. */
interface WrittenField {
  readonly object: string;
  readonly path: string;
  /** The start times of the last runs that wrote it, oldest first. */
  readonly times: number[];
  /** Whether a run that was triggered by the key's own writes did not write it. */
  rested: boolean;
}

interface Streak {
  /** The writes of the last run that changed anything. */
  written: readonly ObjectWrite[];
  /** Created at the second run that writes, because most keys have only one and are then quiet. */
  fields: Map<string, WrittenField> | undefined;
  /** Whether a run did not write the fields of the first run, before `fields` existed. */
  rested: boolean;
  lastMs: number;
  /** Whether there were also events of other objects. Then only fields are counted that every run has written. */
  meetsOthers: boolean;
  /** How often the key was slowed down. 0: it is not slowed down. */
  level: number;
  notBeforeMs: number;
  finding: LoopFinding | undefined;
}

/** The data about a run that the breaker needs. */
export interface EndedRun {
  readonly startMs: number;
  readonly triggers: readonly Trigger[];
  readonly writes: readonly ObjectWrite[];
  /** The triggers that arrived since the run started. The run may already know their changes. */
  readonly waiting: readonly Trigger[];
}

/**
 * Finds keys whose runs repeatedly trigger themselves by their own writes, and slows them down. There are two kinds of loops:
 * a field whose value is always different, such as a timestamp, and a field to which two controllers write different values.
 *
 * If a run changes its own object, except its status and its finalizers, this change triggers the next run. A run's other
 * writes do not trigger it directly; such a loop includes the writes of another controller.
 *
 * A run is counted if it wrote, and if each of its events is of an object that the previous run wrote. These changes come from
 * outside, end the streak and are never delayed: a change of the key's own object, a signal of a channel, and a change of a
 * part of a spec that the runs did not write. Delays that the reconcile method asked for do not count and do not end a streak.
 *
 * An event of any other object may come from outside, such as a new Node, or follow from a write, such as the Pods of a
 * Deployment. The event does not show which. Therefore:
 * - A run with such an event among its triggers, or waiting at its end, is not counted. A field stays counted only if every
 *   run writes it, whatever triggered the run. This accepts values that are computed from other objects, such as a number of
 *   Pods: a run that is triggered only by its own writes computes the same value again.
 * - If there were such events during the streak, they are delayed too while the key is slowed down, by at most 30 s. If not,
 *   the first such event ends the streak.
 *
 * With such events, two loops are not found: two controllers that write different values, if some run finds its own value,
 * and a value that changes each second but not in each run.
 */
export class LoopBreaker {
  readonly #clock: Clock;
  readonly #kind: string;
  readonly #streaks = new Map<string, Streak>();
  #sweepAt = keysBeforeSweep;

  /** @param kind the kind of the keys' objects. */
  constructor(clock: Clock, kind: string) {
    this.#clock = clock;
    this.#kind = kind;
  }

  /** The keys that are currently slowed down. */
  get slowed(): { readonly key: string; readonly finding: LoopFinding }[] {
    const nowMs = this.#clock.monotonic();
    return [...this.#streaks].flatMap(([key, streak]) =>
      streak.finding === undefined || this.#isOver(streak, nowMs) ? [] : [{ key, finding: streak.finding }],
    );
  }

  /** The number of keys with a streak. */
  get size(): number {
    return this.#streaks.size;
  }

  /** Returns how much longer a key with these triggers must wait. 0: it may run. */
  holdMs(key: string, triggers: readonly Trigger[]): number {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.level === 0) return 0;
    const leftMs = streak.notBeforeMs - this.#clock.monotonic();
    if (leftMs <= 0) return 0;
    if (!endsStreak(this.#causeOf(key, triggers, streak.written), streak)) return leftMs;
    this.#streaks.delete(key);
    return 0;
  }

  /** Must be called after each run. Returns a finding if the key is slowed down from now on, or more than before. */
  ended(key: string, { startMs, triggers, writes, waiting }: EndedRun): LoopFinding | undefined {
    const changes = writes.filter(({ effect }) => effect !== 'unchanged');
    let streak = this.#streaks.get(key);
    const cause = this.#causeOf(key, triggers, streak?.written ?? []);
    const meetsOthers = cause === 'others' || cause === 'both';
    if (streak !== undefined && (endsStreak(cause, streak) || this.#isOver(streak, startMs))) {
      this.#streaks.delete(key);
      streak = undefined;
    }
    if (streak === undefined) {
      if (changes.length > 0 && cause !== 'pace') this.#begin(key, changes, startMs);
      return undefined;
    }
    if (changes.length === 0 && streak.fields === undefined) {
      if (cause !== 'pace') streak.rested = true;
      if (meetsOthers) streak.meetsOthers = true;
      return undefined;
    }
    const fields = countedFields(streak);
    if (changes.length > 0) streak.written = changes;
    if (cause === 'pace') return undefined;
    if (meetsOthers) streak.meetsOthers = true;
    const written = fieldsOf(changes);
    const counts = this.#counts(key, cause, streak, waiting);
    if (counts && changes.length > 0) streak.lastMs = startMs;
    const field = counts ? countFields(fields, written, startMs) : undefined;
    for (const [id, known] of fields) {
      if (!written.has(id)) known.rested = true;
      if (known.rested && streak.meetsOthers) fields.delete(id);
    }
    if (fields.size === 0) this.#streaks.delete(key);
    if (field === undefined || field.times.length < runsInLoop) return undefined;
    // After a slowdown, the breaker itself determines the time between runs.
    const isFast = startMs - (field.times[0] ?? startMs) <= windowMs;
    return isFast || streak.level > 0 ? this.#slow(streak, field) : undefined;
  }

  /** Whether only the key's own writes caused this run's writes. While a key is slowed down, its triggers accumulate. */
  #counts(key: string, cause: Cause, { level, written }: Streak, waiting: readonly Trigger[]): boolean {
    if (level > 0) return cause !== 'others';
    const later = this.#causeOf(key, waiting, written);
    return cause === 'own' && (later === 'own' || later === 'pace');
  }

  #slow(streak: Streak, { object, path }: WrittenField): LoopFinding {
    const longestMs = streak.meetsOthers ? longestDelayOfOthersMs : longestDelayMs;
    const delayMs = Math.min(longestMs, firstDelayMs * 2 ** streak.level);
    streak.level++;
    streak.notBeforeMs = this.#clock.monotonic() + delayMs;
    streak.finding = { object, path, delayMs, isNew: streak.level === 1 };
    return streak.finding;
  }

  #isOver({ lastMs, finding }: Streak, nowMs: number): boolean {
    return nowMs - lastMs > windowMs + 2 * (finding?.delayMs ?? 0);
  }

  #begin(key: string, written: readonly ObjectWrite[], lastMs: number): void {
    if (this.#streaks.size >= this.#sweepAt) {
      const nowMs = this.#clock.monotonic();
      for (const [other, streak] of this.#streaks) if (this.#isOver(streak, nowMs)) this.#streaks.delete(other);
      this.#sweepAt = Math.max(keysBeforeSweep, this.#streaks.size * 2);
    }
    this.#streaks.set(key, {
      ...{ written, fields: undefined, rested: false, lastMs, meetsOthers: false },
      ...{ level: 0, notBeforeMs: 0, finding: undefined },
    });
  }

  #causeOf(key: string, triggers: readonly Trigger[], written: readonly ObjectWrite[]): Cause {
    let isOwn = false;
    let isOfOthers = false;
    for (const trigger of triggers) {
      const { verb } = trigger;
      if (verb === 'requeued' || verb === 'retried' || verb === 'periodic') continue;
      if (verb === 'signalled') return 'outside';
      const writes = written.filter((write) => isOn(trigger, write));
      if (writes.length === 0) {
        if (trigger.kind === this.#kind && String(trigger.key) === key) return 'outside';
        isOfOthers = true;
      } else if (changesAnotherSpec(trigger, writes)) return 'outside';
      else isOwn = true;
    }
    if (isOfOthers) return isOwn ? 'both' : 'others';
    return isOwn ? 'own' : 'pace';
  }
}

/**
 * The cause of a run, derived from its events.
 * - `own`: all are of objects that the previous run wrote.
 * - `others`: all are of other objects, but not of the key's own object.
 * - `both`: some are `own` and some are `others`.
 * - `outside`: at least one is a change that does not follow from a write.
 * - `pace`: there was no event, but a delay that the reconcile method asked for, or a backoff.
 */
type Cause = 'own' | 'others' | 'both' | 'outside' | 'pace';

function endsStreak(cause: Cause, { level, meetsOthers }: Streak): boolean {
  if (cause === 'outside') return true;
  return (cause === 'others' || cause === 'both') && level > 0 && !meetsOthers;
}

/** Whether an update changes a part of the spec that was not written. False if the written paths are unknown. */
function changesAnotherSpec(trigger: Trigger, writes: readonly ObjectWrite[]): boolean {
  const written = writes.flatMap(({ changed }) => changed);
  if (trigger.verb !== 'updated' || written.length === 0) return false;
  return trigger.changed
    .filter((path) => path === 'spec' || path.startsWith('spec.'))
    .some((path) => !written.some((own) => own === path || own.startsWith(`${path}.`) || path.startsWith(`${own}.`)));
}

function isOn({ kind, key }: Trigger, write: ObjectWrite): boolean {
  return write.resource.kind === kind && write.key.name === key.name && write.key.namespace === key.namespace;
}

function countedFields(streak: Streak): Map<string, WrittenField> {
  if (streak.fields === undefined) {
    streak.fields = new Map();
    countFields(streak.fields, fieldsOf(streak.written), streak.lastMs);
    for (const field of streak.fields.values()) field.rested = streak.rested;
  }
  return streak.fields;
}

/** Returns the fields that a run wrote. */
function fieldsOf(writes: readonly ObjectWrite[]): Map<string, Pick<WrittenField, 'object' | 'path'>> {
  const fields = new Map<string, Pick<WrittenField, 'object' | 'path'>>();
  for (const { resource, key, effect, changed } of writes) {
    const object = `${resource.kind} ${key}`;
    for (const path of changed.length > 0 ? changed : [effect === 'changed' ? '' : effect]) {
      fields.set(`${groupResourceOf(resource)} ${object} ${path}`, { object, path });
    }
  }
  return fields;
}

/** Counts the fields that a run wrote. Returns the one that was written most often. */
function countFields(
  fields: Map<string, WrittenField>,
  written: ReadonlyMap<string, Pick<WrittenField, 'object' | 'path'>>,
  startMs: number,
): WrittenField | undefined {
  let most: WrittenField | undefined;
  for (const [id, { object, path }] of written) {
    const field = fields.get(id) ?? { object, path, times: [], rested: false };
    if (field.times.length === 0 && fields.size >= mostFields) continue;
    fields.set(id, field);
    field.times.push(startMs);
    if (field.times.length > runsInLoop) field.times.shift();
    if (most === undefined || field.times.length > most.times.length) most = field;
  }
  return most;
}
