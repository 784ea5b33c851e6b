import { parseVersion, type SemanticVersion } from '../format/semantic-version.ts';
import { parseRange, type VersionRange } from '../format/version-range.ts';
import type { Catalog, CatalogBundle, ChannelEntry } from './catalog.ts';

/** An entry of a channel with the version of its bundle. */
export interface GraphEntry {
  readonly name: string;
  /** Missing if the bundle is, or if its version is invalid. */
  readonly version?: SemanticVersion;
  readonly replaces?: string;
  readonly skips: readonly string[];
  readonly skipRange?: string;
}

/** An upgrade that a channel allows. */
export interface UpgradeEdge {
  readonly from: string;
  readonly to: string;
  readonly by: 'replaces' | 'skips' | 'skipRange';
}

/**
 * The upgrades of a channel.
 *
 * Source: `Channel.Head` and `validateReplacesChain` of operator-registry `alpha/model/model.go`.
 */
export class UpgradeGraph {
  readonly entries: readonly GraphEntry[];
  /** The entries that no entry replaces or skips. A valid channel has exactly one. */
  readonly heads: readonly string[];
  /** The entries from the head along `replaces`, up to one that is skipped, or that is not in the channel, or that closes a circle. */
  readonly chain: readonly string[];
  /** The circle at the end of the chain; undefined if there is none. */
  readonly cycle: readonly string[] | undefined;
  /** The entries that are neither in the chain nor skipped. */
  readonly stranded: readonly string[];
  readonly #byName: ReadonlyMap<string, GraphEntry>;
  readonly #ranges = new Map<string, VersionRange | undefined>();

  constructor(entries: readonly GraphEntry[]) {
    this.entries = entries;
    this.#byName = new Map(entries.map((entry) => [entry.name, entry]));
    const skipped = new Set(entries.flatMap(({ skips }) => skips));
    const superseded = new Set([...skipped, ...entries.map(({ replaces }) => replaces)]);
    this.heads = entries.map(({ name }) => name).filter((name) => !superseded.has(name));
    const chain: string[] = [];
    let [next] = this.heads.length === 1 ? this.heads : [];
    while (next !== undefined && this.#byName.has(next) && !chain.includes(next)) {
      chain.push(next);
      const replaces: string | undefined = this.#byName.get(next)?.replaces;
      next = replaces === undefined || skipped.has(replaces) ? undefined : replaces;
    }
    this.chain = chain;
    this.cycle = next !== undefined && chain.includes(next) ? [...chain.slice(chain.indexOf(next)), next] : undefined;
    const reached = new Set([...chain, ...skipped]);
    const isWhole = this.heads.length === 1 && this.cycle === undefined;
    this.stranded = isWhole ? entries.map(({ name }) => name).filter((name) => !reached.has(name)) : [];
  }

  entry(name: string): GraphEntry | undefined {
    return this.#byName.get(name);
  }

  /** The upgrades from a bundle, which need not be in the channel, in the order of the entries. */
  successorsOf({ name, version }: Pick<GraphEntry, 'name' | 'version'>): UpgradeEdge[] {
    return this.entries.flatMap((to): UpgradeEdge[] => {
      if (to.name === name) return [];
      const by =
        to.replaces === name
          ? 'replaces'
          : to.skips.includes(name)
            ? 'skips'
            : version !== undefined && this.#rangeOf(to)?.(version) === true
              ? 'skipRange'
              : undefined;
      return by === undefined ? [] : [{ from: name, to: to.name, by }];
    });
  }

  #rangeOf({ skipRange }: GraphEntry): VersionRange | undefined {
    if (skipRange === undefined) return undefined;
    if (!this.#ranges.has(skipRange)) this.#ranges.set(skipRange, parseRange(skipRange));
    return this.#ranges.get(skipRange);
  }
}

/** The version in the property `olm.package` of a bundle; undefined if it is missing or invalid. */
export function versionOf({ properties }: CatalogBundle): SemanticVersion | undefined {
  const value = properties?.find(({ type }) => type === 'olm.package')?.value as { version?: unknown } | undefined;
  return typeof value?.version === 'string' ? parseVersion(value.version) : undefined;
}

/** The versions of the bundles of a package, by their names. */
export function versionsOf({ bundles }: Catalog, packageName: string): Map<string, SemanticVersion> {
  const versions = new Map<string, SemanticVersion>();
  for (const { value } of bundles) {
    const version = value.package === packageName ? versionOf(value) : undefined;
    if (version !== undefined && value.name !== undefined) versions.set(value.name, version);
  }
  return versions;
}

/** The graph of a channel. Of entries with the same name, the first counts. Empty fields are as good as missing. */
export function graphOf(
  entries: readonly ChannelEntry[],
  versions: ReadonlyMap<string, SemanticVersion>,
): UpgradeGraph {
  const byName = new Map<string, GraphEntry>();
  for (const { name, replaces, skips = [], skipRange } of entries) {
    if (name === undefined || name === '' || byName.has(name)) continue;
    const version = versions.get(name);
    byName.set(name, {
      name,
      skips: skips.filter((skip) => skip !== ''),
      ...(version === undefined ? {} : { version }),
      ...(replaces ? { replaces } : {}),
      ...(skipRange ? { skipRange } : {}),
    });
  }
  return new UpgradeGraph([...byName.values()]);
}
