import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  apiResource,
  type Clock,
  EvenkeelError,
  isGone,
  KubernetesObject,
  Metadata,
  type MetadataClass,
  ObjectKey,
  StatusError,
} from '@evenkeel/core';
import { TokenBucket } from '../workqueue/rate-limit.ts';

/** The number of objects in a page of a list. Only their metadata are in memory, and only those of one page. */
const pageSize = 500;
/** Enough for any rate limit with a server that takes 100 ms for a write. */
const parallelVisits = 8;
/** A request is repeated after an error of the server or the connection. */
const attempts = 4;
const firstDelayMs = 200;

export interface VisitOptions {
  readonly resource: ApiResource;
  readonly client: Client;
  readonly clock: Clock;
  /** Requests per second. */
  readonly qps: number;
  readonly signal: AbortSignal | undefined;
  /** The token of the first page. Default: the beginning. */
  readonly from?: string | undefined;
  /** Called after each page with the token of the next, and the number of objects after it if the server knows it. */
  readonly onPage?: (next: string | undefined, remaining: number | undefined) => Promise<void>;
  /** Called if the visits start again with the first object. */
  readonly onRestart: () => void;
  /** At most 8 run at the same time. If one rejects, no further ones start, and the others are aborted. */
  readonly visit: (key: ObjectKey, of: Visit) => Promise<void>;
}

export interface Visit {
  readonly kind: MetadataClass;
  readonly signal: AbortSignal;
  /** Resolves when the rate limit allows the next request. The first request of a visit may be sent at once. */
  readonly turn: () => Promise<void>;
}

/** Visits every object of a resource, in all namespaces. */
export async function visitObjects({
  client,
  resource,
  signal,
  clock,
  qps,
  from,
  ...options
}: VisitOptions): Promise<void> {
  const kind = metadataOf(resource);
  const bucket = new TokenBucket(clock, { perSecond: qps, burst: Math.max(1, Math.min(qps / 10, parallelVisits)) });
  // If one worker fails, the others must stop too.
  const failed = new AbortController();
  const ending = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const turn = async (): Promise<void> => {
    const waitMs = bucket.take();
    if (waitMs > 0) await clock.sleep(waitMs, ending);
  };
  let token = from;
  for (;;) {
    signal?.throwIfAborted();
    await turn();
    const page = await listPage(client, kind, token, signal);
    if (page === 'from the beginning') {
      token = undefined;
      options.onRestart();
      continue;
    }
    const keys = page.items.map((item) => ObjectKey.of(item)).values();
    const workers = Array.from({ length: parallelVisits }, async () => {
      try {
        // The workers share the iterator.
        for (const key of keys) {
          await turn();
          await options.visit(key, { kind, signal: ending, turn });
        }
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    });
    await Promise.allSettled(workers);
    ending.throwIfAborted();
    token = page.continue;
    await options.onPage?.(token, page.remainingItemCount);
    if (token === undefined) return;
  }
}

/** A class of the resource, for requests of metadata. */
export function metadataOf(resource: ApiResource): MetadataClass {
  class Migrated extends KubernetesObject {
    static readonly [apiResource] = resource;
  }
  return Metadata(Migrated);
}

type Page = Awaited<ReturnType<typeof readPage>>;

function readPage(client: Client, kind: MetadataClass, token: string | undefined, signal: AbortSignal | undefined) {
  return client.list(kind, { limit: pageSize, ...(token === undefined ? {} : { continue: token }), signal });
}

/**
 * etcd forgets old versions after five minutes, and with them the version of a list. The server then offers a token that
 * continues with the current version. That is enough here: objects that were created meanwhile are stored in the new version.
 */
export async function listPage(
  client: Client,
  kind: MetadataClass,
  token: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Page | 'from the beginning'> {
  try {
    return await readPage(client, kind, token, signal);
  } catch (error) {
    if (token === undefined || !(error instanceof StatusError)) throw error;
    const { continue: offered } = error.status.metadata;
    if (isGone(error) && typeof offered === 'string' && offered !== '') return readPage(client, kind, offered, signal);
    // A token of another server, after a restored backup, is a bad request.
    if (isGone(error) || error.code === 400) return 'from the beginning';
    throw error;
  }
}

/** Sends a request, and repeats it after an error of the server or the connection. Rejects with the last error. */
export async function repeated<T>(clock: Clock, signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      if (attempt === attempts || !isTransient(error)) throw error;
      await clock.sleep(firstDelayMs * 2 ** (attempt - 1), signal);
    }
  }
}

/** Errors of the server, such as those of a webhook that does not respond, and of the connection. */
function isTransient(error: unknown): boolean {
  if (error instanceof StatusError) return error.code >= 500 || error.code === 429 || error.code === 409;
  return error instanceof EvenkeelError && error.code === 'cluster-unreachable';
}
