import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { digestOf, digestOfFile, hexOf } from '../registry/digest.ts';
import type { Descriptor } from '../registry/manifest.ts';
import { mediaTypes } from '../registry/media-types.ts';
import { type StreamedTarEntry, tarBytes, tarEntry } from './tar.ts';

/** The files of a small base image, by their paths in it. */
type BaseFiles = Readonly<Record<string, string>>;

/** Node of this process and the shared libraries that it needs, which are those of the machine. */
export function nodeFiles(): BaseFiles {
  const { sharedObjects } = process.report.getReport() as unknown as { readonly sharedObjects: readonly string[] };
  const libraries = sharedObjects.filter((path) => /^\/.*\.so(\.|$)/.test(path));
  return {
    'usr/local/bin/node': process.execPath,
    ...Object.fromEntries(libraries.map((path) => [path.slice(1), path])),
  };
}

export interface BaseLayoutOptions {
  /** Names of Go. Default: amd64. */
  readonly architectures?: readonly string[];
  /** Changes a configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Default: a text file. */
  readonly files?: BaseFiles;
}

/** Writes an OCI image layout with an image for each architecture, in an index if there are several. Returns its digest. */
export async function writeBaseLayout(folder: string, options: BaseLayoutOptions = {}): Promise<string> {
  const { architectures = ['amd64'], config = {}, files = {} } = options;
  const blobs = join(folder, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  const stored = async (mediaType: string, bytes: Buffer): Promise<Descriptor> => {
    const digest = digestOf(bytes);
    await writeFile(join(blobs, hexOf(digest)), bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const json = (mediaType: string, value: object) => stored(mediaType, Buffer.from(JSON.stringify(value)));
  const layer = await layerIn(blobs, files);
  const manifests: Descriptor[] = [];
  for (const architecture of architectures) {
    const settings = {
      Env: ['PATH=/usr/local/bin:/usr/bin:/bin'],
      Entrypoint: ['docker-entrypoint.sh'],
      Cmd: ['node'],
      Labels: { 'org.opencontainers.image.title': 'node', vendor: 'base' },
      ...config,
    };
    const rootfs = { type: 'layers', diff_ids: [layer.digest] };
    const made = await json(mediaTypes.config, { architecture, os: 'linux', config: settings, rootfs });
    const content = { schemaVersion: 2, mediaType: mediaTypes.manifest, config: made, layers: [layer] };
    manifests.push({ ...(await json(mediaTypes.manifest, content)), platform: { os: 'linux', architecture } });
  }
  const [first] = manifests;
  const root =
    first !== undefined && manifests.length === 1
      ? first
      : await json(mediaTypes.index, { schemaVersion: 2, mediaType: mediaTypes.index, manifests });
  const annotations = { 'org.opencontainers.image.ref.name': '24' };
  await writeFile(
    join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...root, annotations }] }),
  );
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  return root.digest;
}

/** A layer without compression, because Node is large. */
async function layerIn(blobs: string, files: BaseFiles): Promise<Descriptor> {
  const folders = new Set(Object.keys(files).flatMap((path) => parentsOf(path)));
  const entries: StreamedTarEntry[] = [
    tarEntry('etc/'),
    tarEntry('etc/base', Buffer.from('base')),
    ...[...folders].map((name) => tarEntry(name)),
    ...(await Promise.all(Object.entries(files).map(([name, path]) => fileEntry(name, path)))),
  ];
  const temporary = join(blobs, 'layer');
  await pipeline(Readable.from(tarBytes(entries, 0)), createWriteStream(temporary));
  const digest = await digestOfFile(temporary);
  const { size } = statSync(temporary);
  await rename(temporary, join(blobs, hexOf(digest)));
  return { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest, size };
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_part, index) => `${parts.slice(0, index + 1).join('/')}/`);
}

async function fileEntry(name: string, path: string): Promise<StreamedTarEntry> {
  const file = await realpath(path);
  return { name, size: statSync(file).size, mode: 0o755, open: () => createReadStream(file) };
}
