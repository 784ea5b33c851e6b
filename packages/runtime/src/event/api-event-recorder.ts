import type { Client } from '@evenkeel/client';
import {
  type Clock,
  isAlreadyExists,
  isNotFound,
  type KubernetesObject,
  type Logger,
  ObjectKey,
  type Random,
  type Timer,
} from '@evenkeel/core';
import { Event } from '@evenkeel/kinds/events/v1';
import { type EventNote, EventRecorder, type RecordedEvent } from './event-recorder.ts';

export interface ApiEventRecorderOptions {
  readonly client: Client;
  /** The controller that reports: `evenkeel.dev/nginx`. */
  readonly reportingController: string;
  /** The process of the controller; at most 128 characters. */
  readonly reportingInstance: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Called for each recorded Event. Its errors are logged. */
  readonly observer?: ((event: RecordedEvent) => void) | undefined;
}

/** client-go drops Events beyond this many that wait to be written (tools/events, `maxQueuedEvents`). */
const maxWaiting = 1000;
/** The maximum number of series. Beyond it, the series that was not repeated for the longest time is forgotten. */
const maxSeries = 4096;
/** A series ends if its Event is not repeated for this long (client-go tools/events, `finishTime`). */
const seriesEndMs = 6 * 60_000;
/** The interval at which the count of a series is written. */
const seriesWriteMs = 60_000;
/** The API's limits (`events.k8s.io/v1`, ValidateEventCreate). */
const maxNoteBytes = 1024;
const maxReasonLength = 128;

type EventBody = Omit<Event, 'apiVersion' | 'kind'>;

interface Series {
  readonly key: ObjectKey;
  /** The first Event of the series. */
  readonly body: EventBody;
  count: number;
  lastAtMs: number;
  /** The time of the last write of the count, on the monotonic clock. */
  writtenAtMs: number;
  writtenCount: number;
  timer: Timer | undefined;
}

/**
 * Writes Events in the background, one after another, from a queue of bounded length. The first occurrence creates the Event,
 * the second makes it a series, and from then on its count is written at most once a minute. If the Event does not exist then,
 * because its first write failed or it was deleted, it is created again (client-go tools/events, `recordEvent`).
 */
export class ApiEventRecorder extends EventRecorder {
  readonly name = 'event recorder';
  readonly #options: ApiEventRecorderOptions;
  readonly #series = new Map<string, Series>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #writing: Promise<void> | undefined;
  #stopped = false;
  readonly #abort = new AbortController();

  constructor(options: ApiEventRecorderOptions) {
    super();
    this.#options = options;
  }

  async start(): Promise<void> {}

  /** Writes all waiting Events and the counts of series. Later Events are ignored. */
  async stop(abort: AbortSignal): Promise<void> {
    this.#stopped = true;
    for (const series of this.#series.values()) {
      series.timer?.cancel();
      if (series.count > series.writtenCount) this.#enqueue(() => this.#writeSeries(series));
    }
    const onAbort = (): void => this.#abort.abort(abort.reason);
    if (abort.aborted) onAbort();
    else abort.addEventListener('abort', onAbort, { once: true });
    await this.#writing;
  }

  record(regarding: KubernetesObject, event: EventNote): void {
    if (this.#stopped) return;
    this.#observe({ ...event, regarding });
    const { clock } = this.#options;
    const note = cutToBytes(event.note, maxNoteBytes);
    const reason = event.reason.slice(0, maxReasonLength);
    const { uid, name, namespace } = regarding.metadata;
    const identity = JSON.stringify([regarding.kind, uid, namespace, name, event.type, reason, event.action, note]);
    const known = this.#series.get(identity);
    if (known !== undefined && clock.monotonic() - known.lastAtMs < seriesEndMs) {
      this.#again(identity, known);
      return;
    }
    known?.timer?.cancel();
    const key = new ObjectKey(this.#eventName(name), namespace ?? 'default');
    const body = this.#eventOf(regarding, { ...event, reason, note }, key);
    const series: Series = {
      key,
      body,
      count: 1,
      lastAtMs: clock.monotonic(),
      writtenAtMs: clock.monotonic(),
      writtenCount: 1,
      timer: undefined,
    };
    this.#follow(identity, series);
    this.#enqueue(async () => {
      await this.#create(body);
    });
  }

  #observe(event: RecordedEvent): void {
    const { observer, logger } = this.#options;
    try {
      observer?.(event);
    } catch (error) {
      logger.error('event observer threw', { error });
    }
  }

  #follow(identity: string, series: Series): void {
    this.#series.delete(identity);
    this.#series.set(identity, series);
    if (this.#series.size <= maxSeries) return;
    const [oldest] = this.#series;
    if (oldest === undefined) return;
    oldest[1].timer?.cancel();
    this.#series.delete(oldest[0]);
  }

  #again(identity: string, series: Series): void {
    const { clock } = this.#options;
    series.count++;
    series.lastAtMs = clock.monotonic();
    this.#follow(identity, series);
    if (series.timer !== undefined) return;
    const waitMs = series.count === 2 ? 0 : Math.max(0, series.writtenAtMs + seriesWriteMs - clock.monotonic());
    const write = (): void => {
      series.timer = undefined;
      this.#enqueue(() => this.#writeSeries(series));
    };
    if (waitMs === 0) write();
    else series.timer = clock.schedule(waitMs, write, { unref: true });
  }

  async #writeSeries(series: Series): Promise<void> {
    const { client, clock } = this.#options;
    series.writtenAtMs = clock.monotonic();
    series.writtenCount = series.count;
    const lastObservedTime = microTime(clock.now() - (clock.monotonic() - series.lastAtMs));
    const body = { series: { count: series.count, lastObservedTime } };
    const patch = async (): Promise<void> => {
      await client.patch(Event, series.key, { merge: body }, { signal: this.#abort.signal });
    };
    try {
      await patch();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (!(await this.#create({ ...series.body, ...body }))) await patch();
    }
  }

  /** Returns whether it was created. Names are unique, so an Event that already exists is the same one, whose response was lost. */
  async #create(body: EventBody): Promise<boolean> {
    try {
      await this.#options.client.create(Event, body, { signal: this.#abort.signal });
      return true;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return false;
    }
  }

  #eventOf(regarding: KubernetesObject, event: EventNote, key: ObjectKey): EventBody {
    return {
      metadata: { name: key.name, ...(key.namespace === undefined ? {} : { namespace: key.namespace }) },
      eventTime: microTime(this.#options.clock.now()),
      reportingController: this.#options.reportingController,
      reportingInstance: this.#options.reportingInstance.slice(0, 128),
      action: event.action ?? 'Reconcile',
      type: event.type,
      reason: event.reason,
      note: event.note,
      regarding: referenceTo(regarding),
      ...(event.related === undefined ? {} : { related: referenceTo(event.related) }),
    };
  }

  /** Returns the object's name and a unique suffix, like client-go. A name has at most 253 characters. */
  #eventName(name: string): string {
    const { clock, random } = this.#options;
    return `${name.slice(0, 220).replace(/[-.]+$/, '')}.${clock.now().toString(16)}${random.integer(0x100000).toString(16).padStart(5, '0')}`;
  }

  #enqueue(write: () => Promise<void>): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#options.logger.warn('dropped an event: too many wait to be written', { waiting: maxWaiting });
      return;
    }
    this.#waiting.push(write);
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined;
    });
  }

  async #drain(): Promise<void> {
    for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift()) {
      try {
        await write();
      } catch (error) {
        this.#options.logger.warn('could not write an event', { error });
      }
    }
  }
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): NonNullable<Event['regarding']> {
  return {
    apiVersion,
    kind,
    name: metadata.name,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
    ...(metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion }),
  };
}

/** `metav1.MicroTime`: six digits after the point. */
function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z');
}

/** Cuts a string to a number of UTF-8 bytes, between characters. */
function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  const cut = encoded.subarray(0, bytes - 3).toString('utf8');
  return `${cut.replace(/\uFFFD+$/, '')}…`;
}
