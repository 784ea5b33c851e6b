import type { Stoppable } from '../environment.ts';
import type { SweepOptions } from './sweep.ts';
import { type CallRecord, type Strike, SweptTransport } from './swept-transport.ts';

/** The operators of a round: one at a time, and another when it has been killed. */
export class RoundOperators {
  readonly #options: SweepOptions;
  readonly #namespace: string;
  readonly #record: CallRecord;
  readonly #failed = Promise.withResolvers<never>();
  #started: Promise<Stoppable>[] = [];

  constructor(options: SweepOptions, namespace: string, record: CallRecord) {
    this.#options = options;
    this.#namespace = namespace;
    this.#record = record;
    this.#failed.promise.catch(() => undefined);
  }

  /** Rejects where one that lives does not start. */
  get failure(): Promise<never> {
    return this.#failed.promise;
  }

  /** Resolves when those that were started run. */
  get started(): Promise<unknown> {
    return Promise.all(this.#started);
  }

  start(strike: Strike | undefined): void {
    const killed = new AbortController();
    const starting = this.#options.environment.run((connection) => {
      const transport = new SweptTransport(connection.transport, {
        clock: connection.clock,
        record: this.#record,
        strike,
        onDeath: () => {
          killed.abort(new Error('the operator was killed'));
          // As a Deployment sees to it.
          this.start(undefined);
        },
      });
      const namespaces = [this.#namespace];
      return this.#options.operator({ ...connection, transport, namespaces, killed: killed.signal });
    });
    this.#started.push(starting);
    starting.catch((error: unknown) => {
      if (!killed.signal.aborted) this.#failed.reject(error);
    });
    // What is dead would try again and again for as long as the round goes on.
    killed.signal.addEventListener(
      'abort',
      () => void starting.then((running) => running.stop()).catch(() => undefined),
    );
  }

  async stop(): Promise<void> {
    const started = this.#started;
    this.#started = [];
    // One that was killed may not end well, and is stopped a second time here, to wait for that.
    for (const operator of started) await operator.then((running) => running.stop()).catch(() => undefined);
  }
}
