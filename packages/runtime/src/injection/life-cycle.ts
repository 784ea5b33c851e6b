import {
  type AnyClass,
  type Clock,
  EvenkeelError,
  type Logger,
  placeOf,
  type Timer,
  untilAborted,
} from '@evenkeel/core';
import { hooksOf } from './inversify-metadata.ts';

export interface LifeCycleOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** For all hooks of an end that nobody else limits. */
  readonly gracePeriodMs: number;
  /** When it is aborted nobody waits for a hook of the beginning any more. */
  readonly stopping?: AbortSignal | undefined;
  /** Told of an end that was over before each hook had ended. */
  readonly leftBehind?: (() => void) | undefined;
}

/** After the grace period, for what is left of an end: half of what a stopped runnable has, so that it is told which hook. */
const lastMs = 500;

/**
 * Calls `@postConstruct` of instances when they are made, before anybody is given them, and `@preDestroy` at the end, of
 * those made last first: what needs another one is ended before it. Both may be asynchronous.
 */
export class LifeCycle {
  readonly #options: LifeCycleOptions;
  readonly #made: { readonly target: AnyClass; readonly end: () => Promise<unknown> }[] = [];
  /** Those that have begun and not ended: `Orders.open()`. */
  readonly #beginning = new Set<string>();

  constructor(options: LifeCycleOptions) {
    this.#options = options;
  }

  /**
   * What `make` gives; where the stop comes first, its reason, and a line that names the hook that was waited for.
   *
   * @param unseen the hooks that may be waited for where it is none that is called here.
   */
  async waitFor<T>(make: () => Promise<T>, unseen: () => Iterable<string> = () => []): Promise<T> {
    const { stopping, logger } = this.#options;
    stopping?.throwIfAborted();
    try {
      return await untilAborted(make(), stopping);
    } catch (error) {
      const hooks = [...(this.#beginning.size > 0 ? this.#beginning : unseen())];
      if (stopping?.aborted === true && hooks.length > 0) {
        logger.warn('stopped while a @postConstruct was waited for', { hook: hooks.join(' or ') });
      }
      throw error;
    }
  }

  async begin<T extends object>(target: AnyClass, instance: T): Promise<T> {
    const { postConstruct, preDestroy } = hooksOf(target);
    this.add(target, async () => {
      for (const name of preDestroy.toReversed()) await call(instance, name);
    });
    for (const name of postConstruct) {
      const hook = hookName(target, name);
      this.#beginning.add(hook);
      try {
        await call(instance, name);
      } catch (error) {
        throw hookFailed(target, name, error);
      } finally {
        this.#beginning.delete(hook);
      }
    }
    return instance;
  }

  /** Takes in an instance whose hooks somebody else calls. */
  add(target: AnyClass, end: () => Promise<unknown>): void {
    this.#made.push({ target, end });
  }

  /**
   * Ends each instance once, and says whether each has. One that cannot be ended is told, and holds up nobody, nor does one
   * that has not ended shortly after `abort` is aborted; without `abort`, when the grace period is over.
   */
  async end(abort?: AbortSignal): Promise<boolean> {
    const { clock, gracePeriodMs, leftBehind } = this.#options;
    const over = new AbortController();
    let timer: Timer | undefined;
    const endWithin = (ms: number): void => {
      timer = clock.schedule(ms, () => over.abort());
    };
    const onAbort = (): void => endWithin(lastMs);
    if (abort === undefined) endWithin(gracePeriodMs);
    else if (abort.aborted) onAbort();
    else abort.addEventListener('abort', onAbort, { once: true });
    try {
      const ended = await this.#endUntil(over.signal);
      if (!ended) leftBehind?.();
      return ended;
    } finally {
      timer?.cancel();
      abort?.removeEventListener('abort', onAbort);
    }
  }

  async #endUntil(over: AbortSignal): Promise<boolean> {
    const { logger } = this.#options;
    for (const { target, end } of this.#made.splice(0).toReversed()) {
      const ended = end().catch((error: unknown) => {
        logger.error('@preDestroy threw', { class: target.name, error });
      });
      // Once it is over the others are begun all the same, for what they can do at once.
      if (over.aborted) continue;
      await untilAborted(ended, over).catch(() => {
        logger.warn('@preDestroy did not end within the grace period', { class: target.name });
      });
    }
    return !over.aborted;
  }
}

export function hookName(target: AnyClass, name: string | symbol): string {
  return `${target.name}.${String(name)}()`;
}

async function call(instance: object, name: string | symbol): Promise<void> {
  await (Reflect.get(instance, name) as () => unknown).call(instance);
}

/** Of a `@postConstruct`, which may depend on what is beyond the process. */
export function hookFailed(target: AnyClass, name: string | symbol, cause: unknown): EvenkeelError {
  return notMade('hook-failed', target, cause, `its ${String(name)}() failed: `);
}

export function notConstructible(target: AnyClass, cause: unknown): EvenkeelError {
  return notMade('class-not-constructible', target, cause, '');
}

function notMade(
  code: 'class-not-constructible' | 'hook-failed',
  target: AnyClass,
  cause: unknown,
  what: string,
): EvenkeelError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EvenkeelError(code, `${target.name}${placeOf(target)} could not be made: ${what}${reason}`, { cause });
}
