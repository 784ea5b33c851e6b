import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WatchStream } from '../handlers/watch-stream.ts';
import { writeStream } from './response-writer.ts';

/** What has been written, a text for each write. */
class Written extends Writable {
  readonly texts: string[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.texts.push(chunk.toString());
    done();
  }
}

describe('writeStream()', () => {
  it('writes an event after a pause at once, and the others of its turn together', async () => {
    const stream = new WatchStream();
    const outgoing = new Written();
    const writing = writeStream(outgoing, stream);
    const push = async (text: string): Promise<void> => {
      stream.push(Buffer.from(text));
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    };
    await nextTurn();
    for (const text of ['a', 'b', 'c']) await push(text);
    expect(outgoing.texts).toEqual(['a']);
    await nextTurn();
    await nextTurn();
    expect(outgoing.texts).toEqual(['a', 'bc']);
    stream.end();
    await writing;
  });

  it('ends if the client has gone', async () => {
    const stream = new WatchStream();
    const outgoing = new Written();
    const writing = writeStream(outgoing, stream);
    outgoing.destroy();
    stream.push(Buffer.from('a'));
    await writing;
    expect(outgoing.texts).toEqual([]);
    expect(stream.ended).toBe(true);
  });
});
