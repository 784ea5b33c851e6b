import { SystemClock } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds';
import type { Stoppable } from '../environment.ts';
import { OperatorJournal, witnessUntilKilled } from '../journal/operator-journal.ts';
import type { SweepOptions } from './sweep-options.ts';
import { type CallRecord, type Strike, SweptTransport } from './swept-transport.ts';

/** The operators of a round: one at a time, replaced when it is killed. */
export class RoundOperators {
  /** What the operators of this round did. */
  readonly journal = new OperatorJournal({ call: new Error(), clock: new SystemClock() });
  readonly #options: Pick<SweepOptions, 'environment' | 'operator' | 'kinds'>;
  readonly #namespace: string;
  readonly #record: CallRecord;
  readonly #failed = Promise.withResolvers<never>();
  readonly #running = Promise.withResolvers<void>();
  #started: Promise<Stoppable>[] = [];

  constructor(
    options: Pick<SweepOptions, 'environment' | 'operator' | 'kinds'>,
    namespace: string,
    record: CallRecord,
  ) {
    this.#options = options;
    this.#namespace = namespace;
    this.#record = record;
    this.#failed.promise.catch(() => undefined);
  }

  /** Rejects if an operator that was not killed fails to start. */
  get failure(): Promise<never> {
    return this.#failed.promise;
  }

  /** Resolves when all started operators run. */
  get started(): Promise<unknown> {
    return Promise.all(this.#started);
  }

  /**
   * Resolves when a scenario may start: at once, except for converted kinds. The API server accepts objects of such a kind only when the
   * first operator serves its conversion.
   */
  async serving(): Promise<void> {
    const { items } = await this.#options.environment.client.list(CustomResourceDefinition);
    if (items.some(({ spec }) => spec.conversion?.strategy === 'Webhook')) await this.#running.promise;
  }

  start(strike: Strike | undefined): void {
    const killed = new AbortController();
    const starting = this.#options.environment.run((connection) => {
      const transport = new SweptTransport(connection.transport, {
        clock: connection.clock,
        record: this.#record,
        kinds: this.#options.kinds,
        strike,
        witness: witnessUntilKilled(this.journal, connection.transport.witness, killed.signal),
        onDeath: () => {
          killed.abort(new Error('the operator was killed'));
          // As a Deployment would do.
          this.start(undefined);
        },
      });
      const namespaces = [this.#namespace];
      return this.#options.operator({ ...connection, transport, namespaces, killed: killed.signal });
    });
    this.#started.push(starting);
    starting.then(
      () => {
        if (!killed.signal.aborted) this.#running.resolve();
      },
      (error: unknown) => {
        if (!killed.signal.aborted) this.#failed.reject(error);
      },
    );
    // A killed operator would otherwise retry until the end of the round.
    killed.signal.addEventListener(
      'abort',
      () => void starting.then((running) => running.stop()).catch(() => undefined),
    );
  }

  async stop(): Promise<void> {
    const started = this.#started;
    this.#started = [];
    // A killed operator may fail to stop. Stop it again here, to wait for it.
    for (const operator of started) await operator.then((running) => running.stop()).catch(() => undefined);
  }
}
