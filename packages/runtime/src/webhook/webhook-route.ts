import type { WebhookAnswer, WebhookCall } from '@evenkeel/core';

/** What the webhook server serves at one path: the admission of one webhook, or the conversions. */
export interface WebhookRoute {
  /** `/validate-batch-example-com-v1-cronjob`, `/convert`. The label of its metrics. */
  readonly path: string;
  /** The largest body that it accepts. The server responds with 413 to a larger one. */
  readonly maxBodyBytes: number;
  /** How long a call may take if the caller does not say it, in milliseconds. */
  readonly defaultTimeoutMs: number;
  /**
   * Handles one call. `call.signal` is aborted at the caller's timeout. The call keeps its place among the concurrent calls until
   * the promise settles. A rejection is logged and becomes the status 500.
   */
  handle(call: WebhookCall): Promise<WebhookAnswer>;
}

/** The response of a webhook that is not a review. */
export function textAnswer(status: number, text: string): WebhookAnswer {
  return { status, body: `${text}\n`, contentType: 'text/plain; charset=utf-8' };
}
