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
 * Says which reconciles may have blocked the event loop: those under way, and those that ended since the last beat. Where it
 * is one, it is named as in every other line; of several, one has it, and JavaScript does not tell which.
 */
export class BlockageReport {
  readonly #controllers: () => readonly ControllerState[];
  readonly #logger: Logger;
  #ended: Suspect[] = [];

  constructor(controllers: () => readonly ControllerState[], logger: Logger) {
    this.#controllers = controllers;
    this.#logger = logger;
  }

  ended({ controller, key }: ReconcileRun): void {
    if (this.#ended.length < most) this.#ended.push(suspect(controller, key));
  }

  /** A beat came in time: what ended before did not hold it up. */
  forget(): void {
    this.#ended = [];
  }

  tell(blockedMs: number): void {
    const running = this.#controllers().flatMap(({ name, running }) =>
      running.map(({ key }) => suspect(name, ObjectKey.parse(key))),
    );
    const suspects = [...this.#ended, ...running].slice(0, most);
    const [only] = suspects;
    const message =
      'the event loop was blocked: nothing ran meanwhile, no lease was renewed, no probe answered; await in long work, or do it in a worker thread';
    if (suspects.length === 1 && only !== undefined) this.#logger.warn(message, { blockedMs, ...only });
    else this.#logger.warn(message, { blockedMs, reconciles: suspects });
  }
}

function suspect(controller: string, { namespace = '', name }: ObjectKey): Suspect {
  return { controller, namespace, name };
}
