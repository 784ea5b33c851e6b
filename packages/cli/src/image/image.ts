import { basename } from 'node:path/posix';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import { digestOf } from '../registry/digest.ts';
import type { Descriptor } from '../registry/manifest.ts';
import { mediaTypes } from '../registry/media-types.ts';
import type { BlobContent } from '../registry/registry-client.ts';
import { applicationFolder } from './application-layer.ts';
import type { BaseImage, BaseVariant } from './base-image.ts';
import type { ImageLayer } from './layer.ts';

/** The user and group of the process, by the convention of distroless images, as in the generated Deployment. */
export const imageUser = '65532:65532';

/** Content of an image that is not a manifest. */
export interface ImageBlob {
  readonly descriptor: Descriptor;
  /** Reads the content, or downloads that of the base image. */
  content(): Promise<BlobContent>;
}

/** A manifest or index with its bytes. */
export interface Manifest {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** The image for one platform. */
export interface ImageVariant {
  readonly manifest: Manifest;
  readonly config: ImageBlob;
  readonly layers: readonly ImageBlob[];
}

/** An image, for one or several platforms. */
export interface Image {
  /** The manifest of the only variant, or an index of all. */
  readonly root: Manifest;
  readonly variants: readonly ImageVariant[];
}

export interface ImageContents {
  readonly base: BaseImage;
  readonly layer: ImageLayer;
  /** The program in the application's folder. */
  readonly program: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly epochSeconds: number;
}

/** Adds the application's layer to a base image. The result follows from the arguments. */
export function makeImage(contents: ImageContents): Image {
  const variants = contents.base.variants.map((variant) => variantOf(variant, contents));
  const [first] = variants;
  if (first !== undefined && variants.length === 1) return { root: first.manifest, variants };
  const manifests = variants.map(({ manifest }) => manifest.descriptor);
  const root = manifestOf({ schemaVersion: 2, mediaType: mediaTypes.index, manifests });
  return { root, variants };
}

/** Makes an image that has only files, and runs nothing. The result follows from the arguments. */
export function makeScratchImage({ layer, labels, epochSeconds }: Omit<ImageContents, 'base' | 'program'>): Image {
  const created = timeText(epochSeconds);
  const config = blobOf(
    mediaTypes.config,
    // Without a platform, some tools cannot pull it. The files are the same everywhere.
    jsonBytes({
      architecture: 'amd64',
      os: 'linux',
      created,
      config: { Labels: labels },
      rootfs: { type: 'layers', diff_ids: [layer.diffId] },
      history: [{ created, created_by: 'evenkeel' }],
    }),
  );
  const layers = [{ descriptor: layer.descriptor, content: async () => layer.bytes }];
  const manifest = manifestOf({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: config.descriptor,
    layers: [layer.descriptor],
  });
  return { root: manifest, variants: [{ manifest, config, layers }] };
}

function variantOf(base: BaseVariant, contents: ImageContents): ImageVariant {
  const { layer } = contents;
  const configBytes = jsonBytes(configOf(base, contents));
  const config = blobOf(mediaTypes.config, configBytes);
  const layers = [
    ...base.manifest.layers.map((descriptor) => ({
      descriptor: { mediaType: descriptor.mediaType, digest: descriptor.digest, size: descriptor.size },
      content: () => contents.base.source.file(descriptor),
    })),
    { descriptor: layer.descriptor, content: async () => layer.bytes },
  ];
  const manifest = manifestOf({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: config.descriptor,
    layers: layers.map(({ descriptor }) => descriptor),
  });
  const platform = { ...base.platform };
  return { manifest: { ...manifest, descriptor: { ...manifest.descriptor, platform } }, config, layers };
}

/** The base's configuration with the operator as its process. */
function configOf(base: BaseVariant, { layer, program, labels, epochSeconds }: ImageContents): JsonObject {
  const { config: given, history, rootfs, created: _, ...others } = base.config;
  const { Cmd: _cmd, Entrypoint: entrypoint, Labels: baseLabels, ...config } = isJsonObject(given) ? given : {};
  const created = timeText(epochSeconds);
  return {
    ...others,
    created,
    config: {
      ...config,
      User: imageUser,
      WorkingDir: `/${applicationFolder}`,
      Entrypoint: [...nodeOf(entrypoint), `/${applicationFolder}/${program}`],
      Labels: { ...foreignLabels(baseLabels), ...labels },
    },
    rootfs: { type: 'layers', diff_ids: [...base.diffIds, layer.diffId] },
    ...(isComplete(history, base) ? { history: [...history, { created, created_by: 'evenkeel build' }] } : {}),
  };
}

/** Whether a history has an entry for each layer, as it must have if there is one. */
function isComplete(history: unknown, { diffIds }: BaseVariant): history is readonly unknown[] {
  if (!Array.isArray(history)) return false;
  return history.filter((each) => isJsonObject(each) && each['empty_layer'] !== true).length === diffIds.length;
}

/** How the base image starts Node, if its entrypoint does, as in distroless images. Otherwise Node is in its PATH. */
export function nodeOf(entrypoint: unknown): readonly string[] {
  const words = Array.isArray(entrypoint) ? entrypoint.filter((word): word is string => typeof word === 'string') : [];
  return basename(words.at(-1) ?? '') === 'node' ? words : ['node'];
}

/** The labels of the base that do not describe the base itself. */
function foreignLabels(labels: unknown): Record<string, string> {
  const all = isJsonObject(labels) ? Object.entries(labels) : [];
  return Object.fromEntries(
    all.filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && !entry[0].startsWith('org.opencontainers.image.'),
    ),
  );
}

/** The seconds since 1970 of everything that a build makes: 0 unless SOURCE_DATE_EPOCH is set. Throws `invalid-option`. */
export function epochIn({ SOURCE_DATE_EPOCH: text = '' }: NodeJS.ProcessEnv): number {
  if (text === '') return 0;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new EvenkeelError(
    'invalid-option',
    `SOURCE_DATE_EPOCH is ${JSON.stringify(text)}; set seconds since 1970, such as 1767225600, or unset it`,
  );
}

/** A time in the form of RFC 3339. */
export function timeText(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** Content in memory. */
export function blobOf(mediaType: string, bytes: Buffer): ImageBlob {
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, content: async () => bytes };
}

/** The bytes of a manifest or index, and its descriptor. */
export function manifestOf(document: JsonObject & { readonly mediaType: string }): Manifest {
  const bytes = jsonBytes(document);
  return { bytes, descriptor: { mediaType: document.mediaType, digest: digestOf(bytes), size: bytes.length } };
}

/** JSON as bytes. */
export function jsonBytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** All manifests of an image, the root last, as a registry must receive them. */
export function manifestsOf({ root, variants }: Image): Manifest[] {
  const manifests = variants.map(({ manifest }) => manifest).filter((manifest) => manifest !== root);
  return [...manifests, root];
}

/** All other contents of an image, each once. */
export function blobsOf({ variants }: Image): ImageBlob[] {
  const all = variants.flatMap(({ config, layers }) => [...layers, config]);
  return [...new Map(all.map((blob) => [blob.descriptor.digest, blob])).values()];
}
