import type { KubernetesObject, Metadata } from '@evenkeel/core';
import type { ApiRequest } from './api-request.ts';

/** A finished request, for logs, metrics and code that waits for its own writes. */
export interface RequestObservation {
  readonly request: ApiRequest;
  /** The HTTP status of the last response; undefined without a response. */
  readonly status: number | undefined;
  /** The number of attempts; more than 1 if it was retried. */
  readonly attempts: number;
  /** From the first attempt to the end of the response; for a watch, to its start. Milliseconds. */
  readonly durationMs: number;
  /**
   * The object in the response: the read or written one; for the `scale` subresource a Scale, whose metadata are those
   * of the scaled object. Absent for lists, watches and errors, and for subresources whose response is not stored, such
   * as `eviction` and `token`.
   */
  readonly object?: KubernetesObject | Metadata;
  /**
   * The objects that a deletecollection deleted, as they were before. Absent for other requests, and if the response
   * has no list.
   */
  readonly deleted?: readonly Metadata[];
  /** The error of a failed request. */
  readonly error?: unknown;
}

/** Called for every finished request, in the order in which they finish. It must be quick; its errors are logged. */
export type RequestObserver = (observation: RequestObservation) => void;
