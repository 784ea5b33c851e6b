import type { ObjectKey } from '@evenkeel/core';
import { changedPaths } from './json-difference.ts';

/**
 * The cause of a run.
 * - `added`, `updated`, `deleted`: an event of the object, of one of its children or of a watched object.
 * - `requeued`: a delay that the previous run asked for has passed.
 * - `retried`: the backoff after a failure has passed.
 * - `periodic`: the interval of `@Every` has passed.
 * - `signalled`: a `@Channel` yielded the key.
 */
export type TriggerVerb = 'added' | 'updated' | 'deleted' | 'requeued' | 'retried' | 'periodic' | 'signalled';

/** One cause of a run. A run has all triggers that arrived before it started. */
export class Trigger {
  readonly verb: TriggerVerb;
  readonly kind: string;
  readonly key: ObjectKey;
  /** The resourceVersion of the event's object. Undefined if the trigger is not an event. */
  readonly resourceVersion: string | undefined;
  /** Whether earlier changes may have been missed, so that a run which knows this version may not know all changes. */
  readonly mayHideOthers: boolean;
  readonly #before: unknown;
  readonly #after: unknown;
  #changed: readonly string[] | undefined;

  constructor(
    verb: TriggerVerb,
    kind: string,
    key: ObjectKey,
    change: { before?: unknown; after?: unknown; resourceVersion?: string | undefined; mayHideOthers?: boolean } = {},
  ) {
    this.verb = verb;
    this.kind = kind;
    this.key = key;
    this.resourceVersion = change.resourceVersion;
    this.mayHideOthers = change.mayHideOthers ?? false;
    this.#before = change.before;
    this.#after = change.after;
  }

  /**
   * The paths that an update changed, at most 8, without `metadata.resourceVersion` and `metadata.generation`. Empty for other
   * verbs. Computed at the first access.
   */
  get changed(): readonly string[] {
    this.#changed ??=
      this.#before === undefined || this.#after === undefined
        ? []
        : changedPaths(this.#before, this.#after, 10)
            .filter((path) => path !== 'metadata.resourceVersion' && path !== 'metadata.generation')
            .slice(0, 8);
    return this.#changed;
  }

  /** Returns, for example, `Deployment default/web updated (status.readyReplicas)`. */
  toString(): string {
    const changed = this.changed.length === 0 ? '' : ` (${this.changed.join(', ')})`;
    return `${this.kind} ${this.key} ${this.verb}${changed}`;
  }
}

/** The triggers of a key: the first ones, and the number of others. */
export interface Triggers {
  readonly listed: readonly Trigger[];
  readonly unlisted: number;
}

/** The number of triggers that are kept for each key. Others are only counted. */
const triggersListed = 16;

const none: Triggers = Object.freeze({ listed: Object.freeze([]), unlisted: 0 });

/** The triggers of each key since its last run started. Bounded by the number of waiting keys. */
export class TriggerLog {
  readonly #waiting = new Map<string, { listed: Trigger[]; unlisted: number }>();

  record(key: string, trigger: Trigger): void {
    const triggers = this.#waiting.get(key);
    if (triggers === undefined) this.#waiting.set(key, { listed: [trigger], unlisted: 0 });
    else if (triggers.listed.length < triggersListed) triggers.listed.push(trigger);
    else triggers.unlisted++;
  }

  /** Puts taken triggers back if the key must not run yet. */
  restore(key: string, { listed, unlisted }: Triggers): void {
    this.#waiting.set(key, { listed: [...listed], unlisted });
  }

  /** Returns the listed triggers of a key. */
  waiting(key: string): readonly Trigger[] {
    return (this.#waiting.get(key) ?? none).listed;
  }

  /** Removes and returns the triggers of a key, oldest first. */
  take(key: string): Triggers {
    const triggers = this.#waiting.get(key) ?? none;
    this.#waiting.delete(key);
    return triggers;
  }
}
