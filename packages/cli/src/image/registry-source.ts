import { readFile } from 'node:fs/promises';
import { digestOf } from '../registry/digest.ts';
import { fullName, type ImageReference } from '../registry/image-reference.ts';
import { type Descriptor, invalid, manifestBytesMax } from '../registry/manifest.ts';
import { mediaTypes } from '../registry/media-types.ts';
import { RegistryClient, type RegistryClientOptions } from '../registry/registry-client.ts';
import type { BlobCache } from './blob-cache.ts';
import type { ImageSource } from './image-source.ts';

/** A base image in a registry. Content with a digest is downloaded only once. */
export function registrySource(
  shown: string,
  image: ImageReference,
  cache: BlobCache,
  options: RegistryClientOptions,
): ImageSource {
  const client = new RegistryClient(image, 'pull', options);
  const file = (descriptor: Descriptor) => cache.file(descriptor, () => client.blob(descriptor), shown);
  const manifests = new Map<string, Buffer>();
  return {
    shown,
    fullName: fullName(image),
    root: async () => {
      const bytes = await client.manifest(image.digest ?? image.tag ?? 'latest');
      manifests.set(digestOf(bytes), bytes);
      return bytes;
    },
    document: async (descriptor) => {
      const { digest, size, mediaType } = descriptor;
      if (size > manifestBytesMax) throw invalid(shown, `${digest} has ${size} bytes, which is too large`);
      if (mediaType !== mediaTypes.config) return manifests.get(digest) ?? client.manifest(digest);
      return readFile(await file(descriptor));
    },
    file,
    close: () => client.close(),
  };
}
