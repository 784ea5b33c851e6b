import type { RequestOptions } from './request-options.ts';

/** The part of a container's log to read. */
export interface LogOptions extends RequestOptions {
  /** Default: the only container, or the one in the pod's annotation `kubectl.kubernetes.io/default-container`. */
  container?: string;
  /** If true, continues with new lines until the container stops or the signal is aborted. Default: false. */
  follow?: boolean;
  /** If true, reads the log of the previous run of the container. Default: false. */
  previous?: boolean;
  /** The number of lines from the end. Default: all that exist. */
  tailLines?: number;
  sinceSeconds?: number;
  /** If true, each line starts with its time in RFC 3339. Default: false. */
  timestamps?: boolean;
  /** The maximum number of bytes; the last line may be incomplete. */
  limitBytes?: number;
}
