import { type ApiRequest, type Client, LineSplitter, refusalInStream } from '@evenkeel/client';
import type { Clock } from '@evenkeel/core';
import { InactivityError, InactivityLimit } from './inactivity-limit.ts';
import type { DecodedEvent, ObjectDecoder } from './object-decoder.ts';

export interface WatchStreamOptions {
  readonly client: Client;
  readonly request: ApiRequest;
  readonly decoder: ObjectDecoder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Hears of each line that could not be read; the stream goes on behind it. */
  readonly unreadable: (error: unknown) => void;
  /** The server has accepted the watch. */
  readonly connected: () => void;
  /** The server has sent something. */
  readonly active: () => void;
}

/** What a watch says while it goes on. */
export type StreamedEvent = Exclude<DecodedEvent, { readonly type: 'ERROR' }>;

/** A watch sends a bookmark about once a minute, so that silence beyond this means that nobody is there. */
export const inactivityLimitMs = 70_000;

/**
 * One watch, from its opening to its end, read in two steps: {@link more} waits for the next piece of the answer, and
 * {@link next} gives what is complete in it, one event after another, without waiting. A list of 100,000 objects would cost
 * half a million turns of the event loop's microtasks if every event were waited for.
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

  /** Whether the server has accepted it. */
  get isOpen(): boolean {
    return this.#chunks !== undefined;
  }

  /** The next event that has come; undefined where {@link more} must be waited for. Throws where the server says ERROR. */
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
      if (event.type === 'ERROR') throw refusalInStream(request, event.status);
      return event;
    }
    return undefined;
  }

  /** Waits until more has come; false where the watch has ended. Opens it, the first time. Rejects where it is refused. */
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

  /** Ends the watch and releases its connection, where it has not ended by itself. */
  close(): void {
    this.#limits.end();
  }
}

/** Ends a request when its owner is stopped, or when nothing comes any more. */
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
      this.#controller.abort(new InactivityError(`nothing came for ${inactivityLimitMs / 1000} s`));
    });
    this.inactivity.begin();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Also releases the connection, where the answer was not read to its end. */
  end(): void {
    this.inactivity.stop();
    this.#outer.removeEventListener('abort', this.#onAbort);
    this.#controller.abort(new Error('the request has ended'));
  }
}
