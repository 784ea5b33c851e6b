/**
 * Thrown by a reconcile that would fail the same way if it ran again: the key is not retried, it waits for a change.
 * The error is logged and counted, and the run's status is written, like that of any other failed run.
 */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}
