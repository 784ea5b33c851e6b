import { compareVersions } from '../format/semantic-version.ts';
import { resolveSubscription } from '../resolve/resolve-subscription.ts';
import type { Catalog } from './catalog.ts';
import { type GraphEntry, graphOf, type UpgradeGraph, versionsOf } from './upgrade-graph.ts';

/** A channel with its graph. */
export interface ChannelGraph {
  readonly packageName: string;
  readonly channel: string;
  readonly isDefault: boolean;
  readonly graph: UpgradeGraph;
  /** The newest first. Entries without a version are last. */
  readonly entries: readonly GraphEntry[];
  /** What is deprecated of the package: names of channels and bundles, and the name of the package itself. */
  readonly deprecated: ReadonlySet<string>;
}

/** The graphs of all channels, in the order of the packages and the channels in the catalog. */
export function channelGraphs(catalog: Catalog): ChannelGraph[] {
  return catalog.packages.flatMap(({ value: { name: packageName = '', defaultChannel } }) => {
    const versions = versionsOf(catalog, packageName);
    const deprecations = catalog.deprecations.filter(({ value }) => value.package === packageName);
    const deprecated = new Set(
      deprecations.flatMap(({ value }) => (value.entries ?? []).map(({ reference }) => reference?.name ?? packageName)),
    );
    const channels = catalog.channels.filter(({ value }) => value.package === packageName);
    return channels.map(({ value: { name: channel = '', entries = [] } }) => {
      const graph = graphOf(entries, versions);
      return {
        packageName,
        channel,
        isDefault: channel === defaultChannel,
        graph,
        entries: graph.entries.toSorted(newestFirst),
        deprecated,
      };
    });
  });
}

function newestFirst({ version: left }: GraphEntry, { version: right }: GraphEntry): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return compareVersions(right, left);
}

/** The upgrades of a catalog as lines: for each bundle, what it upgrades from, and what OLM v0 installs after it. */
export function graphText(catalog: Catalog): string {
  const lines: string[] = [];
  let lastPackage: string | undefined;
  for (const { packageName, channel, isDefault, graph, entries, deprecated } of channelGraphs(catalog)) {
    if (packageName !== lastPackage) lines.push(`${packageName}${mark(packageName, deprecated)}`);
    lastPackage = packageName;
    lines.push(`  ${channel}${isDefault ? ' (default)' : ''}${mark(channel, deprecated)}`);
    const width = Math.max(...entries.map(({ name }) => name.length));
    for (const entry of entries) {
      const next =
        entry.version === undefined
          ? undefined
          : resolveSubscription(graph, { installed: { ...entry, version: entry.version } });
      const state = graph.heads.includes(entry.name) ? 'head' : next === undefined ? 'no upgrade' : `-> ${next}`;
      const rules = rulesOf(entry);
      const shown = `    ${entry.name.padEnd(width)}  ${state}${rules === '' ? '' : `; ${rules}`}`;
      lines.push(`${shown}${mark(entry.name, deprecated)}`);
    }
  }
  return lines.join('\n');
}

/** `replaces a, skips b, skipRange >=1.0.0 <2.0.0` */
export function rulesOf({ replaces, skips, skipRange }: GraphEntry): string {
  return [
    ...(replaces === undefined ? [] : [`replaces ${replaces}`]),
    ...(skips.length === 0 ? [] : [`skips ${skips.join(', ')}`]),
    ...(skipRange === undefined ? [] : [`skipRange ${skipRange}`]),
  ].join(', ');
}

function mark(name: string, deprecated: ReadonlySet<string>): string {
  return deprecated.has(name) ? ' (deprecated)' : '';
}
