import { createClient } from '@evenkeel/client';
import { ConfigMap } from '@evenkeel/kinds';
import type { OperatorConnection } from './environment.ts';
import { widgets } from './widget.fixture.ts';

/** A minimal operator: for each Widget, it creates a ConfigMap with the size. */
export class CopyOperator {
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;

  constructor({ transport }: OperatorConnection) {
    this.#done = this.#copy(transport);
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the operator stops'));
    await this.#done;
  }

  async #copy(transport: OperatorConnection['transport']): Promise<void> {
    const client = createClient(transport, { fieldManager: 'copy' });
    const { signal } = this.#stopping;
    try {
      for await (const { type, object } of client.watch(widgets, { signal })) {
        if (type !== 'ADDED' && type !== 'MODIFIED') continue;
        const { name, namespace } = object.metadata;
        const { size } = object['spec'] as { size: number };
        const copy = { metadata: { name, namespace: namespace ?? '' }, data: { size: String(size) } };
        await client.apply(ConfigMap, copy, { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
