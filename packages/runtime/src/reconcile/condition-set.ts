import { type Clock, Condition, type ConditionStatus, findCondition, withCondition } from '@evenkeel/core';

/** A status as far as conditions are concerned. */
export interface StatusWithConditions {
  conditions?: readonly Condition[];
}

/**
 * The conditions in the status of the object being reconciled. They start as observed; what a run does not set stays.
 * Abstract, so that it can stand in a decorated signature.
 */
export abstract class ConditionSet {
  /**
   * Sets one condition, with the generation that was read as its `observedGeneration`. `true` and `false` are `'True'`
   * and `'False'`. `lastTransitionTime` moves only where the status differs from before (API conventions, "Typical
   * status properties"). `reason` is one CamelCase word for machines, `message` a sentence for people.
   */
  abstract set(type: string, status: boolean | ConditionStatus, reason: string, message?: string): void;
  /** The condition as it stands now, with what this run has set. */
  abstract get(type: string): Readonly<Condition> | undefined;
  /** Whether the condition's status is `'True'`. */
  abstract isTrue(type: string): boolean;
  /** Takes a condition away. */
  abstract remove(type: string): void;
}

/** Conditions kept in `status.conditions`, where every list of them stands by convention. */
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
    const holder = this.#status();
    const condition: Omit<Condition, 'lastTransitionTime'> = {
      type,
      status: typeof status === 'boolean' ? (status ? 'True' : 'False') : status,
      reason,
      message,
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
