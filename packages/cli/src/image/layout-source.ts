import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { hexOf } from '../registry/digest.ts';
import { type Descriptor, invalid, manifestBytesMax, parseManifest } from '../registry/manifest.ts';
import { isIntact } from './blob-cache.ts';
import type { ImageSource } from './image-source.ts';

/** The start of a base that is an OCI image layout on this machine. */
export const layoutPrefix = 'oci:';

/** A base image in a folder: `oci:FOLDER`, or `oci:FOLDER:TAG` if it has several images. */
export function layoutSource(shown: string, folder: string): ImageSource {
  const { path, tag } = placeOf(shown.slice(layoutPrefix.length), folder);
  const verified = new Set<string>();
  const file = async (descriptor: Descriptor): Promise<string> => {
    const blob = join(path, 'blobs', 'sha256', hexOf(descriptor.digest));
    if (!verified.has(blob) && !(await isIntact(blob, descriptor)))
      throw invalid(shown, `${blob} is missing, or does not match its size or digest`);
    verified.add(blob);
    return blob;
  };
  const document = async (descriptor: Descriptor): Promise<Buffer> => {
    if (descriptor.size > manifestBytesMax) throw invalid(shown, `${descriptor.digest} is too large`);
    return readFile(await file(descriptor));
  };
  return {
    shown,
    fullName: undefined,
    root: async () => document(await imageIn(path, tag, shown)),
    document,
    file,
    close: () => undefined,
  };
}

/** A path may contain colons, so an existing folder has no tag. */
function placeOf(text: string, folder: string): { readonly path: string; readonly tag: string | undefined } {
  const whole = resolve(folder, text);
  const [, path, tag] = /^(.+):([\w][\w.-]{0,127})$/.exec(text) ?? [];
  if (path === undefined || tag === undefined || isFolder(whole)) return { path: whole, tag: undefined };
  return { path: resolve(folder, path), tag };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function imageIn(path: string, tag: string | undefined, shown: string): Promise<Descriptor> {
  const index = join(path, 'index.json');
  const found = await stat(index).catch(() => undefined);
  if (found === undefined) {
    const text = `${shown}: ${path} is not an OCI image layout: it has no index.json; pass the folder of a layout, or the name of an image in a registry`;
    throw new EvenkeelError('image-not-found', text);
  }
  if (found.size > manifestBytesMax) throw invalid(shown, `${index} is too large`);
  const root = parseManifest(await readFile(index), shown);
  const images = root.kind === 'index' ? root.manifests : [];
  const nameOf = ({ annotations }: Descriptor) => annotations?.['org.opencontainers.image.ref.name'];
  const [image, ...others] = tag === undefined ? images : images.filter((each) => nameOf(each) === tag);
  if (image !== undefined && others.length === 0) return image;
  const names = images.map(nameOf).filter((name) => name !== undefined);
  const list = names.length === 0 ? 'it has no tags' : `it has ${names.join(', ')}`;
  const problem =
    image === undefined ? `the layout has no image ${tag ?? ''}`.trimEnd() : 'the layout has several images';
  const text = `${shown}: ${problem} (${list}); write ${layoutPrefix}FOLDER:TAG with one of its tags`;
  throw new EvenkeelError('image-not-found', text);
}
