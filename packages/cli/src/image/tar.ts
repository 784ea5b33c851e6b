import type { Readable } from 'node:stream';

/** A file or folder of an archive. All belong to root. */
export interface TarEntry {
  /** At most 100 bytes of ASCII. A folder ends with `/`. */
  readonly name: string;
  readonly size: number;
  /** Its permissions. Default: all may read it, and enter a folder. */
  readonly mode?: number;
}

const blockBytes = 512;

/** The header of an entry, in the format ustar of POSIX.1-1988. Everything except its arguments is fixed. */
export function tarHeader({ name, size, mode }: TarEntry, epochSeconds: number): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new RangeError(`unsupported name of a file in an archive: ${name}`);
  const isFolder = name.endsWith('/');
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, digits: number): void => {
    header.write(value.toString(8).padStart(digits, '0'), at, 'ascii');
  };
  header.write(name, 0, 'ascii');
  octal(mode ?? (isFolder ? 0o755 : 0o644), 100, 7);
  octal(0, 108, 7); // user
  octal(0, 116, 7); // group
  octal(isFolder ? 0 : size, 124, 11);
  octal(epochSeconds, 136, 11);
  header.write(isFolder ? '5' : '0', 156, 'ascii');
  header.write('ustar\0' + '00', 257, 'ascii');
  // The checksum counts its own field as spaces.
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return header;
}

/** A file of an archive whose content is opened when it is written. */
export interface StreamedTarEntry extends TarEntry {
  open(): Iterable<Buffer> | Readable;
}

/** The bytes of an archive, sorted by name, with the two empty blocks that end it. */
export async function* tarBytes(entries: readonly StreamedTarEntry[], epochSeconds: number): AsyncGenerator<Buffer> {
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of sorted) {
    yield tarHeader(entry, epochSeconds);
    yield* entry.open() as AsyncIterable<Buffer>;
    yield Buffer.alloc((blockBytes - (entry.size % blockBytes)) % blockBytes);
  }
  yield Buffer.alloc(2 * blockBytes);
}

/** A whole archive in memory. */
export async function tarArchive(entries: readonly StreamedTarEntry[], epochSeconds: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of tarBytes(entries, epochSeconds)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An entry with its content in memory; a folder without content. */
export function tarEntry(name: string, content: Buffer = Buffer.alloc(0)): StreamedTarEntry {
  return { name, size: content.length, open: () => [content] };
}
