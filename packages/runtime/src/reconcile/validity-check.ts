import {
  EvenkeelError,
  type KubernetesObject,
  type Logger,
  type ObjectKey,
  type ObjectValidator,
  type ValidationFinding,
} from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { ConditionSet } from './condition-set.ts';

/** The type of the condition that says whether an object may be reconciled. */
export const validCondition = 'Valid';
/** The reasons it is given. One with another reason is somebody else's, and is left alone. */
const refusedReason = 'Invalid';
const passedReason = 'Passed';

/** How many findings are told one by one, and how long each may be; what people read in an Event has 1 kB. */
const findingsTold = 5;
const longestFinding = 180;

export interface ValidityCheckOptions {
  readonly validator: ObjectValidator;
  readonly recorder: EventRecorder;
}

/**
 * Holds an object against the operator's validator before its reconcile sees it, and tells people of one that does not
 * pass: by a condition, a Warning Event and a line of the log, each once for the same findings about the same generation.
 *
 * The object is looked at anew whenever its key runs, so nothing is remembered that could be out of date.
 */
export class ValidityCheck {
  readonly #options: ValidityCheckOptions;
  /** What was last told of each object that does not pass. */
  readonly #told = new Map<string, string>();

  constructor(options: ValidityCheckOptions) {
    this.#options = options;
  }

  /**
   * Whether the object passes. `conditions` are those of its status; undefined where its kind has none. Throws
   * `validator-failed` where the validator does: what was not checked is not reconciled.
   */
  passes(
    key: ObjectKey,
    object: KubernetesObject,
    { conditions, logger }: { conditions: ConditionSet | undefined; logger: Logger },
  ): boolean {
    const findings = this.#findingsOf(key, object);
    const before = conditions?.get(validCondition);
    if (findings.length === 0) {
      this.#told.delete(String(key));
      if (before?.reason === refusedReason || before?.reason === passedReason) {
        conditions?.set(validCondition, true, passedReason);
      }
      return true;
    }
    const text = describeFindings(findings);
    conditions?.set(validCondition, false, refusedReason, text);
    const { uid, generation } = object.metadata;
    const telling = `${uid} ${generation} ${text}`;
    const isKnown = before !== undefined && conditions?.get(validCondition) === before;
    if (this.#told.get(String(key)) !== telling) {
      this.#told.set(String(key), telling);
      logger.warn('object is invalid; it is not reconciled until it changes', { generation, findings: text });
      // A condition that says it already was set by an earlier process, which recorded the Event too.
      if (!isKnown) this.#options.recorder.warning(object, refusedReason, `Not reconciled: ${text}`);
    }
    return false;
  }

  /** Whether the object passes, telling nobody. Throws what {@link passes} throws. */
  isValid(key: ObjectKey, object: KubernetesObject): boolean {
    return this.#findingsOf(key, object).length === 0;
  }

  /** Forgets an object that is gone. */
  forget(key: ObjectKey): void {
    this.#told.delete(String(key));
  }

  #findingsOf(key: ObjectKey, object: KubernetesObject): readonly ValidationFinding[] {
    let findings: unknown;
    try {
      findings = this.#options.validator.validate(object);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new EvenkeelError('validator-failed', `the validator threw at ${object.kind} ${key}: ${why}`, {
        cause: error,
      });
    }
    if (Array.isArray(findings)) return findings as readonly ValidationFinding[];
    throw new EvenkeelError(
      'validator-failed',
      `the validator gave ${findings instanceof Promise ? 'a promise' : typeof findings} for ${object.kind} ${key}; validate() returns a list of findings, and returns it at once`,
    );
  }
}

function describeFindings(findings: readonly ValidationFinding[]): string {
  const listed = findings
    .slice(0, findingsTold)
    .map(({ path, message }) => cut(path === '' ? message : `${path}: ${message}`));
  const more = findings.length - listed.length;
  return `${listed.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** By characters, so that none is broken. */
function cut(text: string): string {
  if (text.length <= longestFinding) return text;
  return `${[...text.slice(0, longestFinding * 2)].slice(0, longestFinding - 1).join('')}…`;
}
