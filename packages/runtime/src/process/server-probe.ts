import { type Clock, EvenkeelError, type Logger, type Random } from '@evenkeel/core';

export interface ServerProbeOptions {
  /** Asks the API server anything; a refusal is an answer too. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Called at the first answer: from then on others tell of a server that is away. */
  readonly reached?: () => void;
}

const firstDelayMs = 1000;
const longestDelayMs = 30_000;
/** For one try. */
const patienceMs = 10_000;

/**
 * Says in one line a try that the API server cannot be reached, until it answers for the first time, so that whoever starts
 * an operator sees what it waits for. It holds nothing up: whatever else needs the server tries by itself.
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

  /** Why there was no answer; undefined where there was one. */
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
