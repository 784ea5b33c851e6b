import { messageWithCause, ObjectKey } from '@evenkeel/core';
import { describeRun, placeOfError, type ReconcileRun, type RecordedEvent } from '@evenkeel/runtime';
import type { Reports } from '../reports.ts';
import type { RunSummary } from '../run-summary.ts';

/** Describes the runs and Events of an operator for a user. */
export class RunNarration {
  readonly #reports: Reports;
  readonly #folder: string;
  /** The error of each object whose last run failed. */
  readonly #failures = new Map<string, string>();

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
    const isRepeated = failure !== undefined && this.#failures.get(about) === failure;
    if (!isRepeated) this.#reports.renew(about);
    if (failure === undefined) this.#failures.delete(about);
    else this.#failures.set(about, failure);
    // The triggers of retries differ while other objects change.
    const repeated = isFailed ? { about, counted: result } : {};
    this.#reports.report('reconcile', `${run.key}: ${text}`, { aside, tone: isFailed ? 'bad' : 'plain', ...repeated });
  }

  event({ regarding, type, reason, note }: RecordedEvent): void {
    const key = ObjectKey.of(regarding);
    this.#reports.report('event', `${key}: ${type === 'Warning' ? 'Warning ' : ''}${reason}: ${note}`, {
      about: `${regarding.kind} ${key}`,
    });
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
