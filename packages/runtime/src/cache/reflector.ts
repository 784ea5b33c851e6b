import { type ApiRequest, acceptOf, type Client, readBody } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  groupResourceOf,
  isForbidden,
  isGone,
  isNotFound,
  type Logger,
  type Random,
  StatusError,
  type Timer,
} from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import { InactivityError, type InactivityLimit, whileActive } from './inactivity-limit.ts';
import type { ObjectDecoder } from './object-decoder.ts';
import { ReflectorBackoff } from './reflector-backoff.ts';
import type { RefusedWatches } from './refused-watches.ts';
import { compareResourceVersions } from './resource-version.ts';
import { TimeSlice } from './time-slice.ts';
import { RequestLimits, WatchStream } from './watch-stream.ts';

/** The copy that a reflector keeps equal to the server. */
export interface ReflectorTarget {
  /**
   * Receives all objects by key, as of `resourceVersion`. `calls` is the number of calls of {@link Reflector.readAnew} before the
   * request. Nothing else is reported until it resolves.
   */
  replace(objects: ReadonlyMap<string, CachedObject>, resourceVersion: string, calls: number): Promise<void>;
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: CachedObject): void;
  /** All changes up to this version have been reported, by an event or by a bookmark. */
  passed(resourceVersion: string, isBookmark: boolean): void;
  /** The server has sent something. */
  active(): void;
  /** A watch is open. */
  connected(): void;
  /** No watch is open. The reflector retries, unless it was stopped. */
  failed(error: unknown): void;
}

export interface ReflectorOptions {
  readonly client: Client;
  readonly resource: ApiResource;
  readonly metadataOnly: boolean;
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly decoder: ObjectDecoder;
  readonly target: ReflectorTarget;
  /** The rejected watches of the same cache. */
  readonly refused: RefusedWatches;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Like client-go, a reflector requests watches of a random duration of 5 to 10 minutes, so that they are not all reopened at once. */
const shortestWatchSeconds = 300;
const pageSize = 500;
/** A watch that ends earlier without an event is a failure, and is retried with backoff. */
const shortWatchMs = 1000;

/** The maximum wait for a Retry-After, so that a server cannot stop a cache for longer. */
const longestAskedWaitMs = 60_000;

/** Like client-go, the reflector logs every 10 s that the end of a WatchList is missing. */
const missingEndReminderMs = 10_000;

/** A server with WatchList sends no bookmark before the one that ends it. A server that treats it as a plain watch does. */
const bookmarksOfPlainWatch = 2;

/** After this many consecutive watches without any data, all objects are read again. */
const silencesBeforeSync = 2;

type Query = NonNullable<ApiRequest['query']>;

/**
 * Keeps a {@link ReflectorTarget} equal to the server's objects of one kind, in one namespace or all, by client-go's rules:
 *
 * 1. It requests the objects and their changes in one watch (WatchList, KEP-3157). Existing objects arrive as `ADDED` events up
 *    to a bookmark. They become one replace, and the same watch continues.
 * 2. If the server rejects that, or never sends that bookmark, the reflector lists the latest objects in pages, and watches from
 *    the version of the list.
 * 3. A watch that ends for any reason is continued from the last reported version. All objects are read again only if the server
 *    no longer has that version (410), has not reached it (a server with older data), or rejects the watch. Until then, the target
 *    keeps its objects.
 * 4. After a failure, the reflector waits 0.8 to 30 s, or as long as Retry-After requires. A watch that receives nothing for 70 s
 *    is a failure. After two of these in a row, all objects are read again.
 * 5. If the kind is not served or not permitted, it retries every 1 to 2 s, because no event reports when that changes.
 * 6. {@link Reflector.readAnew} reads all objects again, in their latest version.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #decoder: ObjectDecoder;
  readonly #backoff: ReflectorBackoff;
  /** The last version reported to the target; undefined before the first replace. */
  #resourceVersion: string | undefined;
  /** The wait that the server requested with the last failure. */
  #askedWaitMs = 0;
  /** Whether the last failure was a rejection that a user must fix. */
  #isRefused = false;
  /** Whether the server cannot serve the requested version. The next sync then requests the latest. */
  #isUnavailable = false;
  /** The number of calls of {@link readAnew}. */
  #calls = 0;
  /** The number of these calls before the last replace was requested. */
  #answered = 0;
  /** Aborts the current requests: for a call of {@link readAnew}, or at the end. */
  #round = new AbortController();

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#decoder = options.decoder;
    this.#backoff = new ReflectorBackoff(options.clock, options.random, options.refused);
  }

  /** Runs until the signal is aborted, and opens nothing after that. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#round.abort(signal.reason), { once: true });
    while (!signal.aborted) {
      if (this.#round.signal.aborted) this.#round = new AbortController();
      const round = this.#round.signal;
      try {
        await this.#watchUntilLost(await this.#sync(round), round);
      } catch (error) {
        if (signal.aborted) break;
        if (round.aborted) continue;
        this.#failed(error);
      }
      await this.#pause(signal);
    }
    this.#options.refused.set(this, false);
  }

  /**
   * Reads all objects again. The target keeps its objects until then. Returns the number of calls so far: a replace with at least
   * this number has objects that were requested after this call.
   */
  readAnew(): number {
    this.#round.abort(new Error('everything is asked for again'));
    return ++this.#calls;
  }

  /** Reads all objects into the target. Returns the watch to continue, if it used a WatchList. */
  async #sync(signal: AbortSignal): Promise<WatchStream | undefined> {
    const calls = this.#calls;
    for (;;) {
      const from = this.#isUnavailable || calls > this.#answered ? undefined : this.#resourceVersion;
      const events = this.#watch(
        { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', resourceVersion: from },
        signal,
      );
      try {
        await this.#receiveAll(events, calls);
        signal.throwIfAborted();
        this.#backoff.reset();
        return events;
      } catch (error) {
        events.close();
        signal.throwIfAborted();
        if (from !== undefined && isVersionLost(error)) {
          this.#isUnavailable = true;
          continue;
        }
        // A list would be rejected too, or could not be followed by a watch.
        if (isToBeMended(error)) throw error;
        if (!isUnanswered(error)) break;
        this.#failed(error);
      }
      await this.#pause(signal);
      signal.throwIfAborted();
    }
    await this.#list(calls, signal);
    return undefined;
  }

  /** The first part of a WatchList, up to the bookmark that ends it. */
  async #receiveAll(events: WatchStream, calls: number): Promise<void> {
    const objects = new Map<string, CachedObject>();
    const slice = new TimeSlice(this.#options.clock);
    const stopReminding = this.#remindOfMissingEnd(events, objects);
    let bookmarks = 0;
    try {
      while (await events.more()) {
        for (let event = events.next(); event !== undefined; event = events.next()) {
          if (event.type === 'BOOKMARK') {
            if (event.endsInitialEvents) {
              stopReminding();
              await this.#replace(objects, event.resourceVersion, calls);
              return;
            }
            if (++bookmarks === bookmarksOfPlainWatch) throw new NoWatchListError('the server knows no WatchList');
            continue;
          }
          const key = keyOf(event.object);
          if (event.type === 'DELETED') objects.delete(key);
          else objects.set(key, event.object);
          if (slice.isOver()) await slice.next();
        }
      }
    } finally {
      stopReminding();
    }
    throw new StreamEndedError('the watch ended before it had sent what is there');
  }

  #remindOfMissingEnd(events: WatchStream, objects: ReadonlyMap<string, CachedObject>): () => void {
    const { clock, logger, resource } = this.#options;
    const startMs = clock.monotonic();
    const remind = (): Timer =>
      clock.schedule(
        missingEndReminderMs,
        () => {
          if (events.isOpen) {
            logger.warn('the server has not yet confirmed that it has sent all objects', {
              resource: groupResourceOf(resource),
              objects: objects.size,
              afterMs: clock.monotonic() - startMs,
            });
          }
          timer = remind();
        },
        { unref: true },
      );
    let timer = remind();
    return () => timer.cancel();
  }

  async #list(calls: number, signal: AbortSignal): Promise<void> {
    const { clock, logger, resource } = this.#options;
    const objects = new Map<string, CachedObject>();
    const slice = new TimeSlice(clock);
    let limit: number | undefined = pageSize;
    let more: string | undefined;
    for (;;) {
      let page: Buffer;
      try {
        page = await this.#page({ limit, continue: more }, signal);
      } catch (error) {
        if (more === undefined || !isGone(error)) throw error;
        // The version of the pages has expired: list everything in one response, like client-go's pager.
        objects.clear();
        limit = undefined;
        more = undefined;
        continue;
      }
      const head = this.#decoder.listHead(page);
      const report = (error: unknown): void => {
        logger.error('skipped an object that cannot be read', { resource: groupResourceOf(resource), error });
      };
      for (const object of this.#decoder.listItems(page, report)) {
        objects.set(keyOf(object), object);
        if (slice.isOver()) {
          await slice.next();
          signal.throwIfAborted();
        }
      }
      more = head.continue;
      if (more === undefined) return await this.#replace(objects, head.resourceVersion, calls);
    }
  }

  async #page(query: Query, signal: AbortSignal): Promise<Buffer> {
    return await this.#exchange(signal, async (requestSignal, limit) => {
      const response = await this.#options.client.send({
        ...this.#request('list', query),
        signal: requestSignal,
      });
      const page = await readBody({ ...response, body: whileActive(response.body, limit) });
      this.#options.target.active();
      return page;
    });
  }

  async #replace(objects: ReadonlyMap<string, CachedObject>, resourceVersion: string, calls: number): Promise<void> {
    await this.#options.target.replace(objects, resourceVersion, calls);
    this.#answered = calls;
    this.#resourceVersion = resourceVersion;
    this.#isUnavailable = false;
  }

  /** Returns or throws when all objects must be read again. */
  async #watchUntilLost(open: WatchStream | undefined, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let events = open;
    let silences = 0;
    for (;;) {
      signal.throwIfAborted();
      const startMs = clock.monotonic();
      try {
        events ??= this.#watch({ resourceVersion: this.#resourceVersion }, signal);
        const told = await this.#tell(events);
        if (told > 0) silences = 0;
        if (told > 0 || clock.monotonic() - startMs >= shortWatchMs) {
          events = undefined;
          continue;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof StatusError && !isTransient(error)) {
          if (isVersionTooLarge(error)) this.#isUnavailable = true;
          throw error;
        }
        // A server that was restored from older data sends nothing for a watch from a version that it has not reached.
        if (error instanceof InactivityError && ++silences === silencesBeforeSync) throw error;
        this.#failed(error);
      }
      events = undefined;
      await this.#pause(signal);
    }
  }

  /** Reports the events of a watch to the target until it ends. Returns their number. */
  async #tell(events: WatchStream): Promise<number> {
    const { clock, target } = this.#options;
    const slice = new TimeSlice(clock);
    let told = 0;
    try {
      do {
        for (let event = events.next(); event !== undefined; event = events.next()) {
          const version = event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
          if (version === undefined || version === '') continue;
          if (this.#resourceVersion !== undefined && compareResourceVersions(version, this.#resourceVersion) < 0) {
            throw serverWentBack(this.#options.resource, version, this.#resourceVersion);
          }
          if (event.type !== 'BOOKMARK') target.changed(event.type, event.object);
          this.#resourceVersion = version;
          target.passed(version, event.type === 'BOOKMARK');
          this.#backoff.reset();
          told++;
          if (slice.isOver()) await slice.next();
        }
      } while (await events.more());
      return told;
    } finally {
      events.close();
    }
  }

  #watch(query: Query, signal: AbortSignal): WatchStream {
    const { client, clock, logger, random, resource, target } = this.#options;
    const timeoutSeconds = shortestWatchSeconds + random.integer(shortestWatchSeconds);
    return new WatchStream({
      client,
      clock,
      signal,
      decoder: this.#decoder,
      request: this.#request('watch', { watch: true, allowWatchBookmarks: true, timeoutSeconds, ...query }),
      unreadable: (error) =>
        logger.error('skipped a watch event that cannot be read', { resource: groupResourceOf(resource), error }),
      connected: () => {
        this.#refusal(false);
        target.connected();
      },
      active: () => target.active(),
    });
  }

  async #exchange<T>(
    signal: AbortSignal,
    exchange: (signal: AbortSignal, limit: InactivityLimit) => Promise<T>,
  ): Promise<T> {
    const limited = new RequestLimits(this.#options.clock, signal);
    try {
      return await exchange(limited.signal, limited.inactivity);
    } finally {
      limited.end();
    }
  }

  #request(verb: 'list' | 'watch', query: Query): ApiRequest {
    const { resource, namespace, labelSelector, fieldSelector, metadataOnly } = this.#options;
    const as = verb === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
    return {
      verb,
      resource,
      namespace,
      query: { ...query, labelSelector, fieldSelector },
      accept: acceptOf({ metadataOnly }, as),
      retry: false,
    };
  }

  #failed(error: unknown): void {
    const { logger, resource, target } = this.#options;
    const seconds = error instanceof StatusError ? (error.status.details?.retryAfterSeconds ?? 0) : 0;
    this.#askedWaitMs = Math.min(seconds * 1000, longestAskedWaitMs);
    this.#refusal(isToBeMended(error));
    // One line for each attempt. The user of the cache logs once what it means for a controller, and the fix.
    logger.debug('cannot watch', { resource: groupResourceOf(resource), error });
    target.failed(error);
  }

  #refusal(isRefused: boolean): void {
    this.#isRefused = isRefused;
    this.#options.refused.set(this, isRefused);
  }

  /** Waits. Resolves early if the signal is aborted. */
  async #pause(signal: AbortSignal): Promise<void> {
    const delayMs = Math.max(this.#backoff.nextMs(this.#isRefused), this.#askedWaitMs);
    await this.#options.clock.sleep(delayMs, signal).catch(() => undefined);
  }
}

/** The server treated a WatchList as a plain watch. Servers before 1.27 ignore unknown parameters. */
class NoWatchListError extends Error {
  override readonly name = 'NoWatchListError';
}

class StreamEndedError extends Error {
  override readonly name = 'StreamEndedError';
}

export function keyOf(object: CachedObject): string {
  const { name, namespace } = object.metadata;
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Reports whether there was no response, or one that requests a retry. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof InactivityError || error instanceof NoWatchListError) return false;
  return !(error instanceof StatusError) || error.code === 429;
}

/** Reports whether the server does not serve the kind, or does not permit it. */
function isToBeMended(error: unknown): boolean {
  return isNotFound(error) || isForbidden(error);
}

/** Reports whether a watch can be continued from its last version. */
function isTransient(error: StatusError): boolean {
  return (error.code === 429 || error.code >= 500) && !isVersionTooLarge(error);
}

function isVersionLost(error: unknown): boolean {
  return isGone(error) || isVersionTooLarge(error);
}

/** Reports whether the server did not reach the requested version in time. It may have lost data. */
function isVersionTooLarge(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    (error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true ||
      (error.code === 504 && error.status.message?.includes('Too large resource version') === true))
  );
}

function serverWentBack(resource: ApiResource, version: string, last: string): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 504,
    reason: 'Timeout',
    message: `${groupResourceOf(resource)}: the server is at resourceVersion ${version}, behind ${last} which it reported before`,
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
  });
}
