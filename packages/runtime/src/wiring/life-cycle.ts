import { type AnyClass, EvenkeelError, type Logger, placeOf } from '@evenkeel/core';
import { hooksOf } from './inversify-metadata.ts';

/**
 * Calls `@postConstruct` of instances when they are made, before anybody is given them, and `@preDestroy` at the end, of
 * those made last first: what needs another one is ended before it. Both may be asynchronous.
 */
export class LifeCycle {
  readonly #logger: Logger;
  readonly #made: { readonly target: AnyClass; readonly end: () => Promise<unknown> }[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  async begin<T extends object>(target: AnyClass, instance: T): Promise<T> {
    const { postConstruct, preDestroy } = hooksOf(target);
    this.add(target, async () => {
      for (const name of preDestroy.toReversed()) await call(instance, name);
    });
    for (const name of postConstruct) {
      try {
        await call(instance, name);
      } catch (error) {
        throw notConstructible(target, error, `its ${String(name)}() failed: `);
      }
    }
    return instance;
  }

  /** Takes in an instance whose hooks somebody else calls. */
  add(target: AnyClass, end: () => Promise<unknown>): void {
    this.#made.push({ target, end });
  }

  /** Ends each instance once. One that cannot be ended is told, and holds up nobody. */
  async end(): Promise<void> {
    for (const { target, end } of this.#made.splice(0).toReversed()) {
      try {
        await end();
      } catch (error) {
        this.#logger.error('@preDestroy threw', { class: target.name, error });
      }
    }
  }
}

async function call(instance: object, name: string | symbol): Promise<void> {
  await (Reflect.get(instance, name) as () => unknown).call(instance);
}

export function notConstructible(target: AnyClass, cause: unknown, what = ''): EvenkeelError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EvenkeelError(
    'class-not-constructible',
    `${target.name}${placeOf(target)} could not be made: ${what}${reason}`,
    {
      cause,
    },
  );
}
