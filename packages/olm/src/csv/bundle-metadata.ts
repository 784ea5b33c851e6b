import { parseVersion } from '../format/semantic-version.ts';
import { parseRange } from '../format/version-range.ts';

/** What a catalog shows of an operator, and no class knows. */
export interface BundleMetadata {
  readonly packageName: string;
  readonly version: string;
  readonly displayName: string;
  /** Markdown. */
  readonly description: string;
  /** One line for the tile of a catalog; undefined for none. */
  readonly summary: string | undefined;
  readonly provider: { readonly name: string; readonly url?: string };
  readonly maintainers: readonly { readonly name: string; readonly email: string }[];
  readonly links: readonly { readonly name: string; readonly url: string }[];
  readonly icon: { readonly base64data: string; readonly mediatype: string };
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  readonly capabilities: string;
  readonly maturity: string;
  readonly repository: string | undefined;
  /** Who supports the operator. */
  readonly support: string | undefined;
  /** Other annotations of the ClusterServiceVersion. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The processors for which the image is built, such as `amd64`. */
  readonly architectures: readonly string[];
}

/** Whether a text has the form of a semantic version, such as `1.2.0` or `1.3.0-rc.1`. */
export function isVersion(text: string): boolean {
  return parseVersion(text) !== undefined;
}

/** Whether a text is a range of versions as OLM reads it, such as `>=1.0.0 <1.2.0`. */
export function isVersionRange(text: string): boolean {
  return parseRange(text) !== undefined;
}
