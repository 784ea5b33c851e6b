import { type Clock, EvenkeelError, type Logger, type Random } from '@evenkeel/core';

export interface ServerProbeOptions {
  /** Sends any request to the API server. A rejection is a response too. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Called at the first response. From then on, other parts of the manager log that the server does not respond. */
  readonly reached?: () => void;
}

const firstDelayMs = 1000;
const longestDelayMs = 30_000;
/** The time limit for one attempt. */
const patienceMs = 10_000;

/**
 * Logs each failed attempt to reach the API server until its first response, so that the user sees what the operator waits for.
 * Nothing waits for the probe: the other parts of the manager send their own requests.
 */
export class ServerProbe {
  readonly name = 'server probe';
  readonly #options: ServerProbeOptions;
  readonly #stopping = new AbortController();

  constructor(options: ServerProbeOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#run().catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the probe stops'));
  }

  async #run(): Promise<void> {
    const { clock, random, logger } = this.#options;
    for (let tries = 1; ; tries++) {
      const failed = await this.#try();
      if (failed === undefined) {
        this.#options.reached?.();
        if (tries > 1) logger.info('reached the API server', { tries });
        return;
      }
      this.#stopping.signal.throwIfAborted();
      const againAfterMs = Math.round(
        Math.min(firstDelayMs * 2 ** (tries - 1), longestDelayMs) * (1 - random.next() / 4),
      );
      logger.warn('the API server cannot be reached', { error: failed, tries, againAfterMs });
      await clock.sleep(againAfterMs, this.#stopping.signal);
    }
  }

  /** The reason why there was no response; undefined if there was one. */
  async #try(): Promise<unknown> {
    const { ask, clock } = this.#options;
    const timeout = new AbortController();
    const timer = clock.schedule(patienceMs, () => timeout.abort(new Error(`no response within ${patienceMs} ms`)));
    try {
      await ask(AbortSignal.any([timeout.signal, this.#stopping.signal]));
    } catch (error) {
      const isUnreachable = error instanceof EvenkeelError && error.code === 'cluster-unreachable';
      if (isUnreachable || timeout.signal.aborted || this.#stopping.signal.aborted) return error;
    } finally {
      timer.cancel();
    }
    return undefined;
  }
}
