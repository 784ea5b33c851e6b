import type { FindingLevel } from './bundle-check.ts';

interface CatalogCheckFacts {
  readonly level: FindingLevel;
  /** Whether `opm validate` makes it too. */
  readonly upstream: boolean;
  /** What the check finds, for the documentation. */
  readonly finds: string;
}

/** All checks of a catalog, by the id with which a finding names its check. */
export const catalogChecks = {
  'catalog-unreadable': error('a folder that cannot be read as a catalog'),
  'document-invalid': error('a document that is neither YAML nor JSON, or that is not an object with a schema'),
  'document-field-type': error('a field with a value of another type'),
  'document-key-duplicate': error('two keys that differ only in their capital letters'),

  'package-name-missing': error('a package without a name'),
  'package-name-invalid': error('a package whose name is not a DNS-1123 label'),
  'package-duplicate': error('two packages with the same name'),
  'package-unknown': error('a channel, a bundle or deprecations of a package that is not in the catalog'),
  'package-channels-missing': error('a package without channels'),
  'default-channel-missing': error('a package without a default channel'),
  'default-channel-unknown': error('a default channel that does not exist'),

  'channel-name-missing': error('a channel without a name'),
  'channel-duplicate': error('two channels of a package with the same name'),
  'channel-empty': error('a channel without entries'),
  'channel-entry-name-missing': error('an entry of a channel without a name'),
  'channel-entry-duplicate': error('two entries of a channel with the same name'),
  'channel-entry-without-bundle': error('an entry of a channel whose bundle is not in the catalog'),
  'channel-skip-empty': error('an empty name in skips'),
  'channel-skip-range-invalid': error('a skipRange that is not a range of semantic versions'),
  'channel-head-missing': error('a channel in which every entry is replaced or skipped'),
  'channel-head-several': error('a channel with several entries that nothing replaces or skips'),
  'channel-cycle': error('entries that replace one another in a circle'),
  'channel-entry-stranded': error('an entry from which no upgrade leads to the head'),

  'bundle-name-missing': error('a bundle without a name'),
  'bundle-package-missing': error('a bundle without a package'),
  'bundle-duplicate': error('two bundles of a package with the same name'),
  'bundle-not-in-channel': error('a bundle that is in no channel'),
  'bundle-version-duplicate': error('two bundles of a package with the same version'),
  'bundle-version-invalid': error('a version that is not a semantic version'),
  'bundle-release-invalid': error('an invalid release, or a release of a version with a build'),
  'bundle-release-name': error('a name that is not PACKAGE-vVERSION-RELEASE although there is a release'),
  'bundle-image-missing': error('a bundle without an image'),
  'bundle-image-invalid': error('an invalid reference of an image'),
  'bundle-package-property': error('a bundle that has not exactly one property olm.package, with its package'),
  'property-invalid': error('a property without a value, or with another value than its type needs'),

  'deprecation-package-missing': error('deprecations without a package'),
  'deprecation-duplicate': error('two deprecations of the same package, or of the same channel or bundle'),
  'deprecation-schema-invalid': error('a deprecation of something else than a package, a channel or a bundle'),
  'deprecation-unknown': error('a deprecation of a channel or a bundle that does not exist'),
  'deprecation-message-missing': error('a deprecation without a message'),

  // Only Evenkeel makes these.
  'document-key-case': own('warning', 'a key with other capital letters than the field of that name'),
  'document-key-repeated': own('warning', 'a key that is in a mapping twice, of which the last counts'),
  'document-schema-unknown': own('warning', 'a schema that starts with olm. but is unknown'),
  'package-icon-missing': own('warning', 'a package without an icon'),
  'package-icon-invalid': own('error', 'an icon without data or media type, or that is not GIF, JPEG, PNG or SVG'),
  'package-description-missing': own('warning', 'a package without a description'),
  'channel-replaces-unknown': own('warning', 'an entry that replaces a bundle which is not in the channel'),
  'channel-order': own('warning', 'an entry that replaces or skips a bundle of the same or a higher version'),
  'channel-skip-range-own': own('warning', 'a skipRange that contains the version of its own entry'),
  'channel-skip-range-alone': own(
    'warning',
    'a skipRange without replaces, which removes the older entries from the upgrade paths',
  ),
  'bundle-image-digest': own('warning', 'an image of a bundle without a digest, whose content can change'),
  'bundle-object-property': own('warning', 'the property olm.bundle.object, which newer registries do not read'),
  'bundle-metadata-missing': own('warning', 'a bundle without the property olm.csv.metadata'),
  'property-incomplete': own(
    'error',
    'a property without a type, or of OLM that lacks a member or has an invalid version range',
  ),
  'constraint-invalid': own('error', 'a property olm.constraint that OLM cannot evaluate'),
} as const satisfies Record<string, CatalogCheckFacts>;

/** The id of a check of catalogs, which findings and the options of the command use. */
export type CatalogCheck = keyof typeof catalogChecks;

function error(finds: string) {
  return { level: 'error', upstream: true, finds } as const;
}

function own<const L extends FindingLevel>(level: L, finds: string) {
  return { level, upstream: false, finds } as const;
}
