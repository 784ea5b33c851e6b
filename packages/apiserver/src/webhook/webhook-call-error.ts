/**
 * A webhook that could not be called, or a response that is not a review. The message is that of kube-apiserver without
 * the prefix that tells whose webhook it is.
 */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  readonly timedOut: boolean;
  /** The status of a response that the webhook sent. */
  readonly status: number | undefined;

  constructor(message: string, timedOut = false, status?: number) {
    super(message);
    this.timedOut = timedOut;
    this.status = status;
  }
}

/** The start of the message of a failed call. Go quotes the URL; none that passes the validation is quoted differently. */
export function postTo(url: string): string {
  return `Post ${JSON.stringify(url)}`;
}

/** A response that could not be read to its end: client-go's message. */
export function responseLost(why: string): string {
  return `unexpected error when reading response body. Please retry. Original error: ${why}`;
}
