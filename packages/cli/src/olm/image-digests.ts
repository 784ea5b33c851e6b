import type { ImageDigests, RelatedImage } from '@evenkeel/olm/csv';
import { readImageRecord, recordDigest } from '../image/image-record.ts';
import { digestOf } from '../registry/digest.ts';
import { fullName, parseImageReference } from '../registry/image-reference.ts';
import { RegistryClient, type RegistryClientOptions } from '../registry/registry-client.ts';

/** Where digests come from. */
export interface DigestSource {
  /** The folder with the record of `evenkeel build --push`. */
  readonly folder: string;
  /** Set to ask the registries for the digests that are not recorded. */
  readonly registry: RegistryClientOptions | undefined;
  readonly progress: (doing: string) => void;
}

/**
 * Returns the digests of images, by their references. An image whose digest is unknown is missing. Throws `invalid-image-reference`, and
 * the failures of a registry.
 */
export async function imageDigests(
  images: readonly RelatedImage[],
  { folder, registry, progress }: DigestSource,
): Promise<ImageDigests> {
  const record = await readImageRecord(folder);
  const digests: Record<string, string> = {};
  for (const { name, image } of images) {
    const reference = parseImageReference(image, `the image ${name}`);
    const known = reference.digest ?? record.get(fullName({ ...reference, tag: reference.tag ?? 'latest' }));
    if (known !== undefined) digests[image] = known;
    else if (registry !== undefined) {
      progress(`looking up ${image}`);
      const client = new RegistryClient(reference, 'pull', registry);
      try {
        const digest = digestOf(await client.manifest(reference.tag ?? 'latest'));
        digests[image] = digest;
        await recordDigest(folder, { ...reference, tag: reference.tag ?? 'latest' }, digest);
      } finally {
        client.close();
      }
    }
  }
  return digests;
}
