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

/** What a reflector keeps equal to the server. */
export interface ReflectorTarget {
  /**
   * These are all objects there are, by key, as of `resourceVersion`; so many calls of {@link Reflector.readAnew} were made
   * before they were asked for. Nothing else is told until it resolves.
   */
  replace(objects: ReadonlyMap<string, CachedObject>, resourceVersion: string, calls: number): Promise<void>;
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: CachedObject): void;
  /** Everything up to this version has been told, by an event or by a bookmark. */
  passed(resourceVersion: string, isBookmark: boolean): void;
  /** The server has said something. */
  active(): void;
  /** A watch is open. */
  connected(): void;
  /** No watch is open; it will be tried again, unless it is the last thing told. */
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
  /** Those of the same cache. */
  readonly refused: RefusedWatches;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** client-go's reflectors ask for watches of 5 to 10 minutes, by chance, so that not all are opened anew at once. */
const shortestWatchSeconds = 300;
const pageSize = 500;
/** A watch that ends sooner than this without an event is taken for a failure, and backed off from. */
const shortWatchMs = 1000;

/** No server may keep a cache blind for longer, whatever its Retry-After says. */
const longestAskedWaitMs = 60_000;

/** client-go says every 10 s that the end of a WatchList is missing. */
const missingEndReminderMs = 10_000;

/** A server that knows WatchList sends no bookmark before the one that ends it; one that takes it for a plain watch does. */
const bookmarksOfPlainWatch = 2;

/** After so many watches in a row on which nothing at all came, everything is asked for again. */
const silencesBeforeSync = 2;

type Query = NonNullable<ApiRequest['query']>;

/**
 * Keeps a {@link ReflectorTarget} equal to what the server has of one kind, in one namespace or all, by client-go's rules:
 *
 * 1. It asks for the objects and the changes in one watch (WatchList, KEP-3157): what is there comes as `ADDED` up to a
 *    bookmark that says so, becomes one replace, and the same watch goes on.
 * 2. Where the server refuses that, or never sends that bookmark, it lists in pages, always what is latest, and watches
 *    from the list's version.
 * 3. A watch that ends, however it ends, is continued from the last version it told. Only where the server no longer has
 *    that version (410), has not reached it (a server on older data), or refuses the watch, everything is asked for again,
 *    and the target keeps what it has until then.
 * 4. Failures are waited out, 0.8 to 30 s, or as long as Retry-After says; a watch on which nothing has come for 70 s is one, and after two of those in a
 *    row everything is asked for again.
 * 5. Where the kind is not served or not granted, that is asked again every 1 to 2 s: nothing else tells when it is.
 * 6. On {@link Reflector.readAnew} everything is asked for again, the latest.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #decoder: ObjectDecoder;
  readonly #backoff: ReflectorBackoff;
  /** The last version told to the target; undefined before the first replace. */
  #resourceVersion: string | undefined;
  /** As long as the server asked to wait, with the last failure. */
  #askedWaitMs = 0;
  /** The last failure was a refusal that somebody has to mend. */
  #isRefused = false;
  /** The server said that it cannot serve that version: the next sync asks for the latest. */
  #isUnavailable = false;
  /** Calls of {@link readAnew}. */
  #calls = 0;
  /** How many of them the last replace has answered. */
  #answered = 0;
  /** Ends the requests of now: by a call of {@link readAnew}, or for good. */
  #round = new AbortController();

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#decoder = options.decoder;
    this.#backoff = new ReflectorBackoff(options.clock, options.random, options.refused);
  }

  /** Resolves when the signal is aborted, and opens nothing after that. Never rejects. */
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
   * Asks the server for everything once more. The target keeps what it has until then. Gives how many calls there have been
   * now: a replace that answers as many has what the server had after this call.
   */
  readAnew(): number {
    this.#round.abort(new Error('everything is asked for again'));
    return ++this.#calls;
  }

  /** Brings the target level with the server. Gives the watch that goes on, where that is how it was done. */
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
        // A list would be refused as well, or not lead to a watch.
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
        // The version of the pages is gone: all of it in one answer, as client-go's pager does it.
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

  /** Returns, or throws, when everything has to be asked for again. */
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
        // A server that was set back says nothing to who asks for what comes after a version that it has not reached.
        if (error instanceof InactivityError && ++silences === silencesBeforeSync) throw error;
        this.#failed(error);
      }
      events = undefined;
      await this.#pause(signal);
    }
  }

  /** Tells the target what a watch says until it ends; gives how much that was. */
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
    // One line a try; what it means for a controller, and what to do, is told by who uses the cache, once.
    logger.debug('cannot watch', { resource: groupResourceOf(resource), error });
    target.failed(error);
  }

  #refusal(isRefused: boolean): void {
    this.#isRefused = isRefused;
    this.#options.refused.set(this, isRefused);
  }

  /** Ends early, and quietly, when the signal is aborted. */
  async #pause(signal: AbortSignal): Promise<void> {
    const delayMs = Math.max(this.#backoff.nextMs(this.#isRefused), this.#askedWaitMs);
    await this.#options.clock.sleep(delayMs, signal).catch(() => undefined);
  }
}

/** The server took a WatchList for a plain watch: before 1.27, servers step over a parameter they do not know. */
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

/** Whether there was no answer, or one that says to come later: asking the same again is all one can do. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof InactivityError || error instanceof NoWatchListError) return false;
  return !(error instanceof StatusError) || error.code === 429;
}

/** Whether the server does not serve the kind, or does not grant it. */
function isToBeMended(error: unknown): boolean {
  return isNotFound(error) || isForbidden(error);
}

/** Whether a watch may be continued from where it was. */
function isTransient(error: StatusError): boolean {
  return (error.code === 429 || error.code >= 500) && !isVersionTooLarge(error);
}

function isVersionLost(error: unknown): boolean {
  return isGone(error) || isVersionTooLarge(error);
}

/** The server has not reached the version asked for within its patience: it may have lost data. */
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
