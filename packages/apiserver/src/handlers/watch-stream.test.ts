import { OpenWatches } from './open-watches.ts';
import { WatchStream } from './watch-stream.ts';

const megabyteLength = 1024 * 1024;
const megabyte = (): Buffer => Buffer.alloc(megabyteLength);

async function read(stream: WatchStream): Promise<number[]> {
  const lengths: number[] = [];
  for await (const piece of stream) lengths.push(piece.byteLength);
  return lengths;
}

describe('WatchStream', () => {
  it('passes waiting frames on in small pieces, so that a socket does not get all of them at once', async () => {
    const stream = new WatchStream();
    for (let count = 0; count < 100; count++) stream.push(Buffer.alloc(1024));
    stream.push(megabyte());
    stream.end();
    expect(await read(stream)).toEqual([65_536, 36 * 1024 + megabyteLength]);
  });

  it('is dropped with all that waits if its reader is too slow', async () => {
    const stream = new WatchStream();
    let ended = 0;
    stream.onEnd(() => ended++);
    for (let count = 0; count < 32; count++) stream.push(megabyte(), true);
    expect([stream.dropped.aborted, stream.ownBytes]).toEqual([false, 32 * megabyteLength]);
    stream.push(Buffer.from('x'));
    expect([stream.dropped.aborted, stream.ownBytes, ended]).toEqual([true, 0, 1]);
    stream.push(megabyte());
    expect(await read(stream)).toEqual([]);
  });

  it('is not dropped when it ends', async () => {
    const stream = new WatchStream();
    stream.push(Buffer.from('last'));
    stream.end();
    expect(await read(stream)).toEqual([4]);
    expect(stream.dropped.aborted).toBe(false);
  });
});

describe('OpenWatches', () => {
  it('drops the watch with the most waiting bytes that are not shared, if there are too many', async () => {
    const watches = new OpenWatches({ ownBytesMax: 3 * megabyteLength });
    const [small, large, reading] = [new WatchStream(), new WatchStream(), new WatchStream()];
    large.push(megabyte(), true);
    for (const stream of [small, large, reading]) watches.add(stream);
    large.push(megabyte(), true);
    small.push(megabyte(), true);
    const pieces = reading[Symbol.asyncIterator]();
    for (let count = 0; count < 10; count++) {
      small.push(megabyte());
      expect([...watches]).toEqual([small, large, reading]);
    }
    reading.push(Buffer.from('x'), true);
    expect([small, large, reading].map(({ dropped }) => dropped.aborted)).toEqual([false, true, false]);
    expect([...watches]).toEqual([small, reading]);
    for (let count = 0; count < 10; count++) {
      await pieces.next();
      reading.push(megabyte(), true);
    }
    expect([...watches]).toEqual([small, reading]);
  });

  it('counts what waits in a watch only until the watch ends, whether it is read or not', async () => {
    const watches = new OpenWatches({ ownBytesMax: 3 * megabyteLength });
    const ended = Array.from({ length: 4 }, () => {
      const stream = new WatchStream();
      watches.add(stream);
      stream.push(megabyte(), true);
      stream.push(megabyte(), true);
      stream.end();
      return stream;
    });
    const open = new WatchStream();
    watches.add(open);
    for (let count = 0; count < 3; count++) open.push(megabyte(), true);
    expect(open.dropped.aborted).toBe(false);
    for (const stream of ended) await read(stream);
    open.push(megabyte(), true);
    expect(open.dropped.aborted).toBe(true);
  });
});
