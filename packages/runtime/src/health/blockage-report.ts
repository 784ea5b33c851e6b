import { type Logger, ObjectKey } from '@evenkeel/core';
import type { ControllerState } from '../controller/running-controller.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';

/** So many runs that ended since the last beat are remembered, and so many are told. */
const most = 10;

/** By the keys of all lines about a run. */
interface Suspect {
  readonly controller: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Says which reconciles may have blocked the event loop: those under way, and those that ended since the last beat, that took
 * half as long as the block at least; all of them where none did, because several one after the other block too. Where it is one, it is
 * named as in every other line; of several, JavaScript does not tell which has it.
 */
export class BlockageReport {
  readonly #controllers: () => readonly ControllerState[];
  readonly #logger: Logger;
  /** The longest. */
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

  /** A beat came in time: what ended before did not hold it up. */
  forget(): void {
    this.#ended = [];
  }

  tell(blockedMs: number): void {
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
      'the event loop was blocked: nothing ran meanwhile, no lease was renewed, no probe answered; await in long work, or do it in a worker thread';
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
