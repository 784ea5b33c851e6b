import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import { digestOf } from '../registry/digest.ts';
import { type Descriptor, type ImageManifest, invalid, parseDocument, parseManifest } from '../registry/manifest.ts';
import type { ImageSource } from './image-source.ts';
import { isFor, type Platform, platformIn, platformText } from './platform.ts';

/** A base image for one platform. */
export interface BaseVariant {
  readonly platform: Platform;
  readonly manifest: ImageManifest;
  /** The configuration of the image, which has as many `rootfs.diff_ids` as the manifest has layers. */
  readonly config: JsonObject;
  readonly diffIds: readonly string[];
}

/** A base image for all platforms of an image. */
export interface BaseImage {
  readonly source: ImageSource;
  /** The digest of its manifest or index. */
  readonly digest: string;
  readonly variants: readonly BaseVariant[];
}

/** Reads a base image. Throws `image-platform-missing` if it lacks a platform, and `image-invalid`. */
export async function readBase(source: ImageSource, platforms: readonly Platform[]): Promise<BaseImage> {
  const bytes = await source.root();
  const root = parseManifest(bytes, source.shown);
  const variants: BaseVariant[] = [];
  for (const wanted of platforms) {
    const manifest = root.kind === 'manifest' ? root : await manifestFor(wanted, root.manifests, source);
    variants.push(await variantOf(wanted, manifest, source));
  }
  return { source, digest: digestOf(bytes), variants };
}

async function manifestFor(
  wanted: Platform,
  manifests: readonly Descriptor[],
  source: ImageSource,
): Promise<ImageManifest> {
  const found = manifests.find(({ platform }) => {
    const offered = platformIn(platform);
    return offered !== undefined && isFor(wanted, offered);
  });
  if (found === undefined) {
    const offered = manifests.map(({ platform }) => platformIn(platform)).filter((each) => each?.os === 'linux');
    throw missing(wanted, offered, source);
  }
  const manifest = parseManifest(await source.document(found), source.shown);
  if (manifest.kind === 'manifest') return manifest;
  throw invalid(source.shown, `${found.digest} is an index inside an index`);
}

async function variantOf(wanted: Platform, manifest: ImageManifest, source: ImageSource): Promise<BaseVariant> {
  const config = parseDocument(await source.document(manifest.config), source.shown);
  const platform = platformIn(config);
  if (platform === undefined || !isFor(wanted, platform)) throw missing(wanted, [platform], source);
  const { rootfs } = config;
  const ids: unknown = isJsonObject(rootfs) ? rootfs['diff_ids'] : undefined;
  const diffIds = Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [];
  if (diffIds.length !== manifest.layers.length)
    throw invalid(source.shown, `it has ${manifest.layers.length} layers and ${diffIds.length} rootfs.diff_ids`);
  return { platform, manifest, config, diffIds };
}

function missing(wanted: Platform, offered: readonly (Platform | undefined)[], source: ImageSource): EvenkeelError {
  const names = offered.filter((each) => each !== undefined).map(platformText);
  const list = names.length === 0 ? 'it names no platform' : `it has ${[...new Set(names)].join(', ')}`;
  return new EvenkeelError(
    'image-platform-missing',
    `${source.shown}: the base image is not available for ${platformText(wanted)} (${list}); pass another --platform or another --base`,
  );
}
