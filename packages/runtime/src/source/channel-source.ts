import { type ApiResource, type Clock, EvenkeelError, type Logger, messageOf, type ObjectKey } from '@evenkeel/core';
import { mistakeInKey } from '../handler/mistake-in-key.ts';
import { Trigger } from '../reconcile/trigger.ts';
import type { Enqueue, Source, SourceState } from './source.ts';

export interface ChannelSourceOptions {
  /** The name of the method in messages: `NginxController.payments`. */
  readonly member: string;
  /** The user's method. */
  readonly open: (signal: AbortSignal) => unknown;
  /** The kind of its keys. */
  readonly resource: ApiResource;
  readonly clock: Clock;
  readonly logger: Logger;
}

const firstDelayMs = 1000;
const longestDelayMs = 60_000;

/** Enqueues the keys that a method of the user yields. If the method throws, it is called again with growing delays. */
export class ChannelSource implements Source {
  readonly #options: ChannelSourceOptions;
  readonly #stopping = new AbortController();
  #problem: string | undefined;

  constructor(options: ChannelSourceOptions) {
    this.#options = options;
  }

  get state(): SourceState {
    return { name: this.#options.member, synced: true, problem: this.#problem, degraded: false };
  }

  start(enqueue: Enqueue): void {
    void this.#listen(enqueue);
  }

  async waitForSync(): Promise<void> {}

  stop(): void {
    this.#stopping.abort(new Error('the controller stops'));
  }

  async #listen(enqueue: Enqueue): Promise<void> {
    const { member, clock, logger } = this.#options;
    const { signal } = this.#stopping;
    let delayMs = firstDelayMs;
    const tell = (value: unknown): void => {
      delayMs = firstDelayMs;
      this.#problem = undefined;
      this.#wake(value, enqueue);
    };
    while (!signal.aborted) {
      try {
        for await (const value of this.#open()) {
          if (signal.aborted) return;
          tell(value);
        }
        this.#problem = undefined;
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#problem = `${member} failed: ${messageOf(error)}`;
        logger.error('a channel failed; it will be reopened', { channel: member, error, againAfterMs: delayMs });
      }
      await clock.sleep(delayMs, signal).catch(() => undefined);
      delayMs = Math.min(longestDelayMs, delayMs * 2);
    }
  }

  #open(): AsyncIterable<unknown> {
    const { member, open } = this.#options;
    const values: unknown = open(this.#stopping.signal);
    if (typeof values === 'object' && values !== null && Symbol.asyncIterator in values) {
      return values as AsyncIterable<unknown>;
    }
    throw new EvenkeelError(
      'invalid-channel-result',
      `${member} returned ${values instanceof Promise ? 'a promise' : typeof values}; return an async iterable of ObjectKey, for example with "async *" before its name`,
    );
  }

  #wake(value: unknown, enqueue: Enqueue): void {
    const { member, resource, logger } = this.#options;
    const mistake = mistakeInKey(value, resource);
    if (mistake !== undefined) {
      logger.error('a channel yielded an invalid key; it is skipped', { channel: member, value, mistake });
      return;
    }
    const key = value as ObjectKey;
    enqueue(key, new Trigger('signalled', resource.kind, key), false);
  }
}
