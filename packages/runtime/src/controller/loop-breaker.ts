import { type Clock, groupResourceOf, type ObjectKey } from '@evenkeel/core';
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
  /** By object, the paths that the last run which wrote anything changed in it. */
  written: ReadonlyMap<string, readonly string[]>;
  readonly fields: Map<string, WrittenField>;
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
 * never twice the same, such as a timestamp, that makes somebody else write too, or a field over which two controllers
 * fight. What a run itself wrote wakes nothing, so a loop always goes through somebody else.
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
    const cause = causeOf(triggers, streak?.written ?? none);
    if (streak !== undefined && (cause === 'outside' || this.#isOver(streak, startMs))) {
      this.#streaks.delete(key);
      streak = undefined;
    }
    if (changes.length === 0 || (streak === undefined && cause === 'pace')) return undefined;
    streak ??= this.#begin(key);
    streak.written = pathsByObject(changes);
    if (cause === 'pace') return undefined;
    streak.lastMs = startMs;
    const field = countFields(streak.fields, changes, startMs);
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

  #begin(key: string): Streak {
    if (this.#streaks.size >= this.#sweepAt) {
      const nowMs = this.#clock.monotonic();
      for (const [other, streak] of this.#streaks) if (this.#isOver(streak, nowMs)) this.#streaks.delete(other);
      this.#sweepAt = Math.max(keysBeforeSweep, this.#streaks.size * 2);
    }
    const streak: Streak = {
      written: none,
      fields: new Map(),
      lastMs: 0,
      level: 0,
      notBeforeMs: 0,
      finding: undefined,
    };
    this.#streaks.set(key, streak);
    return streak;
  }
}

const none: ReadonlyMap<string, readonly string[]> = new Map();

function idOf(kind: string, key: ObjectKey): string {
  return `${kind} ${key}`;
}

/**
 * `own`: every event is on an object that was written. `outside`: one is not. `pace`: there was no event, but a delay that
 * the reconcile asked for, or a backoff.
 */
function causeOf(
  triggers: readonly Trigger[],
  written: ReadonlyMap<string, readonly string[]>,
): 'own' | 'outside' | 'pace' {
  let cause: 'own' | 'pace' = 'pace';
  for (const trigger of triggers) {
    const { verb, kind, key } = trigger;
    if (verb === 'requeued' || verb === 'retried' || verb === 'periodic') continue;
    const paths = written.get(idOf(kind, key));
    if (paths === undefined || changesAnotherSpec(trigger, paths)) return 'outside';
    cause = 'own';
  }
  return cause;
}

/** Whether an update changes a part of the spec that was not written. Where it is not known what was, it does not. */
function changesAnotherSpec({ verb, changed }: Trigger, written: readonly string[]): boolean {
  if (verb !== 'updated' || written.length === 0) return false;
  return changed
    .filter((path) => path === 'spec' || path.startsWith('spec.'))
    .some((path) => !written.some((own) => own === path || own.startsWith(`${path}.`) || path.startsWith(`${own}.`)));
}

function pathsByObject(writes: readonly ObjectWrite[]): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>();
  for (const { resource, key, changed } of writes) {
    const id = idOf(resource.kind, key);
    paths.set(id, [...(paths.get(id) ?? []), ...changed]);
  }
  return paths;
}

/** Counts what a run wrote; gives the field that has been written most often of late. */
function countFields(
  fields: Map<string, WrittenField>,
  writes: readonly ObjectWrite[],
  nowMs: number,
): WrittenField | undefined {
  const counted = new Set<WrittenField>();
  for (const { resource, key, effect, changed } of writes) {
    const object = idOf(resource.kind, key);
    const paths = changed.length > 0 ? changed : [effect === 'changed' ? '' : effect];
    for (const path of paths) {
      const id = `${groupResourceOf(resource)} ${object} ${path}`;
      const field = fields.get(id);
      if (field === undefined) {
        if (fields.size >= mostFields) continue;
        const fresh: WrittenField = { object, path, times: [nowMs] };
        fields.set(id, fresh);
        counted.add(fresh);
      } else if (!counted.has(field)) {
        field.times.push(nowMs);
        if (field.times.length > runsInLoop) field.times.shift();
      }
      if (field !== undefined) counted.add(field);
    }
  }
  let most: WrittenField | undefined;
  for (const field of fields.values()) {
    if (most === undefined || field.times.length > most.times.length) most = field;
  }
  return most;
}
