/** A call as a webhook gets it: always a POST of JSON. */
export interface WebhookRequest {
  /** With the `timeout` parameter. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborted if the caller no longer waits. */
  readonly signal: AbortSignal;
}

export interface WebhookResponse {
  readonly status: number;
  /** With lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sends a call and reads the whole response. Rejects if there is no complete response. */
export type WebhookHandler = (request: WebhookRequest) => Promise<WebhookResponse>;
