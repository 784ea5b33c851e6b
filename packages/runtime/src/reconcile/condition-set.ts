import { isQualifiedName } from '@evenkeel/apimachinery/name-form';
import {
  type Clock,
  Condition,
  type ConditionStatus,
  describeValue,
  EvenkeelError,
  findCondition,
  withCondition,
} from '@evenkeel/core';

/** The part of a status that has the conditions. */
export interface StatusWithConditions {
  conditions?: readonly Condition[];
}

/**
 * The conditions in the status of the object being reconciled, including the conditions of other writers. It is an abstract
 * class so that decorated methods can use it as a parameter type.
 *
 * Promised: conditions that a run does not set stay unchanged. Setting a condition to its current value sends no request and
 * keeps its `lastTransitionTime`. The conditions are written with the status.
 *
 * Not promised: that a condition disappears when no run sets it any more. Call {@link remove}. The list is written as a whole,
 * with the resourceVersion that was read as a precondition: a writer of older data gets a conflict and must read again.
 */
export abstract class ConditionSet {
  /**
   * Sets one condition. Its `observedGeneration` is the generation of the reconciled object. `true` and `false` stand for
   * `'True'` and `'False'`. `lastTransitionTime` changes only if the condition's status changes (API conventions, "Typical
   * status properties"). `reason` is one CamelCase word for programs. `message` is a sentence for people, truncated to 32 KiB.
   *
   * Throws `invalid-condition` for a type, status or reason that `metav1.Condition` does not allow. The API server would reject
   * the whole status.
   */
  abstract set(type: string, status: boolean | ConditionStatus, reason: string, message?: string): void;
  /** Returns the condition, including changes of this run. */
  abstract get(type: string): Readonly<Condition> | undefined;
  /** Returns whether the condition's status is `'True'`. */
  abstract isTrue(type: string): boolean;
  /** Removes a condition. */
  abstract remove(type: string): void;
}

/** The conditions in `status.conditions`. */
export class StatusConditions extends ConditionSet {
  readonly #status: () => StatusWithConditions;
  readonly #generation: number | undefined;
  readonly #clock: Clock;

  constructor(status: () => StatusWithConditions, generation: number | undefined, clock: Clock) {
    super();
    this.#status = status;
    this.#generation = generation;
    this.#clock = clock;
  }

  set(type: string, status: boolean | ConditionStatus, reason: string, message = ''): void {
    checkCondition(type, status, reason);
    const holder = this.#status();
    const condition: Omit<Condition, 'lastTransitionTime'> = {
      type,
      status: typeof status === 'boolean' ? (status ? 'True' : 'False') : status,
      reason,
      message: message.slice(0, longestMessage),
      ...(this.#generation === undefined ? {} : { observedGeneration: this.#generation }),
    };
    const next = withCondition(holder.conditions, condition, new Date(this.#clock.now()));
    if (next !== holder.conditions) holder.conditions = next;
  }

  get(type: string): Readonly<Condition> | undefined {
    return findCondition(this.#status().conditions, type);
  }

  isTrue(type: string): boolean {
    return this.get(type)?.status === 'True';
  }

  remove(type: string): void {
    const holder = this.#status();
    if (this.get(type) === undefined) return;
    holder.conditions = holder.conditions?.filter((condition) => condition.type !== type) ?? [];
  }
}

/** The limits and patterns that the API server enforces (apimachinery, `metav1.Condition`). */
const longestMessage = 32_768;
/** An error message shows at most this many characters of an invalid name. */
const longestName = 128;
const reasons = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

function checkCondition(type: string, status: unknown, reason: string): void {
  const invalid = (what: string): EvenkeelError =>
    new EvenkeelError('invalid-condition', `condition ${JSON.stringify(String(type).slice(0, longestName))}: ${what}`);
  if (!isQualifiedName(String(type))) {
    throw invalid(
      'invalid type; use one CamelCase word such as Available, optionally with a domain and a slash before it',
    );
  }
  if (typeof status !== 'boolean' && !['True', 'False', 'Unknown'].includes(status as string)) {
    throw invalid(`invalid status ${String(status)}; use true, false or 'Unknown'`);
  }
  if (typeof reason === 'string' && reason.length <= 1024 && reasons.test(reason)) return;
  throw invalid(
    `invalid reason ${typeof reason === 'string' ? JSON.stringify(reason.slice(0, longestName)) : describeValue(reason)}; use one CamelCase word such as MinimumReplicasAvailable, and put sentences into the message`,
  );
}
