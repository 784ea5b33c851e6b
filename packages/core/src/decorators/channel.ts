import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import { controllerDecorator, type FunctionStep, type PlainFunction } from '../declarations/controller-decorator.ts';
import type { ObjectKey } from '../object/object-key.ts';

export interface ChannelDeclaration {
  readonly method: string;
}

/**
 * Marks a method that reports changes outside of the cluster. It gets an AbortSignal and returns an async iterable of the
 * keys to enqueue; `async *` is the simplest form. The controller calls it once when it starts, and aborts the signal when it
 * stops.
 *
 * Promised: each key is enqueued, with a trigger of the verb `signalled`. Equal keys that arrive before the run cause one run.
 * The controller asks for the next key at once, so a slow reconcile does not delay the iteration. If the iteration throws, the
 * controller logs the error and calls the method again after 1 s, then 2 s, up to 1 min. If the iteration ends, the method is
 * not called again.
 *
 * Not promised: keys for changes while the process was down. A reconcile reads the current state.
 */
export function Channel(): <F extends (signal: AbortSignal) => AsyncIterable<ObjectKey>>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F>,
) => void {
  return (target, method) => declare(channel.record, target, { method });
}

/** The descriptor of `@Channel`. */
export const channel = controllerDecorator({
  name: 'Channel',
  record: recordField('channels', byMethod<ChannelDeclaration>()),
  plan: planChannels,
  step: (open: PlainFunction): FunctionStep => ({
    on: 'method',
    does: open,
    unnamed: 'channel()',
    decorate: Channel(),
  }),
});

export interface ChannelStep<S> {
  /** Same as `@Channel`. */
  channel(open: (signal: AbortSignal, services: S) => AsyncIterable<ObjectKey>): this;
}

export interface PlannedChannels {
  /** Methods that return the keys to enqueue. */
  readonly channels: readonly string[];
}

function planChannels(channels: readonly ChannelDeclaration[]): PlannedChannels {
  return { channels: channels.map(({ method }) => method) };
}
