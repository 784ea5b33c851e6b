import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EvenkeelError } from '@evenkeel/core';
import { hexOf } from '../registry/digest.ts';
import { familiarName, fullName, type ImageReference } from '../registry/image-reference.ts';
import { mediaTypes } from '../registry/media-types.ts';
import type { BlobContent } from '../registry/registry-client.ts';
import { blobsOf, type Image, jsonBytes, manifestsOf } from './image.ts';
import { type StreamedTarEntry, tarBytes, tarEntry } from './tar.ts';

const layoutFile = 'oci-layout';

/** Writes an image as an OCI image layout. A folder that exists is replaced, and must be a layout or empty. */
export async function writeLayout(image: Image, reference: ImageReference, folder: string): Promise<void> {
  if (isFile(folder))
    throw notWritten(`--layout ${folder}: it is a file; pass a new folder, or one with an OCI image layout`);
  const existing = existsSync(folder) ? await readdir(folder) : [];
  if (existing.length > 0 && !existing.includes(layoutFile)) {
    throw notWritten(
      `--layout ${folder}: the folder has other files; pass a new folder, or one with an OCI image layout`,
    );
  }
  await replacing(folder, async (temporary) => {
    await mkdir(join(temporary, 'blobs', 'sha256'), { recursive: true });
    for (const [name, content] of await layoutFiles(image, reference)) {
      const path = join(temporary, name);
      if (typeof content === 'string') await copyFile(content, path);
      else await writeFile(path, content);
    }
  });
}

/**
 * Writes an image as an archive that `docker load`, `podman load` and `kind load image-archive` accept: an OCI image layout
 * with the file `manifest.json` of Docker, which has one platform, the first.
 */
export async function writeArchive(
  image: Image,
  reference: ImageReference,
  file: string,
  epochSeconds: number,
): Promise<void> {
  // Otherwise it would be deleted with everything in it.
  if (existsSync(file) && !isFile(file)) throw notWritten(`--archive ${file}: it is a folder; pass the path of a file`);
  const [variant] = image.variants;
  const path = (digest: string): string => `blobs/sha256/${hexOf(digest)}`;
  const docker = [
    {
      Config: path(variant?.config.descriptor.digest ?? ''),
      RepoTags: [familiarName(reference)],
      Layers: variant?.layers.map(({ descriptor }) => path(descriptor.digest)),
    },
  ];
  const files = await layoutFiles(image, reference);
  const sizes = new Map(blobsOf(image).map(({ descriptor }) => [path(descriptor.digest), descriptor.size]));
  const entries: StreamedTarEntry[] = [
    ...['blobs/', 'blobs/sha256/'].map((name) => tarEntry(name)),
    tarEntry('manifest.json', jsonBytes(docker)),
    ...files.map(([name, content]) =>
      typeof content === 'string'
        ? { name, size: sizes.get(name) ?? 0, open: () => createReadStream(content) }
        : tarEntry(name, content),
    ),
  ];
  await replacing(file, async (temporary) => {
    await mkdir(dirname(temporary), { recursive: true });
    await pipeline(Readable.from(tarBytes(entries, epochSeconds)), createWriteStream(temporary));
  });
}

/** The files of a layout: their bytes, or the path of a file with them. */
async function layoutFiles(image: Image, reference: ImageReference): Promise<[string, BlobContent][]> {
  const contents: [string, BlobContent][] = [];
  const add = (digest: string, content: BlobContent) => contents.push([`blobs/sha256/${hexOf(digest)}`, content]);
  for (const { descriptor, content } of blobsOf(image)) add(descriptor.digest, await content());
  for (const { descriptor, bytes } of manifestsOf(image)) add(descriptor.digest, bytes);
  const annotations = {
    // The name that containerd gives the image.
    'io.containerd.image.name': fullName(reference),
    'org.opencontainers.image.ref.name': reference.tag ?? 'latest',
  };
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ ...image.root.descriptor, annotations }],
  };
  contents.push(['index.json', jsonBytes(index)], [layoutFile, jsonBytes({ imageLayoutVersion: '1.0.0' })]);
  return contents;
}

/** Writes next to a path and then renames, so that nothing incomplete has its name. Throws `output-not-written`. */
async function replacing(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await write(temporary);
    // A rename can replace a file, but not a folder with files.
    if (existsSync(path) && !isFile(path)) await rm(path, { recursive: true });
    await rename(temporary, path);
  } catch (error) {
    if (error instanceof EvenkeelError) throw error;
    throw notWritten(`${path}: ${(error as Error).message}; pass a path that can be written`, error);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function notWritten(text: string, cause?: unknown): EvenkeelError {
  return new EvenkeelError('output-not-written', text, { cause });
}
