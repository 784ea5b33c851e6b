import { type Clock, type Logger, messageOf, type WebhookAnswer, type WebhookCall } from '@evenkeel/core';
import { Budget } from '../http/budget.ts';
import type { WebhookObserver } from '../metrics/webhook-metrics.ts';
import { callTimeoutMs } from './call-timeout.ts';
import { textAnswer, type WebhookRoute } from './webhook-route.ts';

/** How long a handler that goes on after its timeout counts as one in progress. */
const patienceMs = 30_000;

export interface WebhookRouterOptions {
  readonly routes: readonly WebhookRoute[];
  /** How many calls are handled at the same time. More calls wait, until their own timeout. */
  readonly maxConcurrent: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined if nothing is measured. */
  readonly observer?: WebhookObserver | undefined;
}

/**
 * Passes calls to the routes of their paths, over HTTPS and in process. It ends each call at the timeout that the caller set in
 * the parameter `timeout`, because the caller no longer waits then, and limits how many are handled at the same time. It never
 * rejects.
 */
export class WebhookRouter {
  readonly #options: WebhookRouterOptions;
  readonly #routes: ReadonlyMap<string, WebhookRoute>;
  readonly #slots: Budget;

  constructor(options: WebhookRouterOptions) {
    this.#options = options;
    this.#routes = new Map(options.routes.map((route) => [route.path, route]));
    this.#slots = new Budget(options.maxConcurrent);
    if (this.#routes.size !== options.routes.length) throw new Error('bug: two webhooks have the same path');
  }

  /** The largest body for a path; undefined if nothing is served there. */
  maxBodyBytes(path: string): number | undefined {
    return this.#routes.get(path)?.maxBodyBytes;
  }

  async handle(call: WebhookCall): Promise<WebhookAnswer> {
    const route = this.#routes.get(call.path);
    if (route === undefined) return textAnswer(404, '404 page not found');
    const { clock, observer } = this.#options;
    const startMs = clock.monotonic();
    observer?.began(route.path);
    let status = 500;
    try {
      const answer = await this.#limited(route, call);
      status = answer.status;
      return answer;
    } finally {
      observer?.ended(route.path, status, clock.monotonic() - startMs);
    }
  }

  async #limited(route: WebhookRoute, call: WebhookCall): Promise<WebhookAnswer> {
    if (call.body.byteLength > route.maxBodyBytes) {
      return textAnswer(413, `the body is larger than ${route.maxBodyBytes} bytes`);
    }
    const { clock, observer } = this.#options;
    const timeoutMs = callTimeoutMs(call.query.get('timeout')) ?? route.defaultTimeoutMs;
    const late = new AbortController();
    const timer = clock.schedule(
      timeoutMs,
      () => late.abort(new Error(`the timeout of the call, ${timeoutMs} ms, is over`)),
      { unref: true },
    );
    // Cheaper than AbortSignal.any(), which a garbage collection must clean up.
    const { signal } = late;
    const gone = (): void => late.abort(call.signal.reason);
    if (call.signal.aborted) gone();
    else call.signal.addEventListener('abort', gone, { once: true });
    try {
      const slot = this.#slots.take(1);
      if (slot !== undefined) {
        observer?.queued(route.path);
        if (!(await inTime(slot, signal))) {
          this.#slots.leave(slot, 1);
          observer?.expired(route.path);
          return textAnswer(503, 'too many calls are in progress');
        }
      }
      const handling = this.#handled(route, { ...call, signal });
      void this.#freeAfter(handling, route, timeoutMs);
      const answer = await Promise.race([handling, abortedAnswer(signal)]);
      if (answer !== undefined) return answer;
      observer?.expired(route.path);
      return textAnswer(504, messageOf(signal.reason));
    } finally {
      timer.cancel();
      call.signal.removeEventListener('abort', gone);
    }
  }

  /**
   * A handler that goes on after the timeout keeps its place, so that slow handlers cannot pile up; but not forever, so that those
   * that hang do not block all webhooks.
   */
  async #freeAfter(handling: Promise<unknown>, { path }: WebhookRoute, timeoutMs: number): Promise<void> {
    const { clock, logger } = this.#options;
    const { promise: tooLong, resolve } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      logger.warn('a webhook still runs long after its timeout', { path, timeoutMs });
      resolve();
    };
    const timer = clock.schedule(timeoutMs + patienceMs, giveUp, { unref: true });
    await Promise.race([handling, tooLong]);
    timer.cancel();
    this.#slots.free(1);
  }

  async #handled(route: WebhookRoute, call: WebhookCall): Promise<WebhookAnswer> {
    try {
      return await route.handle(call);
    } catch (error) {
      this.#options.logger.error('failed to handle a call of a webhook', { path: route.path, error });
      return textAnswer(500, 'internal server error');
    }
  }
}

/** Resolves to whether the promise resolved before the signal was aborted. */
async function inTime(promise: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const isDone = promise.then(() => true);
  return await Promise.race([isDone, abortedAnswer(signal).then(() => false)]);
}

/** Resolves to undefined when the signal is aborted. */
function abortedAnswer(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  return promise;
}
