import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { digestOf } from '../registry/digest.ts';
import type { Descriptor } from '../registry/manifest.ts';
import { mediaTypes } from '../registry/media-types.ts';
import { type StreamedTarEntry, tarArchive } from './tar.ts';

/** The layer of an image with files. */
export interface ImageLayer {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
  /** The digest of the layer before compression. */
  readonly diffId: string;
}

/**
 * Makes a layer of files and folders. The same entries make the same bytes on the same version of Node; `diffId` is the same everywhere.
 */
export async function layerOf(entries: readonly StreamedTarEntry[], epochSeconds: number): Promise<ImageLayer> {
  const archive = await tarArchive(entries, epochSeconds);
  const bytes = await promisify(gzip)(archive, { level: 9 });
  // The operating system that made it: unknown, instead of this one. The time is 0 already.
  bytes[9] = 0xff;
  return {
    descriptor: { mediaType: mediaTypes.layer, digest: digestOf(bytes), size: bytes.length },
    bytes,
    diffId: digestOf(archive),
  };
}
