import type { Client } from '@evenkeel/client';
import type { ApiResource, KubernetesObject } from '@evenkeel/core';

interface Conditioned extends KubernetesObject {
  readonly status?: { readonly conditions?: unknown };
}

/** The conditions of examples as they change while an operator reconciles them. */
export class ExampleHistory {
  readonly #client: Client;
  readonly #end = new AbortController();
  /** The states of a condition, by object and type. */
  readonly #states = new Map<string, string[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Watches the objects of a kind from now on. The history misses what happens before the API server has received the request. */
  watch(resource: ApiResource, namespace: string | undefined): void {
    void this.#follow(resource, namespace).catch(() => undefined);
  }

  /** The conditions that have changed: `Memcached cache: Available was False, then True`. */
  get changedConditions(): readonly string[] {
    const changed = [...this.#states].filter(([, states]) => states.length > 1);
    return changed.map(([condition, states]) => `${condition} was ${states.join(', then ')}`);
  }

  close(): void {
    this.#end.abort();
  }

  async #follow(resource: ApiResource, namespace: string | undefined): Promise<void> {
    for await (const { object } of this.#client.watch(resource, { namespace, signal: this.#end.signal })) {
      const { status, metadata } = object as Conditioned;
      if (!Array.isArray(status?.conditions)) continue;
      for (const { type, status: is } of status.conditions as readonly { type: string; status: string }[]) {
        const condition = `${resource.kind} ${metadata.name}: ${type}`;
        const states = this.#states.get(condition) ?? [];
        if (states.at(-1) !== is) this.#states.set(condition, [...states, is]);
      }
    }
  }
}
