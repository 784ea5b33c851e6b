/**
 * A request of a history. Path and body may contain marks, which each server replaces by its own values: `@NS@` is the
 * namespace, `@VERSION:KIND/NAME@` and `@UID:KIND/NAME@` are those of an object as the server last returned it, `@FIRST@` and
 * `@LIST@` are the versions of the first and the last list, and `@CONTINUE@` is the token of the last one.
 */
export interface HistoryRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  /** The body is merged over this object (`KIND/NAME`) as the server last returned it. */
  readonly live?: string;
}
