import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { csvMetadataSchema } from '../bundle/cluster-service-version.ts';
import type { CatalogDocument } from './catalog-document.ts';

/** A property of a package, a channel or a bundle. */
export interface CatalogProperty {
  readonly type?: string;
  readonly value?: unknown;
}

/** An `olm.package`. Fields may be missing; the types of those that exist have been checked, here and below. */
export interface CatalogPackage {
  readonly name?: string;
  readonly defaultChannel?: string;
  readonly icon?: { readonly base64data?: string; readonly mediatype?: string };
  readonly description?: string;
  readonly properties?: readonly CatalogProperty[];
}

/** A bundle in a channel, and from which bundles it upgrades. */
export interface ChannelEntry {
  readonly name?: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly skipRange?: string;
}

/** An `olm.channel`. */
export interface CatalogChannel {
  readonly name?: string;
  readonly package?: string;
  readonly entries?: readonly ChannelEntry[];
}

/** An `olm.bundle`. */
export interface CatalogBundle {
  readonly name?: string;
  readonly package?: string;
  readonly image?: string;
  readonly properties?: readonly CatalogProperty[];
  readonly relatedImages?: readonly { readonly name?: string; readonly image?: string }[];
}

/** An `olm.deprecations`. */
export interface CatalogDeprecations {
  readonly package?: string;
  readonly entries?: readonly {
    readonly reference?: { readonly schema?: string; readonly name?: string };
    readonly message?: string;
  }[];
}

/** A value of a catalog and the document that contains it. */
export interface Located<T> {
  readonly document: CatalogDocument;
  readonly value: T;
}

/** A file-based catalog. Documents are in the order of their files. */
export interface Catalog {
  readonly packages: readonly Located<CatalogPackage>[];
  readonly channels: readonly Located<CatalogChannel>[];
  readonly bundles: readonly Located<CatalogBundle>[];
  readonly deprecations: readonly Located<CatalogDeprecations>[];
  /** Documents with another schema, by which other tools extend catalogs. */
  readonly others: readonly Located<{ readonly schema: string }>[];
}

const text: SchemaNode = { type: 'string' };
/** A Go `[]byte`, which is base64 in JSON. */
const bytes: SchemaNode = { type: 'string', format: 'byte' };
const listOf = (items: SchemaNode): SchemaNode => ({ type: 'array', items });
const structOf = (properties: Readonly<Record<string, SchemaNode>>): SchemaNode => ({ type: 'object', properties });
const properties = listOf(structOf({ type: text, value: {} }));

/** The types of the documents by their schemas. Source: operator-registry `alpha/declcfg/declcfg.go`. */
export const documentTypes = {
  'olm.package': structOf({
    schema: text,
    name: text,
    defaultChannel: text,
    icon: structOf({ base64data: bytes, mediatype: text }),
    description: text,
    properties,
  }),
  'olm.channel': structOf({
    schema: text,
    name: text,
    package: text,
    entries: listOf(structOf({ name: text, replaces: text, skips: listOf(text), skipRange: text })),
    properties,
  }),
  'olm.bundle': structOf({
    schema: text,
    name: text,
    package: text,
    image: text,
    properties,
    relatedImages: listOf(structOf({ name: text, image: text })),
  }),
  'olm.deprecations': structOf({
    schema: text,
    package: text,
    entries: listOf(structOf({ reference: structOf({ schema: text, name: text }), message: text })),
  }),
} as const satisfies Record<string, SchemaNode>;

export type KnownSchema = keyof typeof documentTypes;

const kind = structOf({ group: text, version: text, kind: text });

/** The types of the properties that registries read. Source: operator-registry `alpha/property/property.go`. */
export const propertyTypes: Readonly<Record<string, SchemaNode>> = {
  'olm.package': structOf({ packageName: text, version: text, release: text }),
  'olm.package.required': structOf({ packageName: text, versionRange: text }),
  'olm.gvk': kind,
  'olm.gvk.required': kind,
  'olm.bundle.object': structOf({ data: bytes }),
  'olm.csv.metadata': csvMetadataSchema,
  'olm.channel': structOf({ channelName: text, priority: { type: 'integer' } }),
};
