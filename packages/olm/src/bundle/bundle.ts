import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { BundleFile } from './bundle-folder.ts';
import type { ClusterServiceVersion } from './cluster-service-version.ts';
import type { YamlDocument } from './yaml-document.ts';

/** An object of a bundle. */
export interface BundleObject {
  /** The path of its file in the bundle. */
  readonly file: string;
  readonly document: YamlDocument;
  readonly value: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A bundle in the format registry+v1. */
export interface Bundle {
  readonly files: readonly BundleFile[];
  /** The name of the ClusterServiceVersion; empty if it has none. */
  readonly name: string;
  readonly csv: ClusterServiceVersion;
  readonly csvObject: BundleObject;
  /** All objects next to the ClusterServiceVersion, in the order of their files, including it. */
  readonly objects: readonly BundleObject[];
  /** `annotations` of metadata/annotations.yaml. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The prefix of the annotations of a bundle. */
export const annotationPrefix = 'operators.operatorframework.io.bundle.';

export function packageNameOf({ annotations }: Bundle): string {
  return annotations[`${annotationPrefix}package.v1`] ?? '';
}

export function defaultChannelOf({ annotations }: Bundle): string {
  return annotations[`${annotationPrefix}channel.default.v1`] ?? '';
}

/** The channels in the annotation, without spaces, each once. */
export function listedChannelsOf({ annotations }: Bundle): string[] {
  return distinct((annotations[`${annotationPrefix}channels.v1`] ?? '').split(','));
}

/** The listed channels and the default channel. */
export function channelsOf(bundle: Bundle): string[] {
  return distinct([...listedChannelsOf(bundle), defaultChannelOf(bundle)]);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
}
