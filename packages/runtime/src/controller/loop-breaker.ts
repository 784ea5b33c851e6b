import { type Clock, groupResourceOf } from '@evenkeel/core';
import type { LoopFinding, ObjectWrite } from '../reconcile/reconcile-run.ts';
import type { Trigger } from '../reconcile/trigger.ts';

/** So many runs that each wrote the same field, within so long, all of them caused by what the key had written before. */
const runsInLoop = 10;
const windowMs = 60_000;

/** How long a key that goes round in circles waits: this, then twice as long each time. */
const firstDelayMs = 1000;
const longestDelayMs = 300_000;

/** The longest where events on other objects wait too, which may be changes that somebody is waiting for. */
const longestDelayOfOthersMs = 30_000;

/** Fields that are counted for one key; a loop writes the same few again and again. */
const mostFields = 32;

/** Keys above which those are dropped that have been quiet for longer than a window. */
const keysBeforeSweep = 1000;

/** A field that runs of one key write. */
interface WrittenField {
  readonly object: string;
  readonly path: string;
  /** When the last runs that wrote it began, oldest first. */
  readonly times: number[];
  /** Whether a run that the key's own writes caused has left it alone. */
  rested: boolean;
}

interface Streak {
  /** Of the last run that changed anything. */
  written: readonly ObjectWrite[];
  /** Made with the second run that writes: most keys have one and are then quiet. */
  fields: Map<string, WrittenField> | undefined;
  /** Whether a run has left alone what the first one wrote, before there were fields. */
  rested: boolean;
  lastMs: number;
  /** Whether there were events on other objects as well: what is counted then has been written without a rest. */
  meetsOthers: boolean;
  /** How often the key has been slowed; 0 while it is not. */
  level: number;
  notBeforeMs: number;
  finding: LoopFinding | undefined;
}

/** What the breaker has to know of a run. */
export interface EndedRun {
  readonly startMs: number;
  readonly triggers: readonly Trigger[];
  readonly writes: readonly ObjectWrite[];
  /** What has come since the run began: it may have seen that already. */
  readonly waiting: readonly Trigger[];
}

/**
 * Finds keys that are reconciled again and again because of what their own reconciles write, and slows them: a field that is
 * never twice the same, such as a timestamp, in the object itself or where it makes somebody else write too, or a field over
 * which two controllers fight. Where a run changed its own object, beyond status and finalizers, that alone wakes it again;
 * of all else that it wrote itself nothing does, and the loop goes through somebody else.
 *
 * A run counts where it wrote, and every event that caused it is on an object that the run before it wrote. A change of the
 * key's own object, a signal of a channel, and a change of a spec of which the runs wrote none is from outside: it ends the
 * streak, and is never held up. Delays that the reconcile asked for are its own pace, and neither count nor end a streak.
 *
 * An event on any other object may be from outside, as of a Node that comes, or follow from what was written, as of the Pods
 * of a Deployment: nothing in it tells which. A run that has one among its causes, or waiting when it ends, does not count,
 * and a field goes on being counted over it only while every run writes the field, whatever woke it. So a value that is
 * computed from what comes and goes, such as a number of Pods, is let be: a run that only its own writes have caused has
 * nothing new to compute it from. Where such events have come between, a slowed key lets them wait too, for half a minute at
 * most; where none has, the first ends the streak. Not found among such events: a fight over a field, where some run finds
 * it as it wants it, and a value that is new each second, but not in each run.
 */
export class LoopBreaker {
  readonly #clock: Clock;
  readonly #kind: string;
  readonly #streaks = new Map<string, Streak>();
  #sweepAt = keysBeforeSweep;

  /** @param kind of the objects that the keys are of. */
  constructor(clock: Clock, kind: string) {
    this.#clock = clock;
    this.#kind = kind;
  }

  /** The keys that are slowed now. */
  get slowed(): { readonly key: string; readonly finding: LoopFinding }[] {
    const nowMs = this.#clock.monotonic();
    return [...this.#streaks].flatMap(([key, streak]) =>
      streak.finding === undefined || this.#isOver(streak, nowMs) ? [] : [{ key, finding: streak.finding }],
    );
  }

  /** How many keys are followed. */
  get size(): number {
    return this.#streaks.size;
  }

  /** For how much longer a key must wait that these events have woken; 0 where it may run. */
  holdMs(key: string, triggers: readonly Trigger[]): number {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.level === 0) return 0;
    const leftMs = streak.notBeforeMs - this.#clock.monotonic();
    if (leftMs <= 0) return 0;
    if (!endsStreak(this.#causeOf(key, triggers, streak.written), streak)) return leftMs;
    this.#streaks.delete(key);
    return 0;
  }

  /** To be called when a run has ended. What it gives says that the key is slowed from now on, or more than before. */
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
    // Once it is slowed, how far apart the runs are is our doing.
    const isFast = startMs - (field.times[0] ?? startMs) <= windowMs;
    return isFast || streak.level > 0 ? this.#slow(streak, field) : undefined;
  }

  /** Whether what a run wrote, its own writes have caused. Once a key is slowed, all that comes meanwhile comes together. */
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
 * Of the events behind a run. `own`: each is on an object that was written. `others`: each is on one that was not, and is not
 * the key's own object; `both`: there are such and such. `outside`: one is a change that does not follow from what was
 * written. `pace`: there was no event, but a delay that the reconcile asked for, or a backoff.
 */
type Cause = 'own' | 'others' | 'both' | 'outside' | 'pace';

function endsStreak(cause: Cause, { level, meetsOthers }: Streak): boolean {
  if (cause === 'outside') return true;
  return (cause === 'others' || cause === 'both') && level > 0 && !meetsOthers;
}

/** Whether an update changes a part of the spec that was not written. Where it is not known what was, it does not. */
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

/** What a run wrote, field by field. */
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

/** Counts what a run wrote. Gives the field among that which has been written most often. */
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
