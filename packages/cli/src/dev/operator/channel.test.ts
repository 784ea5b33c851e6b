import { EvenkeelError } from '@evenkeel/core';
import { Channel, type ChannelMessage } from './channel.ts';

interface Calculator {
  half(value: number): Promise<number>;
  note(text: string): void;
}

/** Two channels whose messages are cloned, as between processes. */
function connected(local: object): { readonly channel: Channel<Calculator>; readonly sent: ChannelMessage[] } {
  const sent: ChannelMessage[] = [];
  const deliver = (to: () => Channel<object>) => (message: ChannelMessage) => {
    const clone = structuredClone(message);
    sent.push(clone);
    queueMicrotask(() => to().receive(clone));
  };
  const far: Channel<object> = new Channel<object>(
    deliver(() => channel),
    local,
  );
  const channel: Channel<Calculator> = new Channel<Calculator>(
    deliver(() => far),
    {},
  );
  return { channel, sent };
}

describe('Channel', () => {
  it('resolves a call with the result, and does not wait for what it only tells', async () => {
    const notes: string[] = [];
    const { channel, sent } = connected({
      half: async (value: number) => value / 2,
      note: (text: string) => notes.push(text),
    });
    channel.tell('note', 'first');
    expect(await Promise.all([channel.call('half', 4), channel.call('half', 8)])).toEqual([2, 4]);
    expect(notes).toEqual(['first']);
    expect(sent.filter((message) => 'reply' in message)).toHaveLength(2);
  });

  it('rejects with the error of the other process, with its code, stack and cause', async () => {
    const thrown = new EvenkeelError('invalid-option', 'odd', { cause: new TypeError('deep') });
    const { channel } = connected({
      half: () => {
        throw thrown;
      },
    });
    const error = await channel.call('half', 3).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EvenkeelError);
    expect(error).toMatchObject({ code: 'invalid-option', message: 'odd', stack: thrown.stack });
    expect((error as EvenkeelError).cause).toMatchObject({ message: 'deep' });
  });

  it('rejects waiting and later calls when it is closed', async () => {
    const { channel } = connected({ half: () => new Promise(() => undefined) });
    const waiting = channel.call('half', 2);
    channel.close(new Error('gone'));
    channel.close(new Error('later'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(channel.call('half', 2)).rejects.toThrow('gone');
  });
});
