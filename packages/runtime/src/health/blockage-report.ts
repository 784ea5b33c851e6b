import { type Logger, ObjectKey } from '@evenkeel/core';
import type { ControllerState } from '../controller/running-controller.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';

/** The most finished runs to remember since the last beat, and the most runs to log. */
const most = 10;

/** A run, with the keys of every log line about it. */
interface Suspect {
  readonly controller: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Logs which runs may have blocked the event loop: the current runs, and those that finished since the last beat, if they took at
 * least half as long as the block. If none did, it logs all of them, because several short runs in sequence can block too. One run
 * is logged with the usual keys. If there are several, JavaScript does not reveal which one blocked.
 */
export class BlockageReport {
  readonly #controllers: () => readonly ControllerState[];
  readonly #logger: Logger;
  /** The longest finished runs since the last beat. */
  #ended: ReconcileRun[] = [];

  constructor(controllers: () => readonly ControllerState[], logger: Logger) {
    this.#controllers = controllers;
    this.#logger = logger;
  }

  ended(run: ReconcileRun): void {
    this.#ended.push(run);
    if (this.#ended.length <= most) return;
    const shortest = this.#ended.reduce((least, other) => (other.durationMs < least.durationMs ? other : least));
    this.#ended.splice(this.#ended.indexOf(shortest), 1);
  }

  /** Called when a beat was on time, so the runs that finished before it did not block. */
  forget(): void {
    this.#ended = [];
  }

  report(blockedMs: number): void {
    const all = new Map<string, { readonly suspect: Suspect; readonly forMs: number }>();
    for (const { controller, key, durationMs } of this.#ended) addLongest(all, suspect(controller, key), durationMs);
    for (const { name, running } of this.#controllers()) {
      for (const { key, forMs } of running) addLongest(all, suspect(name, ObjectKey.parse(key)), forMs);
    }
    const runs = [...all.values()];
    const long = runs.filter(({ forMs }) => forMs >= blockedMs / 2);
    const suspects = (long.length === 0 ? runs : long).slice(0, most).map((run) => run.suspect);
    const [only] = suspects;
    const message =
      'the event loop was blocked: no other code ran, no Lease was renewed and no probe got a response; split long work with await, or move it to a worker thread';
    if (suspects.length === 1 && only !== undefined) this.#logger.warn(message, { blockedMs, ...only });
    else this.#logger.warn(message, { blockedMs, reconciles: suspects });
  }
}

function addLongest(
  runs: Map<string, { readonly suspect: Suspect; readonly forMs: number }>,
  suspect: Suspect,
  forMs: number,
): void {
  const id = `${suspect.controller} ${suspect.namespace}/${suspect.name}`;
  if ((runs.get(id)?.forMs ?? -1) < forMs) runs.set(id, { suspect, forMs });
}

function suspect(controller: string, { namespace = '', name }: ObjectKey): Suspect {
  return { controller, namespace, name };
}
