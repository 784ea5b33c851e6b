import type { RequestOptions } from './client.ts';

/** Which part of a container's log is read. */
export interface LogOptions extends RequestOptions {
  /** Default: the only one, or the one that the pod's annotation `kubectl.kubernetes.io/default-container` names. */
  container?: string;
  /** True: waits for more after what is there, until the container ends or the signal is aborted. Default false. */
  follow?: boolean;
  /** The log of the run before the last restart. Default false. */
  previous?: boolean;
  /** So many lines from the end. Default: all that is kept. */
  tailLines?: number;
  sinceSeconds?: number;
  /** Each line begins with its time in RFC 3339. Default false. */
  timestamps?: boolean;
  /** The answer ends after so many bytes, if need be within a line. */
  limitBytes?: number;
}
