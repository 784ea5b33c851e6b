import { type Clock, groupResourceOf } from '@evenkeel/core';
import type { LoopFinding, ObjectWrite } from '../reconcile/reconcile-run.ts';
import type { Trigger } from '../reconcile/trigger.ts';

/** So many runs that each wrote the same field, within so long, all of them caused by what the key had written before. */
const runsInLoop = 10;
const windowMs = 60_000;

/** How long a key that goes round in circles waits: this, then twice as long each time. */
const firstDelayMs = 1000;
const longestDelayMs = 300_000;

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
}

interface Streak {
  /** Of the last run that changed anything. */
  written: readonly ObjectWrite[];
  /** Made with the second run: most keys have one and are then quiet. */
  fields: Map<string, WrittenField> | undefined;
  lastMs: number;
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
}

/**
 * Finds keys that are reconciled again and again because of what their own reconciles write, and slows them: a field that is
 * never twice the same, such as a timestamp, in the object itself or where it makes somebody else write too, or a field over
 * which two controllers fight. Where a run changed its own object, beyond status and finalizers, that alone wakes it again;
 * of all else that it wrote itself nothing does, and the loop goes through somebody else.
 *
 * A run counts where it wrote, and every event that caused it is on an object that the run before it wrote. Any other event
 * is a change from outside, ends the streak, and is never held up: so are changes of a spec where the runs wrote none of it.
 * Delays that the reconcile asked for are its own pace, and neither count nor end a streak.
 */
export class LoopBreaker {
  readonly #clock: Clock;
  readonly #streaks = new Map<string, Streak>();
  #sweepAt = keysBeforeSweep;

  constructor(clock: Clock) {
    this.#clock = clock;
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
    if (causeOf(triggers, streak.written) !== 'outside') return leftMs;
    this.#streaks.delete(key);
    return 0;
  }

  /** To be called when a run has ended. What it gives says that the key is slowed from now on, or more than before. */
  ended(key: string, { startMs, triggers, writes }: EndedRun): LoopFinding | undefined {
    const changes = writes.filter(({ effect }) => effect !== 'unchanged');
    let streak = this.#streaks.get(key);
    const cause = causeOf(triggers, streak?.written ?? []);
    if (streak !== undefined && (cause === 'outside' || this.#isOver(streak, startMs))) {
      this.#streaks.delete(key);
      streak = undefined;
    }
    if (changes.length === 0 || (streak === undefined && cause === 'pace')) return undefined;
    if (streak === undefined) {
      this.#begin(key, changes, startMs);
      return undefined;
    }
    const fields = countedFields(streak);
    streak.written = changes;
    if (cause === 'pace') return undefined;
    streak.lastMs = startMs;
    const field = countFields(fields, changes, startMs);
    if (field === undefined || field.times.length < runsInLoop) return undefined;
    // Once it is slowed, how far apart the runs are is our doing.
    const isFast = startMs - (field.times[0] ?? startMs) <= windowMs;
    return isFast || streak.level > 0 ? this.#slow(streak, field) : undefined;
  }

  #slow(streak: Streak, { object, path }: WrittenField): LoopFinding {
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** streak.level);
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
    this.#streaks.set(key, { written, fields: undefined, lastMs, level: 0, notBeforeMs: 0, finding: undefined });
  }
}

/**
 * `own`: every event is on an object that was written. `outside`: one is not. `pace`: there was no event, but a delay that
 * the reconcile asked for, or a backoff.
 */
function causeOf(triggers: readonly Trigger[], written: readonly ObjectWrite[]): 'own' | 'outside' | 'pace' {
  let cause: 'own' | 'pace' = 'pace';
  for (const trigger of triggers) {
    const { verb } = trigger;
    if (verb === 'requeued' || verb === 'retried' || verb === 'periodic') continue;
    const writes = written.filter((write) => isOn(trigger, write));
    if (writes.length === 0 || changesAnotherSpec(trigger, writes)) return 'outside';
    cause = 'own';
  }
  return cause;
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
    countFields(streak.fields, streak.written, streak.lastMs);
  }
  return streak.fields;
}

/** Counts what a run wrote. Gives the field among that which has been written most often. */
function countFields(
  fields: Map<string, WrittenField>,
  writes: readonly ObjectWrite[],
  startMs: number,
): WrittenField | undefined {
  const counted = new Set<WrittenField>();
  for (const { resource, key, effect, changed } of writes) {
    const object = `${resource.kind} ${key}`;
    for (const path of changed.length > 0 ? changed : [effect === 'changed' ? '' : effect]) {
      const id = `${groupResourceOf(resource)} ${object} ${path}`;
      const field = fields.get(id) ?? { object, path, times: [] };
      if (counted.has(field) || (field.times.length === 0 && fields.size >= mostFields)) continue;
      counted.add(field);
      fields.set(id, field);
      field.times.push(startMs);
      if (field.times.length > runsInLoop) field.times.shift();
    }
  }
  return [...counted].reduce<WrittenField | undefined>(
    (most, field) => (most === undefined || field.times.length > most.times.length ? field : most),
    undefined,
  );
}
