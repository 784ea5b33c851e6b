import { type ApiRequest, type Client, LineSplitter, rejectionInStream } from '@evenkeel/client';
import type { Clock } from '@evenkeel/core';
import { InactivityError, InactivityLimit } from './inactivity-limit.ts';
import type { DecodedEvent, ObjectDecoder } from './object-decoder.ts';

export interface WatchStreamOptions {
  readonly client: Client;
  readonly request: ApiRequest;
  readonly decoder: ObjectDecoder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called for each line that could not be decoded. The stream continues after it. */
  readonly unreadable: (error: unknown) => void;
  /** Called when the server has accepted the watch. */
  readonly connected: () => void;
  /** Called when the server has sent anything. */
  readonly active: () => void;
}

/** An event of an open watch. */
export type StreamedEvent = Exclude<DecodedEvent, { readonly type: 'ERROR' }>;

/** A server sends a bookmark about once a minute, so a longer silence means that the connection is dead. */
export const inactivityLimitMs = 70_000;

/**
 * One watch, from its opening to its end. Reading has two steps: {@link more} waits for the next chunk of the response, and
 * {@link next} returns the complete events in it one by one, synchronously. If each event were awaited, a list of 100,000 objects
 * would take half a million microtasks.
 */
export class WatchStream {
  readonly #options: WatchStreamOptions;
  readonly #splitter = new LineSplitter();
  readonly #limits: RequestLimits;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #lines: readonly Buffer[] = [];
  #at = 0;

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.#limits = new RequestLimits(options.clock, options.signal);
  }

  /** Whether the server has accepted the watch. */
  get isOpen(): boolean {
    return this.#chunks !== undefined;
  }

  /** Returns the next received event; undefined if {@link more} must be awaited. Throws for an event of type ERROR. */
  next(): StreamedEvent | undefined {
    const { decoder, request, unreadable } = this.#options;
    for (let line = this.#lines[this.#at]; line !== undefined; line = this.#lines[this.#at]) {
      this.#at++;
      let event: DecodedEvent;
      try {
        event = decoder.watchEvent(line);
      } catch (error) {
        unreadable(error);
        continue;
      }
      if (event.type === 'ERROR') throw rejectionInStream(request, event.status);
      return event;
    }
    return undefined;
  }

  /** Waits for more data. Resolves with false if the watch has ended. The first call opens it, and rejects if the server does. */
  async more(): Promise<boolean> {
    const { client, request, connected, active } = this.#options;
    const { inactivity, signal } = this.#limits;
    if (this.#chunks === undefined) {
      inactivity.begin();
      const response = await client.send({ ...request, signal });
      this.#chunks = response.body[Symbol.asyncIterator]();
      connected();
    }
    inactivity.begin();
    const { value, done } = await this.#chunks.next();
    inactivity.pause();
    if (done === true) return false;
    active();
    this.#lines = this.#splitter.push(value);
    this.#at = 0;
    return true;
  }

  /** Ends the watch and releases its connection, if it has not ended by itself. */
  close(): void {
    this.#limits.end();
  }
}

/** Aborts a request when its owner is stopped, or when nothing is received for too long. */
export class RequestLimits {
  readonly inactivity: InactivityLimit;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onAbort = (): void => this.#controller.abort(this.#outer.reason);

  constructor(clock: Clock, outer: AbortSignal) {
    this.#outer = outer;
    if (outer.aborted) this.#onAbort();
    else outer.addEventListener('abort', this.#onAbort, { once: true });
    this.inactivity = new InactivityLimit(clock, inactivityLimitMs, () => {
      this.#controller.abort(new InactivityError(`nothing was received for ${inactivityLimitMs / 1000} s`));
    });
    this.inactivity.begin();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Also releases the connection if the response was not read to its end. */
  end(): void {
    this.inactivity.stop();
    this.#outer.removeEventListener('abort', this.#onAbort);
    this.#controller.abort(new Error('the request has ended'));
  }
}
