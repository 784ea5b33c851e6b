import { type ApiResource, groupResourceOf, type Timer } from '@evenkeel/core';
import { Reminder } from '../log/reminder.ts';
import type { Gate } from './gate.ts';
import type { WatchedKind } from './kind-source.ts';
import type { Enqueue, Source, SourceState } from './source.ts';

/** Returns the paths of fields of a kind that the server lacks; undefined if they cannot be determined. */
export interface FieldLookup {
  missing(resource: ApiResource, signal: AbortSignal): Promise<readonly string[] | undefined>;
}

export interface FieldsSourceOptions extends WatchedKind {
  readonly lookup: FieldLookup;
}

/** After a definition has changed, the server updates the document, and ends the watches one second later. */
const secondLookMs = 5000;
/** The interval while fields are missing. It is short, so that a user sees the effect of the fix at once. */
const againMs = 2000;
/** The longest wait for the first response. A server may not have one. */
const longestWaitMs = 5000;
/** The number of paths in a message. */
const listed = 5;

/**
 * Enqueues nothing, but stops a controller's workers while the API server lacks fields with which the operator was built. The
 * server would drop these fields from each write. It checks when a watch of the kind is opened, which also happens after a
 * change of its CRD, and every 2 s while fields are missing. When the fields are served, it rereads the cache first, because
 * objects of the same version then have the defaults of the new fields. If the missing fields cannot be determined, workers are
 * not stopped.
 */
export class FieldsSource implements Source {
  readonly #options: FieldsSourceOptions;
  readonly #stopping = new AbortController();
  readonly #reminder: Reminder;
  #missing: readonly string[] = [];
  /** The cache may contain objects that were read while fields were missing. */
  #isOutdated = false;
  /** Aborts the current rereading. */
  #reading: AbortController | undefined;
  #secondLookAtMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #limit: Timer | undefined;
  #stopListening: (() => void) | undefined;

  constructor(options: FieldsSourceOptions) {
    this.#options = options;
    this.#reminder = new Reminder(options.clock);
  }

  get state(): SourceState {
    const isMissing = this.#missing.length > 0;
    return {
      name: `fields of ${this.#name}`,
      synced: true,
      problem: isMissing ? this.#explain() : this.#isOutdated ? this.#explainReading() : undefined,
      degraded: this.#isOutdated,
    };
  }

  start(_enqueue: Enqueue, gate: Gate): void {
    const { informer, lookup, clock } = this.#options;
    gate.set(this, false);
    // Starts the request before the watch is opened; a second request then costs little.
    void lookup.missing(informer.resource, this.#stopping.signal);
    this.#stopListening = informer.onOpened(() => {
      this.#limit ??= clock.schedule(longestWaitMs, () => gate.set(this, !this.#isOutdated), { unref: true });
      this.#secondLookAtMs = clock.monotonic() + secondLookMs;
      void this.#look(gate);
    });
  }

  async waitForSync(): Promise<void> {}

  stop(): void {
    this.#stopListening?.();
    this.#stopping.abort(new Error('the controller stops'));
    this.#timer?.cancel();
    this.#limit?.cancel();
    this.#endReading();
    this.#reminder.end();
  }

  async #look(gate: Gate): Promise<void> {
    const { informer, lookup, clock, logger } = this.#options;
    // Without a response, the last one applies.
    const missing = (await lookup.missing(informer.resource, this.#stopping.signal)) ?? this.#missing;
    if (this.#stopping.signal.aborted) return;
    const before = this.#missing.join();
    this.#missing = missing;
    if (missing.length > 0) {
      this.#isOutdated = true;
      this.#endReading();
    } else if (this.#isOutdated) void this.#readAnew(gate);
    gate.set(this, !this.#isOutdated);
    if (missing.join() !== before) {
      if (missing.length > 0) {
        this.#reminder.begin(() => logger.warn(this.#explain(), { resource: this.#name, missing: missing.length }));
      } else {
        this.#reminder.end();
        logger.info('all fields are served', { resource: this.#name });
      }
    }
    this.#timer?.cancel();
    const nextMs = missing.length > 0 ? againMs : this.#secondLookAtMs - clock.monotonic();
    if (nextMs > 0) this.#timer = clock.schedule(nextMs, () => void this.#look(gate), { unref: true });
  }

  async #readAnew(gate: Gate): Promise<void> {
    if (this.#reading !== undefined) return;
    const reading = new AbortController();
    this.#reading = reading;
    try {
      await this.#options.informer.readAnew(reading.signal);
    } catch {
      // It was aborted: fields are missing again, or the controller stops.
    }
    if (reading.signal.aborted) return;
    this.#reading = undefined;
    this.#isOutdated = false;
    gate.set(this, true);
  }

  #endReading(): void {
    this.#reading?.abort(new Error('what is read now would be outdated'));
    this.#reading = undefined;
  }

  get #name(): string {
    const { resource } = this.#options.informer;
    return `${groupResourceOf(resource)}/${resource.version}`;
  }

  #explainReading(): string {
    return `reads ${this.#name} again for ${this.#options.declaration}, because the API server did not serve its fields until now`;
  }

  #explain(): string {
    const { declaration, definitionFile } = this.#options;
    const more = this.#missing.length > listed ? ` and ${this.#missing.length - listed} more` : '';
    const paths = `${this.#missing.slice(0, listed).join(', ')}${more}`;
    const command = definitionFile === undefined ? '' : ` ("kubectl apply -f ${definitionFile}")`;
    return `needs fields of ${this.#name} for ${declaration} that the API server does not serve: ${paths}; apply the CRD that belongs to this version of the operator${command}; the controller then continues`;
  }
}
