/**
 * An error that a retry cannot fix. Throw it in a reconcile method: the object is not retried, and the next run comes when
 * something changes. The error is logged and counted, and the status is written, as for other failed runs.
 */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
