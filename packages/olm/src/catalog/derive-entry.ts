import { compareVersions, type SemanticVersion, versionText } from '../format/semantic-version.ts';
import type { ChannelEntry } from './catalog.ts';
import type { UpgradeGraph } from './upgrade-graph.ts';

/** A bundle that is added to a channel. */
export interface AddedBundle {
  readonly name: string;
  readonly version: SemanticVersion;
  /** What the author of the bundle, or the user of the command, says about its upgrades. */
  readonly replaces?: string | undefined;
  /** Whether `replaces` counts although the channel has no such entry. Otherwise it is derived then. */
  readonly insists?: boolean;
  readonly skips?: readonly string[] | undefined;
  /** `true` derives a range from the oldest version of the channel up to this one. */
  readonly skipRange?: string | true | undefined;
}

/** How a channel changes. */
export interface DerivedEntry {
  readonly entry: ChannelEntry;
  /** The entry that must skip the new one, because it is newer. */
  readonly skippedBy?: string;
}

/**
 * The entry of a new bundle in a channel, so that the channel keeps one head and every entry upgrades to it. The newest bundle replaces
 * the head, or if it skips the head, the next one that it does not skip. If the author wants it to replace an older bundle, it skips
 * those between. An older bundle, such as a patch of an old minor version, replaces the bundle before it, and the bundle after it skips
 * the new one.
 */
export function deriveEntry(graph: UpgradeGraph, bundle: AddedBundle): DerivedEntry {
  const { name, version } = bundle;
  const chain = graph.chain.flatMap((each) => graph.entry(each) ?? []);
  const older = chain.filter((entry) => entry.version !== undefined && compareVersions(entry.version, version) < 0);
  const newer = chain.filter((entry) => !older.includes(entry));
  const wanted = older.findIndex((entry) => entry.name === bundle.replaces);
  const between = wanted === -1 ? [] : older.slice(0, wanted).map((entry) => entry.name);
  // The entries between are already skipped by their successors if the new bundle is not the head.
  const skips = [...new Set([...(bundle.skips ?? []), ...(newer.length === 0 ? between : [])])];
  const derived = older.find((entry) => !skips.includes(entry.name))?.name;
  const given = bundle.replaces === name || bundle.replaces === '' ? undefined : bundle.replaces;
  const replaces = wanted !== -1 || graph.entries.length === 0 || bundle.insists === true ? given : derived;
  const skipRange = bundle.skipRange === true ? rangeBelow(graph, version) : bundle.skipRange;
  return {
    entry: {
      name,
      ...(replaces === undefined ? {} : { replaces }),
      ...(skips.length === 0 ? {} : { skips }),
      ...(skipRange === undefined ? {} : { skipRange }),
    },
    ...(newer.length === 0 ? {} : { skippedBy: newer.at(-1)?.name ?? '' }),
  };
}

function rangeBelow({ entries }: UpgradeGraph, version: SemanticVersion): string | undefined {
  const older = entries
    .flatMap((entry) => entry.version ?? [])
    .filter((each) => compareVersions(each, version) < 0)
    .sort(compareVersions);
  return older[0] === undefined ? undefined : `>=${versionText(older[0])} <${versionText(version)}`;
}
