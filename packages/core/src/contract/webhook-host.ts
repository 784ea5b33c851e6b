import type { BoundPolicy, PolicyKind } from './admission-policy.ts';
import type { WebhookClientConfig, WebhookConfiguration } from './webhook-configuration.ts';

/** A call of the API server to a webhook: a POST of JSON. */
export interface WebhookCall {
  /** `/validate-batch-example-com-v1-cronjob`, `/convert`. */
  readonly path: string;
  /** Has the `timeout` of the call, such as `10s`. */
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  /** The complete body. It comes from outside. */
  readonly body: Uint8Array;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** The HTTP response to a call of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
}

/** A custom kind whose versions an operator converts at the path `/convert`. */
export interface HostedConversion {
  readonly group: string;
  readonly plural: string;
}

/** What a manager gives to the host of its transport. */
export interface HostedWebhooks {
  /** The name of the operator, which its configurations have. */
  readonly name: string;
  /** Returns the configurations for these addresses. `clientConfigOf` gets a path. */
  configurations(clientConfigOf: (path: string) => WebhookClientConfig): readonly WebhookConfiguration[];
  /** The policies of the webhooks that the API server evaluates itself. */
  readonly policies: readonly BoundPolicy[];
  /** The kinds whose definitions call `/convert`. */
  readonly conversions: readonly HostedConversion[];
  /** Handles a call. It never rejects. */
  handle(call: WebhookCall): Promise<WebhookAnswer>;
}

/**
 * Registers the webhooks of the managers on a transport with its API server. The transports of test environments and of
 * `evenkeel dev` have one, so that users set nothing up. A manager on such a transport opens no webhook server of its own.
 */
export interface WebhookHost {
  /** The kinds of policies that the API server serves in `v1`. The manager serves a webhook instead of any other policy. */
  policyKinds(): Promise<readonly PolicyKind[]>;
  /**
   * Registers the webhooks and policies, and resolves when the API server uses them. Several managers with the same webhooks, such as
   * replicas, share one registration, and one of them gets the calls.
   *
   * @returns ends the registration. May be called again.
   */
  serve(webhooks: HostedWebhooks): Promise<() => Promise<void>>;
}
