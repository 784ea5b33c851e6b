import { hexOf } from '../registry/digest.ts';
import { fullName, type ImageReference } from '../registry/image-reference.ts';
import { type Descriptor, parseManifest } from '../registry/manifest.ts';
import { mediaTypes } from '../registry/media-types.ts';
import { RegistryClient, type RegistryClientOptions } from '../registry/registry-client.ts';
import { blobOf, blobsOf, type Image, type ImageBlob, type Manifest, manifestOf, manifestsOf } from './image.ts';

export interface PushedImage {
  /** How many bytes were uploaded, without manifests. */
  readonly uploadedBytes: number;
}

/**
 * Pushes an image and its bill of materials, if it has one. Content that the registry has is not sent, nor downloaded from the base image. The
 * tag is set when everything else is there.
 *
 * @param progress is called with a description of each next step.
 */
export async function pushImage(
  image: Image,
  bill: Buffer | undefined,
  reference: ImageReference,
  options: RegistryClientOptions,
  progress: (doing: string) => void,
): Promise<PushedImage> {
  const client = new RegistryClient(reference, 'pull,push', options);
  try {
    const artifact = bill === undefined ? undefined : billArtifact(bill, image.root.descriptor);
    let uploadedBytes = 0;
    for (const { descriptor, content } of [...blobsOf(image), ...(artifact?.blobs ?? [])]) {
      if (await client.hasBlob(descriptor)) continue;
      progress(`pushing ${descriptor.digest.slice(0, 19)}, ${(descriptor.size / 1e6).toFixed(1)} MB`);
      await client.putBlob(descriptor, await content());
      uploadedBytes += descriptor.size;
    }
    const manifests = manifestsOf(image);
    for (const { descriptor, bytes } of manifests)
      await client.putManifest(descriptor.digest, bytes, descriptor.mediaType);
    if (artifact !== undefined) await attach(artifact.manifest, image.root.descriptor, client, fullName(reference));
    const { bytes, descriptor } = image.root;
    await client.putManifest(reference.tag ?? 'latest', bytes, descriptor.mediaType);
    return { uploadedBytes };
  } finally {
    client.close();
  }
}

/** The bill of materials as an artifact that refers to the image, by the OCI image specification 1.1. */
function billArtifact(
  bill: Buffer,
  subject: Descriptor,
): { readonly manifest: Manifest; readonly blobs: readonly ImageBlob[] } {
  const config = blobOf(mediaTypes.empty, Buffer.from('{}'));
  const content = blobOf(mediaTypes.spdx, bill);
  const { mediaType, digest, size } = subject;
  const manifest = manifestOf({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    artifactType: mediaTypes.spdx,
    config: config.descriptor,
    layers: [content.descriptor],
    subject: { mediaType, digest, size },
  });
  return { manifest, blobs: [config, content] };
}

/** Stores an artifact of an image. In a registry that does not list referrers, clients keep the list in a tag. */
async function attach(
  { descriptor, bytes }: Manifest,
  subject: Descriptor,
  client: RegistryClient,
  shown: string,
): Promise<void> {
  if (await client.putManifest(descriptor.digest, bytes, descriptor.mediaType)) return;
  const tag = `sha256-${hexOf(subject.digest)}`;
  const existing = await client.indexIfExists(tag);
  const parsed = existing === undefined ? undefined : parseManifest(existing, `${shown}, tag ${tag}`);
  const others = parsed?.kind === 'index' ? parsed.manifests : [];
  if (others.some(({ digest }) => digest === descriptor.digest)) return;
  const listed = { ...descriptor, artifactType: mediaTypes.spdx };
  const index = manifestOf({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: [...others, listed] });
  await client.putManifest(tag, index.bytes, mediaTypes.index);
}
