import type { HostedWebhooks, PolicyKind, WebhookAnswer, WebhookHost } from '@evenkeel/core';
import type { Channel } from './channel.ts';
import type { CommandSide, SentCall } from './operator-contract.ts';

/** Lets the command register the webhooks of this process, so that a registration survives a reload. */
export class RemoteWebhookHost implements WebhookHost {
  readonly #command: Channel<CommandSide>;
  readonly #hosted = new Map<number, HostedWebhooks>();
  #lastId = 0;

  constructor(command: Channel<CommandSide>) {
    this.#command = command;
  }

  policyKinds(): Promise<readonly PolicyKind[]> {
    return this.#command.call('policyKinds', undefined);
  }

  async serve(webhooks: HostedWebhooks): Promise<() => Promise<void>> {
    const id = ++this.#lastId;
    this.#hosted.set(id, webhooks);
    const { name, policies, conversions } = webhooks;
    const configurations = webhooks.configurations((path) => ({ url: path }));
    await this.#command.call('serve', { id, name, configurations, policies, conversions });
    return () => this.#command.call('leave', id);
  }

  /** Answers a call that the command has received. */
  async answer({ id, path, query, contentType, body }: SentCall): Promise<WebhookAnswer> {
    const hosted = this.#hosted.get(id);
    if (hosted === undefined) throw new Error(`no webhooks with the id ${id}`);
    // The caller's own time limit is in the query.
    const { signal } = new AbortController();
    return await hosted.handle({ path, query: new URLSearchParams(query), contentType, body, signal });
  }
}
