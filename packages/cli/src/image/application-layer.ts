import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { digestOf } from '../registry/digest.ts';
import type { Descriptor } from '../registry/manifest.ts';
import { mediaTypes } from '../registry/media-types.ts';
import { tarArchive, tarEntry } from './tar.ts';

/** The folder of the bundle in the image. */
export const applicationFolder = 'app';

/** The layer of an image with the operator. */
export interface ApplicationLayer {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
  /** The digest of the layer before compression. */
  readonly diffId: string;
}

/**
 * Makes the layer with the files, by their names. The same files make the same bytes on the same version of Node; `diffId` is the
 * same everywhere.
 */
export async function applicationLayer(
  files: Readonly<Record<string, Buffer>>,
  epochSeconds: number,
): Promise<ApplicationLayer> {
  const entries = Object.entries(files).map(([name, content]) => tarEntry(`${applicationFolder}/${name}`, content));
  const archive = await tarArchive([tarEntry(`${applicationFolder}/`), ...entries], epochSeconds);
  const bytes = await promisify(gzip)(archive, { level: 9 });
  // The operating system that made it: unknown, instead of this one. The time is 0 already.
  bytes[9] = 0xff;
  return {
    descriptor: { mediaType: mediaTypes.layer, digest: digestOf(bytes), size: bytes.length },
    bytes,
    diffId: digestOf(archive),
  };
}
