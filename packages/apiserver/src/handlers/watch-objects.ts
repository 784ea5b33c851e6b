import { type ApiStatus, apiVersionOf, type Timer } from '@evenkeel/core';
import { stringifyJson } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { TablePrinter } from '../kind/table-columns.ts';
import { TypedDecoder } from '../kind/typed-decoder.ts';
import type { ApiResponse } from '../request/api-request.ts';
import { expired } from '../status/refusal.ts';
import type { StoreEvent } from '../store/store-event.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { isWebSocketRequest, webSocketHandshake } from '../websocket/handshake.ts';
import { textFrameHead } from '../websocket/server-frame.ts';
import { encodePartial, encodeStored, encodeStoredPartial } from './encoding.ts';
import { negotiate, notAcceptable, type Representation } from './negotiation.ts';
import { PreparedDelivery } from './prepared-delivery.ts';
import { listOptionsOf } from './query-options.ts';
import { revisionOf } from './resource-version.ts';
import { Selection } from './selection.ts';
import type { ResourceRequest } from './server-resources.ts';
import { type IncludedObject, includedObjectOf, tableOf } from './table.ts';
import { WatchStream } from './watch-stream.ts';

/** The period of requested bookmarks: the watch cache's `defaultBookmarkFrequency`. */
const bookmarkPeriodMs = 60_000;
/** kube-apiserver's `--min-request-timeout`: a watch without a timeout lasts between this long and twice as long. */
const watchSecondsMin = 1800;
const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * Streams the changes of a kind's objects. Without a resourceVersion, or with 0, the watch starts with all existing
 * objects. With one, it starts with the changes since then, or with an ERROR event of 410 if they have been dropped. Each
 * event is a line of a stream, or a text frame of a WebSocket.
 */
export async function watchObjects(resource: ResourceRequest): Promise<ApiResponse> {
  const { server, context, kind, request } = resource;
  const terms = { transforms: true, watches: true };
  // Upstream negotiates twice: as for a list before it reads the options, and as for a stream afterwards.
  negotiate(context.headers, context.query, terms);
  const options = listOptionsOf(context.query, kind, true);
  const representation = negotiate(context.headers, context.query, { ...terms, formats: ['json'] });
  if (representation.as === 'PartialObjectMetadataList') throw notAcceptable();
  const since = revisionOf(options.resourceVersion);
  const { namespace, name } = context.info;
  // The old watch paths may contain the name of one object.
  const named = name === '' ? [] : [{ field: 'metadata.name', value: name, negated: false }];
  const selection = new Selection(kind, namespace, { ...options, fields: [...options.fields, ...named] });
  const upgrades = request.upgradable === true && isWebSocketRequest(context.headers);
  const handshake = upgrades ? webSocketHandshake(context.headers) : undefined;
  if (handshake !== undefined && handshake.status !== 101) return handshake;
  const stream = new WatchStream(upgrades ? textFrameHead : undefined);
  const printer = representation.as === 'Table' ? await kind.printer() : undefined;
  const writer = new EventWriter(resource, selection, representation, printer, stream);
  const history = server.store.resource(kind.storageKey);
  const head = handshake ?? { status: 200, headers: { 'content-type': 'application/json' } };
  const response = { ...head, body: stream, dropped: stream.dropped };

  // A negative timeout has passed before the first event.
  if ((options.timeoutSeconds ?? 0) < 0) {
    stream.end();
    return response;
  }
  const wantsState = options.sendInitialEvents ?? since === 0;
  if (since > 0 && !wantsState && since < history.floor) {
    writer.error(expired(`too old resource version: ${since} (${history.floor})`).status);
    stream.end();
    return response;
  }
  // No await from here to the subscription, so that no event is lost or delivered twice.
  const start = server.store.revision;
  const delivery = new PreparedDelivery(resource.codec);
  const deliver = (event: StoreEvent): void => {
    const { current, previous } = event;
    // As upstream, the watch ends without an error; a list then returns it.
    delivery.add(
      previous === undefined ? [current] : [current, previous],
      () => writer.event(event),
      () => stream.end(),
    );
  };
  if (wantsState) {
    const endsWithBookmark = options.sendInitialEvents === true && options.allowWatchBookmarks;
    const all = history.list(selection.namespace);
    const begin = (): void => writer.begin(all, endsWithBookmark ? start : undefined);
    delivery.add(all, begin, (error) => {
      writer.error(error.status);
      stream.end();
    });
  } else if (since > 0) {
    for (const event of history.eventsAfter(since)) deliver(event);
  }
  const unsubscribe = history.subscribe((event) => {
    if (event.revision > since) deliver(event);
  });

  const timers: Timer[] = [];
  const seconds = options.timeoutSeconds ?? 0;
  const timeoutMs = (seconds === 0 ? watchSecondsMin * (1 + server.random.next()) : seconds) * 1000;
  timers.push(server.clock.schedule(timeoutMs, () => stream.end(), { unref: true }));
  if (options.allowWatchBookmarks) {
    const bookmark = (): void => {
      const { revision } = server.store;
      delivery.add(
        [],
        () => writer.bookmark(revision),
        () => stream.end(),
      );
      timers[1] = server.clock.schedule(bookmarkPeriodMs, bookmark, { unref: true });
    };
    timers[1] = server.clock.schedule(bookmarkPeriodMs, bookmark, { unref: true });
  }
  const onAbort = (): void => stream.end();
  context.signal.addEventListener('abort', onAbort, { once: true });
  // A real server ends the watches of a custom kind about a second after its definition was changed or deleted. For a
  // deleted definition, it first sends the deletions of the objects.
  const forget = server.catalog.onChange(() => {
    const { group, version, plural } = kind.names;
    const served = server.catalog.find(group, version, plural);
    if (served !== kind && served?.terminating !== true) stream.end();
  });
  server.watches.add(stream);
  stream.onEnd(() => {
    unsubscribe();
    forget();
    for (const timer of timers) timer.cancel();
    context.signal.removeEventListener('abort', onAbort);
  });
  // The stream accepts initial frames only before it is read.
  if (delivery.settled !== undefined) await delivery.settled;
  return response;
}

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Encodes events in the form that one watch wants. Forms that many watches share are encoded once. */
class EventWriter {
  readonly #resource: ResourceRequest;
  readonly #selection: Selection;
  readonly #representation: Representation;
  readonly #printer: TablePrinter | undefined;
  readonly #stream: WatchStream;
  readonly #include: IncludedObject;
  readonly #view: string;
  #headersSent = false;

  /** `printer` is set for watches of Tables. */
  constructor(
    resource: ResourceRequest,
    selection: Selection,
    representation: Representation,
    printer: TablePrinter | undefined,
    stream: WatchStream,
  ) {
    this.#resource = resource;
    this.#selection = selection;
    this.#representation = representation;
    this.#printer = printer;
    this.#stream = stream;
    this.#include = printer !== undefined ? includedObjectOf(resource.context.query) : 'None';
    this.#view = `${representation.as} ${apiVersionOf(resource.kind.names)}`;
  }

  /** Sends all existing objects, and the bookmark after them if it is requested. */
  begin(all: readonly StoredObject[], bookmarkRevision: number | undefined): void {
    const frames = this.#initialFrames(all, bookmarkRevision);
    this.#stream.startWith(this.#printer === undefined ? frames : withFirst(frames));
  }

  *#initialFrames(all: readonly StoredObject[], bookmarkRevision: number | undefined): Generator<Uint8Array> {
    for (const stored of all) {
      if (!this.#selection.matches(this.#resource.codec.fromStorage(stored.object))) continue;
      yield Buffer.from(this.#frame('ADDED', stored));
    }
    if (bookmarkRevision !== undefined) yield this.#bookmarkFrame(bookmarkRevision, true);
  }

  event(event: StoreEvent): void {
    const { namespace } = this.#selection;
    if (namespace !== '' && event.current.namespace !== namespace) return;
    const { codec } = this.#resource;
    const matchesNow = !event.deleted && this.#selection.matches(codec.fromStorage(event.current.object));
    const matchedBefore =
      event.previous !== undefined && this.#selection.matches(codec.fromStorage(event.previous.object));
    if (matchesNow) this.#push(matchedBefore ? 'MODIFIED' : 'ADDED', event);
    else if (matchedBefore) this.#push('DELETED', event);
  }

  #push(type: EventType, event: StoreEvent): void {
    if (this.#printer !== undefined) {
      this.#stream.push(Buffer.from(this.#frame(type, event.current)), true);
      return;
    }
    const frame = event.frame(`${type} ${this.#view}`, () => {
      // An object that no longer matches is shown in its last matching state, with the revision of the change.
      const leaves = type === 'DELETED' && !event.deleted && event.previous !== undefined;
      return leaves ? this.#departure(event) : this.#frame(type, event.current);
    });
    this.#stream.push(frame);
  }

  #departure({ current, previous }: StoreEvent): string {
    const object = this.#resource.codec.fromStorage((previous ?? current).object);
    const resourceVersion = String(current.revision);
    return this.#line('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion } });
  }

  #frame(type: EventType, stored: StoredObject): string {
    const { kind, codec } = this.#resource;
    if (this.#printer !== undefined) return frameOf(type, this.#table(this.#printer, stored));
    const partial = this.#representation.as === 'PartialObjectMetadata';
    return frameOf(type, partial ? encodeStoredPartial(stored, codec) : encodeStored(stored, kind, codec));
  }

  #table(printer: TablePrinter, stored: StoredObject): string {
    const { server, kind, codec } = this.#resource;
    const headers = !this.#headersSent;
    this.#headersSent = true;
    const object = codec.fromStorage(stored.object);
    return tableOf(printer, [{ object, json: () => encodeStored(stored, kind, codec) }], {
      metadata: { resourceVersion: String(stored.revision) },
      include: this.#include,
      now: server.clock.now(),
      headers,
      metaVersion: this.#representation.metaVersion,
    });
  }

  #line(type: string, object: ApiObject): string {
    if (this.#representation.as === 'PartialObjectMetadata') return frameOf(type, encodePartial(object));
    return frameOf(type, stringifyJson(object));
  }

  bookmark(revision: number): void {
    this.#stream.push(this.#bookmarkFrame(revision, false));
  }

  #bookmarkFrame(revision: number, endsInitialEvents: boolean): Uint8Array {
    const { codec, kind } = this.#resource;
    const metadata = {
      resourceVersion: String(revision),
      ...(endsInitialEvents && { annotations: { [initialEventsEnd]: 'true' } }),
    };
    const typeMeta = { kind: kind.names.kind, apiVersion: apiVersionOf(kind.names) };
    const empty = kind.custom ? {} : new TypedDecoder().struct({}, codec.schema);
    const object = { ...typeMeta, ...empty, ...typeMeta, metadata } as unknown as ApiObject;
    if (this.#printer === undefined) return Buffer.from(this.#line('BOOKMARK', object));
    const table = tableOf(this.#printer, [{ object, json: () => JSON.stringify(object) }], {
      metadata: { resourceVersion: String(revision) },
      include: this.#include,
      now: this.#resource.server.clock.now(),
      headers: !this.#headersSent,
      metaVersion: this.#representation.metaVersion,
    });
    this.#headersSent = true;
    return Buffer.from(frameOf('BOOKMARK', table));
  }

  error(status: ApiStatus): void {
    this.#stream.push(Buffer.from(frameOf('ERROR', JSON.stringify(status))));
  }
}

/** Creates the first frame at once. The first frame of a Table has the headers, and frames that are pushed later must not have them. */
function withFirst(frames: Generator<Uint8Array>): Iterable<Uint8Array> {
  const first = frames.next();
  if (first.done === true) return [];
  return (function* () {
    yield first.value;
    yield* frames;
  })();
}

function frameOf(type: string, json: string): string {
  return `{"type":"${type}","object":${json}}\n`;
}
