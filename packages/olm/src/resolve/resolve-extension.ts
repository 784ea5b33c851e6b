import type { Catalog } from '../catalog/catalog.ts';
import { graphOf, versionsOf } from '../catalog/upgrade-graph.ts';
import { compareVersions, type SemanticVersion } from '../format/semantic-version.ts';
import { parseConstraint } from '../format/version-constraint.ts';
import type { InstalledBundle } from './installed-bundle.ts';

/** What a ClusterExtension of OLM v1 asks for. */
export interface ExtensionRequest {
  readonly packageName: string;
  /** A version, or a range of versions. Default: every version. */
  readonly version?: string;
  /** Default: all channels. */
  readonly channels?: readonly string[];
  /** Missing if nothing is installed yet. */
  readonly installed?: InstalledBundle;
  /** `SelfCertified` allows every change of the version. Default: `CatalogProvided`, only the upgrades of the channels. */
  readonly upgradeConstraintPolicy?: 'CatalogProvided' | 'SelfCertified';
}

/**
 * The bundle that OLM v1 installs: the highest version that the request allows, which can be the installed one. Bundles that are
 * deprecated come last. Undefined if no bundle is allowed, or if the version is invalid.
 *
 * Source: `internal/operator-controller/resolve/catalog.go` and `catalogmetadata/filter` of
 * github.com/operator-framework/operator-controller.
 */
export function resolveExtension(catalog: Catalog, request: ExtensionRequest): string | undefined {
  const { packageName, version, channels, installed, upgradeConstraintPolicy } = request;
  const isInRange = version === undefined ? () => true : parseConstraint(version);
  if (isInRange === undefined) return undefined;
  const versions = versionsOf(catalog, packageName);
  const ofPackage = catalog.channels.filter(({ value }) => value.package === packageName);
  const subscribed = ofPackage.filter(({ value }) => channels === undefined || channels.includes(value.name ?? ''));
  const listed = new Set(subscribed.flatMap(({ value }) => (value.entries ?? []).map(({ name }) => name)));
  const isLimited = installed !== undefined && upgradeConstraintPolicy !== 'SelfCertified';
  const allowed = isLimited ? successors(ofPackage, versions, installed) : undefined;
  const deprecated = deprecatedBundles(catalog, packageName);
  const order = (left: readonly [string, SemanticVersion], right: readonly [string, SemanticVersion]): number =>
    Number(deprecated.has(left[0])) - Number(deprecated.has(right[0])) || compareVersions(right[1], left[1]);
  const [best] = [...versions]
    .filter(([name, each]) => listed.has(name) && isInRange(each) && (allowed?.has(name) ?? true))
    .sort(order);
  return best?.[0];
}

function successors(
  channels: Catalog['channels'],
  versions: ReadonlyMap<string, SemanticVersion>,
  installed: InstalledBundle,
): ReadonlySet<string> {
  const same = [...versions].filter(([, version]) => compareVersions(version, installed.version) === 0);
  const upgrades = channels.flatMap(({ value }) => graphOf(value.entries ?? [], versions).successorsOf(installed));
  return new Set([...same.map(([name]) => name), ...upgrades.map(({ to }) => to)]);
}

function deprecatedBundles({ deprecations }: Catalog, packageName: string): ReadonlySet<string | undefined> {
  const entries = deprecations
    .filter(({ value }) => value.package === packageName)
    .flatMap(({ value }) => value.entries ?? []);
  return new Set(
    entries.filter(({ reference }) => reference?.schema === 'olm.bundle').map(({ reference }) => reference?.name),
  );
}
