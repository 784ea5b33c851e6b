import type { Client } from '@evenkeel/client';
import { EvenkeelError, type KubernetesObject, StatusError } from '@evenkeel/core';
import { Changes } from '../changes.ts';
import { progressOf, shortfallOf, watchObject } from '../convergence.ts';
import { kindKey } from '../kind-key.ts';
import { LastRuns } from '../last-runs.ts';
import type { Narrator } from '../narrator.ts';
import type { RunSummary } from '../run-summary.ts';
import type { Sample } from './session-samples.ts';

const answerWithinMs = 5000;

export interface AwaitedSamplesOptions {
  readonly client: Client;
  readonly narrator: Narrator;
  /** Whether a controller of the operator reconciles a kind, by `Site.web.example.com`. */
  readonly isReconciled: (kind: string) => boolean;
  /** Returns the keys that are reconciled now, after all earlier runs were noted. */
  readonly running: () => Promise<readonly string[]>;
}

/** Waits until samples have converged. */
export class AwaitedSamples {
  readonly #options: AwaitedSamplesOptions;
  readonly #lastRuns = new LastRuns();
  /** Counts finished runs and changes of samples. */
  readonly #changes = new Changes();
  /** With its object, which may be another one than the awaited sample. */
  #lastError: string | undefined;
  #awaited: Sample | undefined;

  constructor(options: AwaitedSamplesOptions) {
    this.#options = options;
  }

  note(run: RunSummary): void {
    this.#lastRuns.note(run);
    if (run.error !== undefined) this.#lastError = `${run.kind} ${run.key}: ${run.error}`;
    this.#changes.notify();
  }

  /**
   * Resolves when every sample has converged, and prints each. If the signal is aborted first, throws `not-converged`
   * with the reason.
   */
  async waitFor(samples: readonly Sample[], signal: AbortSignal): Promise<void> {
    for (const sample of samples) {
      const { resource, key } = sample;
      this.#awaited = sample;
      try {
        const { condition } = progressOf(await this.#converged(sample, signal));
        const topic = condition?.type.toLowerCase() ?? 'converged';
        const aside = condition?.message ? { aside: condition.message } : {};
        this.#options.narrator.report(topic, `${key}`, { tone: 'good', ...aside });
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new EvenkeelError(
          'not-converged',
          `${resource.kind} ${key} has not converged: ${await this.#shortfall(sample)}`,
        );
      }
    }
    this.#awaited = undefined;
  }

  /** Prints which sample has not converged yet, and why. Does nothing if it waits for none. */
  async report(): Promise<void> {
    const awaited = this.#awaited;
    if (awaited === undefined) return;
    const why = await this.#shortfall(awaited);
    if (this.#awaited !== awaited) return;
    this.#options.narrator.report('waiting', `for ${awaited.resource.kind} ${awaited.key}: ${why}`);
  }

  /** Stops reporting. */
  end(): void {
    this.#awaited = undefined;
  }

  async #converged(sample: Sample, signal: AbortSignal): Promise<KubernetesObject> {
    const { resource, key } = sample;
    const over = new AbortController();
    const changed = (): void => this.#changes.notify();
    const watching = watchObject(this.#options.client, resource, key, {
      signal: AbortSignal.any([signal, over.signal]),
      changed,
    });
    watching.catch(() => undefined);
    try {
      for (;;) {
        const seen = this.#changes.count;
        // The write of a run is visible before the run has finished. The line about the run must come first.
        if (!(await this.#isRunning(sample))) {
          const object = await objectOf(this.#options.client, sample, signal);
          const isOfOneMoment = !(await this.#isRunning(sample)) && this.#changes.count === seen;
          if (isOfOneMoment && object !== undefined && this.#shortfallOf(sample, object) === undefined) return object;
        }
        await Promise.race([this.#changes.beyond(seen, signal), watching]);
      }
    } finally {
      over.abort();
    }
  }

  async #isRunning({ key }: Sample): Promise<boolean> {
    return (await this.#options.running()).includes(String(key));
  }

  #shortfallOf({ resource, key }: Sample, object: KubernetesObject | undefined): string | undefined {
    const isReconciled = this.#options.isReconciled(kindKey(resource));
    return shortfallOf(object, { runs: this.#lastRuns.of(resource.kind, key), isReconciled });
  }

  async #shortfall(sample: Sample): Promise<string> {
    const { client } = this.#options;
    const live = await objectOf(client, sample, AbortSignal.timeout(answerWithinMs)).catch(() => undefined);
    const shortfall = this.#shortfallOf(sample, live) ?? 'a reconcile of it has not finished yet';
    const hasOwn = this.#lastRuns.of(sample.resource.kind, sample.key).some(({ error }) => error !== undefined);
    if (hasOwn || this.#lastError === undefined) return shortfall;
    return `${shortfall}; the last failed reconcile: ${this.#lastError}`;
  }
}

/** Returns the object of a sample; undefined if it does not exist. */
export async function objectOf(
  client: Client,
  { resource, key }: Sample,
  signal: AbortSignal,
): Promise<KubernetesObject | undefined> {
  try {
    return (await client.get(resource, key, { signal })) as KubernetesObject;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}
