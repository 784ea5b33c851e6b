import { ObjectKey } from '../object/object-key.ts';
import { declarationsOf } from '../plan/class-declarations.ts';
import { Channel } from './channel.ts';

// The type check compiles this file: a line below @ts-expect-error must be an error, and no other may be one.

class Channels {
  @Channel() async *keys(): AsyncGenerator<ObjectKey> {
    yield new ObjectKey('a');
  }

  @Channel() iterable(signal: AbortSignal): AsyncIterable<ObjectKey> {
    return {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: signal.aborted, value: new ObjectKey('a') }) }),
    };
  }

  // @ts-expect-error a list is not an async iterable
  @Channel() list(): ObjectKey[] {
    return [];
  }

  // @ts-expect-error a promise of a key is not an async iterable
  @Channel() async one(): Promise<ObjectKey> {
    return new ObjectKey('a');
  }

  // @ts-expect-error strings are not keys
  @Channel() async *strings(): AsyncGenerator<string> {
    yield 'default/a';
  }
}

describe('@Channel', () => {
  it('records each method, including methods of a wrong type', () => {
    expect(declarationsOf(Channels).channels.map(({ method }) => method)).toEqual([
      'keys',
      'iterable',
      'list',
      'one',
      'strings',
    ]);
  });
});
