import {
  EvenkeelError,
  type KubernetesObject,
  type Logger,
  messageOf,
  type ObjectKey,
  type ObjectValidator,
  type ValidationFinding,
} from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { ConditionSet } from './condition-set.ts';

/** The type of the condition that shows whether an object is valid. */
export const validCondition = 'Valid';
/** The reasons of the condition. A condition with another reason belongs to another writer and is kept. */
const invalidReason = 'Invalid';
const passedReason = 'Passed';

/** The number of listed findings and the maximum length of each, so that they fit into an Event (1 kB). */
const findingsListed = 5;
const longestFinding = 180;

export interface ValidityCheckOptions {
  readonly validator: ObjectValidator;
  readonly recorder: EventRecorder;
}

/**
 * Checks objects with the operator's validator before they are reconciled. It reports an invalid object by a condition, a
 * Warning Event and a log line, each once for the same findings and the same generation.
 *
 * Each run validates the object again, so no result can be outdated.
 */
export class ValidityCheck {
  readonly #options: ValidityCheckOptions;
  /** The last report of each invalid object. */
  readonly #reported = new Map<string, string>();

  constructor(options: ValidityCheckOptions) {
    this.#options = options;
  }

  /**
   * Returns whether the object is valid, and reports it if not. `conditions` are the conditions of its status, undefined if its
   * kind has none. Throws `validator-failed` if the validator throws, so the object is not reconciled.
   */
  passes(
    key: ObjectKey,
    object: KubernetesObject,
    { conditions, logger }: { conditions: ConditionSet | undefined; logger: Logger },
  ): boolean {
    const findings = this.#findingsOf(key, object);
    const before = conditions?.get(validCondition);
    if (findings.length === 0) {
      this.#reported.delete(String(key));
      if (before?.reason === invalidReason || before?.reason === passedReason) {
        conditions?.set(validCondition, true, passedReason);
      }
      return true;
    }
    const text = describeFindings(findings);
    conditions?.set(validCondition, false, invalidReason, text);
    const { uid, generation } = object.metadata;
    const report = `${uid} ${generation} ${text}`;
    const isKnown = before !== undefined && conditions?.get(validCondition) === before;
    if (this.#reported.get(String(key)) !== report) {
      this.#reported.set(String(key), report);
      logger.warn('object is invalid; it is not reconciled until it changes', { generation, findings: text });
      // If the condition already had this message, an earlier process set it and recorded the Event too.
      if (!isKnown) this.#options.recorder.warning(object, invalidReason, `Not reconciled: ${text}`);
    }
    return false;
  }

  /** Returns whether the object is valid, without a report. Throws the same errors as {@link passes}. */
  isValid(key: ObjectKey, object: KubernetesObject): boolean {
    return this.#findingsOf(key, object).length === 0;
  }

  /** Drops the state of an object that is gone. */
  forget(key: ObjectKey): void {
    this.#reported.delete(String(key));
  }

  #findingsOf(key: ObjectKey, object: KubernetesObject): readonly ValidationFinding[] {
    let findings: unknown;
    try {
      findings = this.#options.validator.validate(object);
    } catch (error) {
      const why = messageOf(error);
      throw new EvenkeelError(
        'validator-failed',
        `cannot validate ${object.kind} ${key}: the validator threw: ${why}`,
        {
          cause: error,
        },
      );
    }
    if (Array.isArray(findings)) return findings as readonly ValidationFinding[];
    throw new EvenkeelError(
      'validator-failed',
      `cannot validate ${object.kind} ${key}: the validator returned ${findings instanceof Promise ? 'a promise' : typeof findings}; return a list of findings synchronously`,
    );
  }
}

function describeFindings(findings: readonly ValidationFinding[]): string {
  const listed = findings
    .slice(0, findingsListed)
    .map(({ path, message }) => cut(path === '' ? message : `${path}: ${message}`));
  const more = findings.length - listed.length;
  return `${listed.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Cuts between characters, so that none is broken. */
function cut(text: string): string {
  if (text.length <= longestFinding) return text;
  return `${[...text.slice(0, longestFinding * 2)].slice(0, longestFinding - 1).join('')}…`;
}
