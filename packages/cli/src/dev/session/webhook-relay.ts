import {
  messageOf,
  type PolicyKind,
  type WebhookAnswer,
  type WebhookCall,
  type WebhookClientConfig,
  type WebhookHost,
} from '@evenkeel/core';
import type { SentWebhooks } from '../operator/operator-contract.ts';
import type { OperatorProcess } from '../operator/operator-process.ts';

/** A registration in the API server, and the process that answers its calls. */
interface Registration {
  /** Equal for the same webhooks in different processes. */
  readonly key: string;
  readonly conversions: SentWebhooks['conversions'];
  /** During a handover: settled when the next process serves it. */
  server: Promise<Server>;
  /** Present if no process serves it. */
  handover?: PromiseWithResolvers<Server>;
  readonly end: () => Promise<void>;
}

interface Server {
  readonly process: OperatorProcess;
  readonly id: number;
}

/**
 * Registers the webhooks of operators in other processes. If a process is replaced by one with the same webhooks, the registration
 * stays and calls wait meanwhile, so that no request of a user fails or passes unchecked.
 */
export class WebhookRelay {
  readonly #host: WebhookHost;
  readonly #registrations = new Set<Registration>();
  #isHandingOver = false;

  constructor(host: WebhookHost) {
    this.#host = host;
  }

  policyKinds(): Promise<readonly PolicyKind[]> {
    return this.#host.policyKinds();
  }

  async serve(process: OperatorProcess, webhooks: SentWebhooks): Promise<void> {
    const { id, ...served } = webhooks;
    const key = JSON.stringify(served);
    const server = { process, id };
    const kept = [...this.#registrations].find((one) => one.handover !== undefined && one.key === key);
    if (kept !== undefined) {
      kept.server = Promise.resolve(server);
      kept.handover?.resolve(server);
      delete kept.handover;
      return;
    }
    const registered: { current?: Registration } = {};
    const end = await this.#host.serve({
      ...served,
      configurations: (clientConfigOf) =>
        served.configurations.map((configuration) => ({
          ...configuration,
          webhooks: configuration.webhooks.map((webhook) => ({
            ...webhook,
            clientConfig: addressed(webhook.clientConfig, clientConfigOf),
          })),
        })),
      handle: async (call) => {
        try {
          return await answer(await (registered.current?.server ?? server), call);
        } catch (error) {
          return { status: 503, body: messageOf(error), contentType: 'text/plain' };
        }
      },
    });
    const registration: Registration = { key, conversions: served.conversions, server: Promise.resolve(server), end };
    registered.current = registration;
    this.#registrations.add(registration);
  }

  /** Ends a registration of a process, or all of them. */
  async leave(process: OperatorProcess, id?: number): Promise<void> {
    for (const registration of [...this.#registrations]) {
      if (registration.handover !== undefined) continue;
      const server = await registration.server;
      if (server.process !== process || (id !== undefined && server.id !== id)) continue;
      if (this.#isHandingOver) {
        registration.handover = Promise.withResolvers();
        registration.server = registration.handover.promise;
        registration.server.catch(() => undefined);
      } else await this.#end(registration);
    }
  }

  /**
   * Keeps the registrations that processes leave, for the next process. Those that convert one of `changed` are not kept, because
   * the next process must register the changed kind anew.
   */
  async beginHandover(changed: ReadonlySet<string>): Promise<void> {
    for (const registration of [...this.#registrations]) {
      const converts = registration.conversions.some(({ plural, group }) => changed.has(`${plural}.${group}`));
      if (converts) await this.#end(registration);
    }
    this.#isHandingOver = true;
  }

  /** Ends the registrations that no process has taken over. */
  async endHandover(): Promise<void> {
    this.#isHandingOver = false;
    for (const registration of [...this.#registrations]) {
      if (registration.handover === undefined) continue;
      registration.handover.reject(new Error('the operator does not run'));
      await this.#end(registration);
    }
  }

  async #end(registration: Registration): Promise<void> {
    this.#registrations.delete(registration);
    await registration.end();
  }
}

async function answer({ process, id }: Server, call: WebhookCall): Promise<WebhookAnswer> {
  const { path, query, contentType, body } = call;
  return await process.operator.call('answer', { id, path, query: query.toString(), contentType, body });
}

/** The operator sends its configurations with paths as addresses. */
function addressed(
  { url = '/' }: WebhookClientConfig,
  clientConfigOf: (path: string) => WebhookClientConfig,
): WebhookClientConfig {
  return clientConfigOf(url);
}
