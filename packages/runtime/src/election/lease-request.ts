import type { Clock } from '@evenkeel/core';
import type { Lease } from '@evenkeel/kinds/coordination/v1';

/** The identity of the process that asks for the Lease. */
const byAnnotation = 'evenkeel.dev/requested-by';
/** The time of its last request. It is informative, and makes each repetition change the Lease. */
const atAnnotation = 'evenkeel.dev/requested-at';

/** Adds a request, or repeats it. */
export function withRequest<T extends { readonly metadata: Lease['metadata'] }>(lease: T, by: string, at: string): T {
  const { metadata } = lease;
  const annotations = { ...metadata.annotations, ...requestAnnotations(by, at) };
  return { ...lease, metadata: { ...metadata, annotations } };
}

export function requestAnnotations(by: string, at: string): Readonly<Record<string, string>> {
  return { [byAnnotation]: by, [atAnnotation]: at };
}

/** Removes any request. */
export function withoutRequest(lease: Lease): Lease {
  if (lease.metadata.annotations?.[byAnnotation] === undefined) return lease;
  const { [byAnnotation]: _by, [atAnnotation]: _at, ...annotations } = lease.metadata.annotations;
  return { ...lease, metadata: { ...lease.metadata, annotations } };
}

/** Returns who asks for a Lease; undefined if no process does. */
export function requesterOf({ metadata }: Lease): string | undefined {
  const by = metadata.annotations?.[byAnnotation] ?? '';
  return by === '' ? undefined : by;
}

/**
 * The requests in one Lease, as one process sees them. A request is fresh as long as its process repeats it. As with the Lease
 * itself, the time counts on the monotonic clock of the observer, from its first observation of each repetition.
 */
export class LeaseRequests {
  readonly #clock: Clock;
  readonly #validMs: number;
  #observed: { readonly record: string; readonly atMs: number } | undefined;

  constructor(clock: Clock, validMs: number) {
    this.#clock = clock;
    this.#validMs = validMs;
  }

  /** Returns who asks for the Lease, if the request is fresh and not of `self`. */
  freshRequester(lease: Lease, self: string): string | undefined {
    const by = requesterOf(lease);
    const record = JSON.stringify([by, lease.metadata.annotations?.[atAnnotation]]);
    const nowMs = this.#clock.monotonic();
    if (this.#observed?.record !== record) this.#observed = { record, atMs: nowMs };
    return by !== undefined && by !== self && nowMs < this.#observed.atMs + this.#validMs ? by : undefined;
  }
}
