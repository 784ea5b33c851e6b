import { messageWithCause, ObjectKey } from '@evenkeel/core';
import { describeRun, placeOfError, type ReconcileRun, type RecordedEvent } from '@evenkeel/runtime';
import type { Reports } from '../reports.ts';
import type { RunSummary } from '../run-summary.ts';

/** The limit is for Events of objects that no controller reconciles: no run removes them. */
const warningsRemembered = 1000;

/** Describes the runs and Events of an operator for a user. */
export class RunNarration {
  readonly #reports: Reports;
  readonly #folder: string;
  /** The error of each object whose last run failed. */
  readonly #failures = new Map<string, string>();
  /** The last warning of an Event of each object whose run has not finished. */
  readonly #warnings = new Map<string, RecordedEvent>();

  /** Messages show file paths relative to `folder`. */
  constructor(reports: Reports, folder: string) {
    this.#reports = reports;
    this.#folder = folder;
  }

  observe(run: ReconcileRun): void {
    const place = placeOfError(run.error, this.#folder);
    const { text, result, aside, isFailed } = describeRun(run, place);
    const about = `${run.kind} ${run.key}`;
    // A failed run is retried many times a second. While it fails in the same way, its lines are counted.
    const failure = isFailed ? `${messageWithCause(run.error)} ${place}` : undefined;
    // Not at the first failure: the lines that this run has already printed belong to the counted ones.
    const isChanged = this.#failures.has(about) && this.#failures.get(about) !== failure;
    if (failure === undefined || isChanged) this.#reports.renew(about);
    if (failure === undefined) this.#failures.delete(about);
    else this.#failures.set(about, failure);
    // The triggers of retries differ while other objects change.
    const repeated = isFailed ? { about, counted: result } : {};
    const warning = this.#warnings.get(about);
    this.#warnings.delete(about);
    const shown =
      isFailed && warning !== undefined ? text.replace(warning.note, () => `see the Event ${warning.reason}`) : text;
    this.#reports.report('reconcile', `${run.key}: ${shown}`, { aside, tone: isFailed ? 'bad' : 'plain', ...repeated });
  }

  event(event: RecordedEvent): void {
    const { regarding, type, reason, note } = event;
    const key = ObjectKey.of(regarding);
    const about = `${regarding.kind} ${key}`;
    const isWarning = type === 'Warning';
    if (isWarning && note !== '' && this.#warnings.size < warningsRemembered) this.#warnings.set(about, event);
    this.#reports.report('event', `${key}: ${isWarning ? 'Warning ' : ''}${reason}: ${note}`, { about });
  }
}

export function summaryOf(run: ReconcileRun): RunSummary {
  const { controller, kind, key, outcome, generation, error, writes } = run;
  const created = writes.findLast(({ effect, resource }) => effect === 'created' && resource.kind !== kind);
  return {
    controller,
    kind,
    key: String(key),
    outcome,
    ...(generation === undefined ? {} : { generation }),
    ...(error === undefined ? {} : { error: messageWithCause(error) }),
    ...(created === undefined ? {} : { created: `${created.resource.kind.toLowerCase()} ${created.key.name}` }),
  };
}
