import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import { mediaTypes, ociType } from './media-types.ts';

/** A reference to content by its digest. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: JsonObject;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly artifactType?: string;
}

/** The manifest of an image for one platform. All media types are those of OCI. */
export interface ImageManifest {
  readonly kind: 'manifest';
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/** A list of manifests, usually one for each platform. */
export interface ImageIndex {
  readonly kind: 'index';
  readonly manifests: readonly Descriptor[];
}

/** The largest manifest, index or configuration: registries must accept manifests up to this size. */
export const manifestBytesMax = 4 * 1024 * 1024;
/** A size in a tar header has 11 octal digits. */
const blobBytesMax = 8 * 1024 ** 3 - 1;
const layersMax = 1000;

/**
 * Reads a manifest or an index from a source that is not trusted. Throws `image-invalid`.
 *
 * @param shown the image, for messages.
 */
export function parseManifest(bytes: Uint8Array, shown: string): ImageManifest | ImageIndex {
  const document = parseDocument(bytes, shown);
  const { mediaType, manifests, layers, config } = document;
  if (
    typeof mediaType === 'string' &&
    ![mediaTypes.index, mediaTypes.manifest].some((type) => type === ociType(mediaType))
  )
    throw invalid(shown, `unsupported media type ${mediaType}`);
  if (document['schemaVersion'] !== 2) throw invalid(shown, 'schemaVersion is not 2');
  // A document with both could be two different images for two readers.
  if (Array.isArray(manifests) === Array.isArray(layers)) throw invalid(shown, 'neither a manifest nor an index');
  if (Array.isArray(manifests)) {
    if (manifests.length > layersMax) throw invalid(shown, 'too many manifests');
    return { kind: 'index', manifests: manifests.map((each) => descriptorOf(each, shown)) };
  }
  const list = layers as unknown[];
  if (list.length > layersMax) throw invalid(shown, 'too many layers');
  const manifest = { config: descriptorOf(config, shown), layers: list.map((each) => descriptorOf(each, shown)) };
  if (manifest.config.mediaType !== mediaTypes.config) throw invalid(shown, 'not a container image');
  const foreign = manifest.layers.find(({ mediaType: type }) => !layerForm.test(type));
  if (foreign !== undefined) throw invalid(shown, `unsupported type of layer ${foreign.mediaType}`);
  return { kind: 'manifest', ...manifest };
}

const layerForm = /^application\/vnd\.oci\.image\.layer\.v1\.tar(?:\+gzip|\+zstd)?$/;

/** Parses a JSON object. Throws `image-invalid`. */
export function parseDocument(bytes: Uint8Array, shown: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw invalid(shown, `not JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw invalid(shown, 'not a JSON object');
  return value;
}

function descriptorOf(value: unknown, shown: string): Descriptor {
  const { mediaType, digest, size, platform, annotations } = isJsonObject(value) ? value : ({} as JsonObject);
  if (typeof mediaType !== 'string' || typeof digest !== 'string' || typeof size !== 'number')
    throw invalid(shown, 'a descriptor without mediaType, digest or size');
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw invalid(shown, `unsupported digest ${digest}`);
  if (!Number.isSafeInteger(size) || size < 0 || size > blobBytesMax) throw invalid(shown, `unsupported size ${size}`);
  const texts = isJsonObject(annotations)
    ? Object.entries(annotations).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
  return {
    mediaType: ociType(mediaType),
    digest,
    size,
    ...(isJsonObject(platform) ? { platform } : {}),
    ...(texts.length > 0 ? { annotations: Object.fromEntries(texts) } : {}),
  };
}

/** The error of an image whose content breaks the specification. */
export function invalid(shown: string, problem: string): EvenkeelError {
  return new EvenkeelError('image-invalid', `${shown}: ${problem}; use another image, or build this one again`);
}
