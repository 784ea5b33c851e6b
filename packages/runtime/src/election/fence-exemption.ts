import { AsyncLocalStorage } from 'node:async_hooks';

/** Marks code that may write although its process does not lead: that of webhooks, which every replica serves. */
export class FenceExemption {
  readonly #storage = new AsyncLocalStorage<true>();

  /** Whether the code that asks, or what called it, runs in {@link run}. */
  get isActive(): boolean {
    return this.#storage.getStore() === true;
  }

  run<T>(call: () => T): T {
    return this.#storage.run(true, call);
  }
}
