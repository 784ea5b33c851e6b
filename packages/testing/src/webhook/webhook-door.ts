import type { WebhookAnswer, WebhookCall, WebhookClientConfig } from '@evenkeel/core';

/** An address at which an API server can call functions of this process. */
export interface OpenDoor {
  /** How the API server reaches a path. */
  clientConfigOf(path: string): WebhookClientConfig;
  close(): Promise<void>;
}

/** Makes functions of this process callable for an API server. */
export interface WebhookDoor {
  /**
   * Calls `handle` for each call of the API server, until the door is closed.
   *
   * @param paths the paths that are called.
   */
  open(paths: readonly string[], handle: (call: WebhookCall) => Promise<WebhookAnswer>): Promise<OpenDoor>;
}

/** The call for a URL, which has the path of the webhook at its end. */
export function callOf(
  path: string,
  url: string,
  { contentType, body, signal }: Pick<WebhookCall, 'contentType' | 'body' | 'signal'>,
): WebhookCall {
  const mark = url.indexOf('?');
  return { path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark)), contentType, body, signal };
}
