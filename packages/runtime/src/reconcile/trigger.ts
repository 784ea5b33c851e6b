import type { ObjectKey } from '@evenkeel/core';
import { changedPaths } from './json-difference.ts';

/**
 * Why a run happens. `added`, `updated` and `deleted` are events on `kind` `key`, which may be the object itself, one it
 * owns or one its controller watches; `requeued` is a delay that has passed, `retried` a failure whose backoff has;
 * `periodic` is the turn of `@Every`, `signalled` a key from a `@Channel`.
 */
export type TriggerVerb = 'added' | 'updated' | 'deleted' | 'requeued' | 'retried' | 'periodic' | 'signalled';

/** One cause of a run. Several come together where they arrived before the run began. */
export class Trigger {
  readonly verb: TriggerVerb;
  readonly kind: string;
  readonly key: ObjectKey;
  /** The version the event brought; undefined for what is no event. */
  readonly resourceVersion: string | undefined;
  /** Whether changes before that version may have been missed, so that it is no proof of having seen them. */
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
   * The paths an update changed, at most 8, without `metadata.resourceVersion` and `metadata.generation`; empty for
   * other verbs. Computed when first asked for.
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

  /** `Deployment default/web updated (status.readyReplicas)`. */
  toString(): string {
    const changed = this.changed.length === 0 ? '' : ` (${this.changed.join(', ')})`;
    return `${this.kind} ${this.key} ${this.verb}${changed}`;
  }
}

/** What woke a key: the first causes one by one, and how many more there were. */
export interface Triggers {
  readonly listed: readonly Trigger[];
  readonly unlisted: number;
}

/** How many triggers of one key are kept apart; later ones are counted only. */
const triggersListed = 16;

const none: Triggers = Object.freeze({ listed: Object.freeze([]), unlisted: 0 });

/** What has arrived for each key since its last run began. Bounded by the number of waiting keys. */
export class TriggerLog {
  readonly #waiting = new Map<string, { listed: Trigger[]; unlisted: number }>();

  record(key: string, trigger: Trigger): void {
    const triggers = this.#waiting.get(key);
    if (triggers === undefined) this.#waiting.set(key, { listed: [trigger], unlisted: 0 });
    else if (triggers.listed.length < triggersListed) triggers.listed.push(trigger);
    else triggers.unlisted++;
  }

  /** Puts back what was taken, where the key is not to run yet. */
  restore(key: string, { listed, unlisted }: Triggers): void {
    this.#waiting.set(key, { listed: [...listed], unlisted });
  }

  /** What has arrived for a key, as far as it is listed. */
  waiting(key: string): readonly Trigger[] {
    return (this.#waiting.get(key) ?? none).listed;
  }

  /** Takes what has arrived for a key, oldest first. */
  take(key: string): Triggers {
    const triggers = this.#waiting.get(key) ?? none;
    this.#waiting.delete(key);
    return triggers;
  }
}
