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

/** A status as far as conditions are concerned. */
export interface StatusWithConditions {
  conditions?: readonly Condition[];
}

/**
 * The conditions in the status of the object being reconciled. They start as observed, those of other writers among them.
 * Abstract, so that it can stand in a decorated signature.
 *
 * Promised: what a run does not set stays as it is. They are written with the status, so not where nothing has changed: setting
 * a condition to what it is costs no write, and its transition time stays.
 *
 * Not promised: that a condition goes when nobody sets it any more; {@link remove} it. Nor that the conditions of another
 * writer survive if both write at the same moment: the list is written whole, but only for the version of the object that was
 * read, so that the one who comes second reads again.
 */
export abstract class ConditionSet {
  /**
   * Sets one condition, with the generation that was read as its `observedGeneration`. `true` and `false` are `'True'`
   * and `'False'`. `lastTransitionTime` moves only where the status differs from before (API conventions, "Typical
   * status properties"). `reason` is one CamelCase word for machines, `message` a sentence for people, cut at 32 KiB.
   *
   * Throws `invalid-condition` for a type or a reason that `metav1.Condition` does not allow: the server would refuse the
   * whole status for it.
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

/** As the API server checks them (apimachinery, `metav1.Condition`). */
const longestMessage = 32_768;
/** So much of a name that is refused is told. */
const longestName = 128;
const reasons = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

function checkCondition(type: string, status: unknown, reason: string): void {
  const refuse = (what: string): EvenkeelError =>
    new EvenkeelError('invalid-condition', `condition ${JSON.stringify(String(type).slice(0, longestName))}: ${what}`);
  if (!isQualifiedName(String(type))) {
    throw refuse('its type cannot be called so; use one CamelCase word, such as Available, or a domain before it');
  }
  if (typeof status !== 'boolean' && !['True', 'False', 'Unknown'].includes(status as string)) {
    throw refuse(`its status is ${String(status)}; give true, false or 'Unknown'`);
  }
  if (typeof reason === 'string' && reason.length <= 1024 && reasons.test(reason)) return;
  throw refuse(
    `its reason ${typeof reason === 'string' ? JSON.stringify(reason.slice(0, longestName)) : describeValue(reason)} is not one CamelCase word, such as MinimumReplicasAvailable; put sentences into the message`,
  );
}
