import type { KubernetesObject, Metadata } from '@evenkeel/core';
import type { ApiRequest } from './api-request.ts';

/** A request that has ended, for logs, metrics and whoever waits for its own writes. */
export interface RequestObservation {
  readonly request: ApiRequest;
  /** HTTP status of the last answer; undefined where none came. */
  readonly status: number | undefined;
  /** How often it was sent; more than 1 where it was retried. */
  readonly attempts: number;
  /** From the first sending to the end of the answer; for a watch, to its beginning. Milliseconds. */
  readonly durationMs: number;
  /**
   * The object the server answered with: what was read or written; for the `scale` subresource a Scale, whose metadata are
   * of the object that it scales. Absent for lists, watches and refusals, and for subresources that answer with what is kept
   * nowhere, as `eviction` and `token` do.
   */
  readonly object?: KubernetesObject | Metadata;
  /** What a deletion of a collection deleted, as it was before. Absent for all else, and where the server did not say. */
  readonly deleted?: readonly Metadata[];
  /** Why it failed. */
  readonly error?: unknown;
}

/** Told of every request when it has ended, in order of ending. It must be quick; what it throws is logged. */
export type RequestObserver = (observation: RequestObservation) => void;
