import {
  type AnyClass,
  type Clock,
  EvenkeelError,
  type Logger,
  messageOf,
  nameOfService,
  placeOf,
  type Timer,
  untilAborted,
} from '@evenkeel/core';
import { placeOfError } from '../log/place-of-error.ts';
import type { ServiceKey } from './injection.ts';
import { hooksOf } from './inversify-metadata.ts';

export interface LifeCycleOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The time limit for all `@preDestroy` methods if the caller of `end` sets none. */
  readonly gracePeriodMs: number;
  /** When it is aborted, `waitFor` no longer waits for `@postConstruct` methods. */
  readonly stopping?: AbortSignal | undefined;
  /** Called if the time was over before all `@preDestroy` methods had finished. */
  readonly leftBehind?: (() => void) | undefined;
}

/** The time after the grace period: half of that of a stopped runnable, so that the log names the hook that did not finish. */
const lastMs = 500;

/** What ends a value, for messages. */
type Ending = '@preDestroy' | 'dispose';

/**
 * Calls the `@postConstruct` methods of an instance after its creation, before another class gets the instance, and the
 * `@preDestroy` methods at the end in reverse order, so that an instance is destroyed before its dependencies. Both may be
 * asynchronous.
 */
export class LifeCycle {
  readonly #options: LifeCycleOptions;
  readonly #made: { readonly name: string; readonly end: () => Promise<unknown>; readonly what: Ending }[] = [];
  /** The `@postConstruct` methods and factories that are running: `Orders.open()`. */
  readonly #beginning = new Set<string>();

  constructor(options: LifeCycleOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the result of `make`. If `stopping` is aborted first, logs the unfinished hook or factory and rejects with the reason.
   *
   * @param unseen the hooks that may be running if this class called none.
   */
  async waitFor<T>(make: () => Promise<T>, unseen: () => Iterable<string> = () => []): Promise<T> {
    const { stopping, logger } = this.#options;
    stopping?.throwIfAborted();
    try {
      return await untilAborted(make(), stopping);
    } catch (error) {
      const hooks = [...(this.#beginning.size > 0 ? this.#beginning : unseen())];
      if (stopping?.aborted === true && hooks.length > 0) {
        logger.warn('stopped while a factory or a @postConstruct method was running', { hook: hooks.join(' or ') });
      }
      throw error;
    }
  }

  async begin<T extends object>(target: AnyClass, instance: T): Promise<T> {
    const { postConstruct, preDestroy } = hooksOf(target);
    for (const name of postConstruct) {
      await this.during(hookName(target, name), () => call(instance, name)).catch((error: unknown) => {
        throw hookFailed(target, name, error);
      });
    }
    if (preDestroy.length > 0) {
      this.add(target.name, async () => {
        for (const name of preDestroy.toReversed()) await call(instance, name);
      });
    }
    return instance;
  }

  /** Calls a hook or factory. If the life cycle stops before its end, the log names it. */
  async during(name: string, called: () => unknown): Promise<unknown> {
    this.#beginning.add(name);
    try {
      return await called();
    } finally {
      this.#beginning.delete(name);
    }
  }

  /** Adds the end of a value. Default: it calls the `@preDestroy` methods. */
  add(name: string, end: () => Promise<unknown>, what: Ending = '@preDestroy'): void {
    this.#made.push({ name, end, what });
  }

  /**
   * Destroys each instance once, and returns whether all have finished. An instance that throws is logged, and does not affect
   * the others. An instance that does not finish is left behind shortly after `abort` is aborted, or without `abort` when the
   * grace period is over.
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
    for (const { name, end, what } of this.#made.splice(0).toReversed()) {
      const ended = end().catch((error: unknown) => {
        logger.error(`a ${what} method failed`, { class: name, error });
      });
      // After the time is over, the other instances are still destroyed as far as they can without waiting.
      if (over.aborted) continue;
      await untilAborted(ended, over).catch(() => {
        logger.warn(`a ${what} method did not finish within the grace period`, { class: name });
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

/** The error of a `@postConstruct` method, which may depend on other systems. */
export function hookFailed(target: AnyClass, name: string | symbol, cause: unknown): EvenkeelError {
  return notCreated('hook-failed', target, cause, `its ${String(name)}() failed: `);
}

export function notConstructible(key: ServiceKey, cause: unknown): EvenkeelError {
  return notCreated('class-not-constructible', key, cause, '');
}

function notCreated(
  code: 'class-not-constructible' | 'hook-failed',
  key: ServiceKey,
  cause: unknown,
  where: string,
): EvenkeelError {
  const place = typeof key === 'function' ? placeOf(key) : '';
  return new EvenkeelError(code, `${nameOfService(key)}${place} could not be created: ${where}${reasonOf(cause)}`, {
    cause,
  });
}

/** The message of an error that the user's code threw, with the line: `no database (src/shop.ts:12)`. */
export function reasonOf(cause: unknown): string {
  // A mistake in the wiring is not the fault of the line that started the manager.
  const place = cause instanceof EvenkeelError ? undefined : placeOfError(cause, process.cwd());
  return place === undefined ? messageOf(cause) : `${messageOf(cause)} (${place})`;
}
