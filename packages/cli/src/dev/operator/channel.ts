import { type ErrorCode, EvenkeelError } from '@evenkeel/core';

/** An error as it crosses the channel. */
export interface SentError {
  readonly message: string;
  readonly stack: string;
  /** Present if it is an `EvenkeelError`. */
  readonly code?: ErrorCode;
  readonly cause?: SentError;
}

/** A message of the channel: a call, with an id if the caller waits for the result, or the result of one. */
export type ChannelMessage =
  | { readonly call: string; readonly id?: number; readonly value: unknown }
  | { readonly reply: number; readonly value: unknown }
  | { readonly reply: number; readonly error: SentError };

type Argument<Remote, Name extends keyof Remote> = Remote[Name] extends (value: infer Value) => unknown
  ? Value
  : undefined;
type Result<Remote, Name extends keyof Remote> = Remote[Name] extends (...values: never[]) => infer Returned
  ? Awaited<Returned>
  : never;
type Method = (value: unknown) => unknown;

/**
 * Calls methods of an object in another process, and lets that process call methods of a local one. Messages arrive in the order
 * in which they were sent. Values must be cloneable. Both sides run the same version of this package, so nothing is checked.
 */
export class Channel<Remote extends object> {
  readonly #send: (message: ChannelMessage) => void;
  readonly #local: object;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #closedBy: Error | undefined;

  /** @param local the object whose methods the other process calls, each with one value. */
  constructor(send: (message: ChannelMessage) => void, local: object) {
    this.#send = send;
    this.#local = local;
  }

  /** Calls a method, and resolves with its result. Rejects with its error, or with the reason of {@link close}. */
  async call<Name extends keyof Remote & string>(
    name: Name,
    value: Argument<Remote, Name>,
  ): Promise<Result<Remote, Name>> {
    if (this.#closedBy !== undefined) throw this.#closedBy;
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#send({ call: name, id, value });
    return (await waiting.promise) as Result<Remote, Name>;
  }

  /** Calls a method without waiting for it. */
  tell<Name extends keyof Remote & string>(name: Name, value: Argument<Remote, Name>): void {
    if (this.#closedBy === undefined) this.#send({ call: name, value });
  }

  /** Processes a message of the other process. */
  receive(message: ChannelMessage): void {
    if ('call' in message) {
      void this.#answer(message);
      return;
    }
    const waiting = this.#waiting.get(message.reply);
    this.#waiting.delete(message.reply);
    if ('error' in message) waiting?.reject(receivedError(message.error));
    else waiting?.resolve(message.value);
  }

  /** Rejects the calls that have no result yet, and all further ones. */
  close(reason: Error): void {
    this.#closedBy ??= reason;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  async #answer({ call, id, value }: Extract<ChannelMessage, { call: string }>): Promise<void> {
    try {
      const result = await (this.#local as Record<string, Method>)[call]?.(value);
      if (id !== undefined) this.#send({ reply: id, value: result });
    } catch (error) {
      if (id !== undefined) this.#send({ reply: id, error: sentError(error) });
    }
  }
}

export function sentError(error: unknown): SentError {
  const { message, stack = message, cause } = error instanceof Error ? error : new Error(String(error));
  return {
    message,
    stack,
    ...(error instanceof EvenkeelError ? { code: error.code } : {}),
    ...(cause instanceof Error ? { cause: sentError(cause) } : {}),
  };
}

export function receivedError({ message, stack, code, cause }: SentError): Error {
  const options = cause === undefined ? {} : { cause: receivedError(cause) };
  const error = code === undefined ? new Error(message, options) : new EvenkeelError(code, message, options);
  error.stack = stack;
  return error;
}
