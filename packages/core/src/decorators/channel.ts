import { byMethod, declare, recordField } from '../declarations/class-record.ts';
import { controllerDecorator, type FunctionStep, type PlainFunction } from '../declarations/controller-decorator.ts';
import type { ObjectKey } from '../object/object-key.ts';

export interface ChannelDeclaration {
  readonly method: string;
}

/**
 * Marks a method that tells of what happens outside of the cluster: it is given an AbortSignal and returns an async
 * iterable of the keys to wake, most easily as `async *`. It is called once when the controller starts, and its signal is
 * aborted when the controller stops.
 *
 * Promised: each key is woken, with a trigger of the verb `signalled`; keys that come together are one run. The next key is
 * asked for at once, so a slow reconcile holds nothing up. Where the iteration throws, that is logged, and the method is
 * called again after 1 s, then 2 s, up to 1 min. Where it ends, it has nothing more to say and is not called again.
 *
 * Not promised: that a key is woken which came while the process was down. A reconcile looks at what is there.
 */
export function Channel(): <F extends (signal: AbortSignal) => AsyncIterable<ObjectKey>>(
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<F>,
) => void {
  return (target, method) => declare(channel.record, target, { method });
}

/** What follows from `@Channel`. */
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
  /** As `@Channel`. */
  channel(open: (signal: AbortSignal, services: S) => AsyncIterable<ObjectKey>): this;
}

export interface PlannedChannels {
  /** Methods that give keys to wake. */
  readonly channels: readonly string[];
}

function planChannels(channels: readonly ChannelDeclaration[]): PlannedChannels {
  return { channels: channels.map(({ method }) => method) };
}
