import type { Client } from '@evenkeel/client';
import {
  type ApiResource,
  apiResource,
  type Clock,
  EvenkeelError,
  isForbidden,
  isGone,
  isNotFound,
  KubernetesObject,
  Metadata,
  type MetadataClass,
  messageOf,
  ObjectKey,
  StatusError,
} from '@evenkeel/core';
import { TokenBucket } from '../workqueue/rate-limit.ts';
import { listedFailures, type ObjectFailure } from './object-failures.ts';

/** The number of objects in a page of a list. Only their metadata are in memory, and only those of one page. */
export const pageSize = 500;
/** Enough for any rate limit with a server that takes 100 ms for a write. */
const parallelWrites = 8;
/** A write of one object is repeated after an error of the server or the connection. */
const attempts = 4;
const firstDelayMs = 200;

export interface RewriteOptions {
  readonly resource: ApiResource;
  readonly client: Client;
  readonly clock: Clock;
  /** Requests per second. */
  readonly qps: number;
  readonly signal: AbortSignal | undefined;
  /** The token of the first page. Default: the beginning. */
  readonly from?: string | undefined;
  readonly counts: RewriteCounts;
  /** If true, every write is a dry run. */
  readonly dryRun: boolean;
  /** Called after each page with the token of the next, and the number of objects after it if the server knows it. */
  readonly onPage: (next: string | undefined, remaining: number | undefined) => Promise<void>;
  readonly onObject: () => void;
}

/** What became of the objects. */
export interface RewriteCounts {
  /** Objects that are stored in the storage version now, whether the server had to rewrite them or not. */
  rewritten: number;
  /** Objects that were deleted before their turn. */
  gone: number;
  failed: number;
  failures: ObjectFailure[];
}

/**
 * Makes the API server store every object of a resource again, in the current storage version.
 *
 * The request is an empty merge patch. The server reads the stored object, changes nothing, and encodes it in the storage
 * version. It writes if the bytes differ, as they do in another version; otherwise it does nothing. managedFields, generation
 * and times stay. A patch without resourceVersion has no conflicts, because the server repeats it with the newer object. It
 * never creates an object, unlike an apply. It goes to the storage version: through another version, the server would prune
 * fields that this version does not have. Admission sees it, as it sees every write.
 */
export async function rewriteObjects(options: RewriteOptions): Promise<void> {
  const { client, resource, signal, clock, qps, counts, onPage } = options;
  const kind = metadataOf(resource);
  const bucket = new TokenBucket(clock, { perSecond: qps, burst: Math.max(1, Math.min(qps / 10, parallelWrites)) });
  // If one worker fails, the others must stop too.
  const failed = new AbortController();
  const ending = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const turn = async (): Promise<void> => {
    const waitMs = bucket.take();
    if (waitMs > 0) await clock.sleep(waitMs, ending);
  };
  let token = options.from;
  for (;;) {
    signal?.throwIfAborted();
    await turn();
    const page = await listPage(client, kind, token, signal);
    if (page === 'from the beginning') {
      token = undefined;
      Object.assign(counts, { rewritten: 0, gone: 0, failed: 0, failures: [] });
      continue;
    }
    const keys = page.items.map((item) => ObjectKey.of(item)).values();
    const workers = Array.from({ length: parallelWrites }, async () => {
      try {
        // The workers share the iterator.
        for (const key of keys) {
          await turn();
          await rewrite(key, kind, { ...options, signal: ending });
        }
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    });
    await Promise.allSettled(workers);
    ending.throwIfAborted();
    token = page.continue;
    await onPage(token, page.remainingItemCount);
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

async function rewrite(key: ObjectKey, kind: MetadataClass, options: RewriteOptions): Promise<void> {
  const { client, clock, signal, counts, dryRun, onObject } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.patch(kind, key, { merge: {} }, { signal, dryRun, fieldValidation: 'Ignore' });
      counts.rewritten++;
      break;
    } catch (error) {
      signal?.throwIfAborted();
      if (isNotFound(error)) {
        counts.gone++;
        break;
      }
      if (attempt < attempts && isTransient(error)) {
        await clock.sleep(firstDelayMs * 2 ** (attempt - 1), signal);
        continue;
      }
      // Without a connection or a permission, all other objects would fail too.
      if (!(error instanceof StatusError) || (isForbidden(error) && counts.rewritten === 0)) throw error;
      counts.failed++;
      if (counts.failures.length < listedFailures)
        counts.failures.push({ object: `${key}`, message: messageOf(error) });
      break;
    }
  }
  onObject();
}

/** Errors of the server, such as those of a webhook that does not respond, and of the connection. */
function isTransient(error: unknown): boolean {
  if (error instanceof StatusError) return error.code >= 500 || error.code === 429 || error.code === 409;
  return error instanceof EvenkeelError && error.code === 'cluster-unreachable';
}
