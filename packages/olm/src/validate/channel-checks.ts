import type { CatalogChannel, ChannelEntry, Located } from '../catalog/catalog.ts';
import { type GraphEntry, graphOf, type UpgradeGraph, versionsOf } from '../catalog/upgrade-graph.ts';
import { compareVersions, type SemanticVersion } from '../format/semantic-version.ts';
import { parseRange } from '../format/version-range.ts';
import { type CheckedCatalog, firstAndRepeated } from './checked-catalog.ts';

/** The checks of channels and their upgrade graphs. */
export function checkChannels(checked: CheckedCatalog): void {
  const { channels } = checked.catalog;
  const keyOf = ({ value }: Located<CatalogChannel>): string => JSON.stringify([value.package, value.name]);
  const { firsts, repeated } = firstAndRepeated(channels, keyOf);
  for (const [found, first] of repeated) {
    if (!found.value.name) continue;
    const message = `${first.document.file} has the channel ${found.value.name} of the package too; merge them`;
    checked.add('channel-duplicate', found, ['name'], message);
  }
  const versions = new Map<string, ReadonlyMap<string, SemanticVersion>>();
  for (const found of channels) {
    const { name, package: packageName = '' } = found.value;
    if (!name) checked.add('channel-name-missing', found, ['name'], 'it is missing; set the name of the channel');
    if (firsts.get(keyOf(found)) !== found) continue;
    const ofPackage = versions.get(packageName) ?? versionsOf(checked.catalog, packageName);
    versions.set(packageName, ofPackage);
    checkChannel(checked, found, ofPackage);
  }
}

function checkChannel(
  checked: CheckedCatalog,
  found: Located<CatalogChannel>,
  versions: ReadonlyMap<string, SemanticVersion>,
): void {
  const { name = '', package: packageName, entries = [] } = found.value;
  if (entries.length === 0) {
    checked.add('channel-empty', found, ['entries'], `channel ${name} has no entries; add one, or remove the channel`);
    return;
  }
  const bundles = checked.ofPackage(checked.catalog.bundles, packageName);
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const path = ['entries', index];
    const entryName = entry.name ?? '';
    if (entryName === '') {
      checked.add('channel-entry-name-missing', found, path, 'name is missing; set it to the name of a bundle');
    } else if (seen.has(entryName)) {
      const message = `channel ${name} has the entry ${entryName} twice; remove one of them`;
      checked.add('channel-entry-duplicate', found, [...path, 'name'], message);
    } else if (!bundles.has(entryName)) {
      const message = `no olm.bundle of the package has the name ${JSON.stringify(entryName)}; add the bundle, or remove the entry`;
      checked.add('channel-entry-without-bundle', found, [...path, 'name'], message);
    }
    seen.add(entryName);
    checkEntry(checked, found, entry, path);
  }
  const graph = graphOf(entries, versions);
  checkGraph(checked, found, graph);
  for (const entry of graph.entries) checkOrder(checked, found, graph, entry);
}

function checkEntry(
  checked: CheckedCatalog,
  found: Located<CatalogChannel>,
  { skips = [], skipRange }: ChannelEntry,
  path: readonly (string | number)[],
): void {
  for (const [index, skip] of skips.entries()) {
    if (skip !== '') continue;
    checked.add('channel-skip-empty', found, [...path, 'skips', index], 'it is empty; remove it');
  }
  if (skipRange && parseRange(skipRange) === undefined) {
    const message = `${JSON.stringify(skipRange)} is not a range; write it as ">=1.0.0 <1.2.0"`;
    checked.add('channel-skip-range-invalid', found, [...path, 'skipRange'], message);
  }
}

function checkGraph(checked: CheckedCatalog, found: Located<CatalogChannel>, graph: UpgradeGraph): void {
  const { name = '' } = found.value;
  const { entries, heads, cycle, stranded } = graph;
  if (entries.length > 0 && heads.length === 0) {
    const circle = circleIn(graph);
    const reason = circle === undefined ? '' : ` (${circle.join(' -> ')})`;
    const message = `channel ${name} has no head, because each entry is replaced or skipped${reason}; let nothing replace or skip its newest entry`;
    checked.add('channel-head-missing', found, ['entries'], message);
  }
  if (heads.length > 1) {
    const message = `channel ${name} has several heads: ${[...heads].sort().join(', ')}; let one of them replace or skip the others`;
    checked.add('channel-head-several', found, pathOf(found.value, heads[1] ?? ''), message);
  }
  if (cycle !== undefined) {
    const message = `the entries of channel ${name} replace one another in a circle: ${cycle.join(' -> ')}; remove one replaces`;
    checked.add('channel-cycle', found, [...pathOf(found.value, cycle.at(-2) ?? ''), 'replaces'], message);
  }
  for (const entry of stranded) {
    const message = `no upgrade leads from ${entry} to the head ${heads.join()}; let an entry of the chain replace or skip it`;
    checked.add('channel-entry-stranded', found, pathOf(found.value, entry), message);
  }
}

/** A circle along replaces and skips. */
function circleIn(graph: UpgradeGraph): string[] | undefined {
  const done = new Set<string>();
  for (const { name: start } of graph.entries) {
    const path: string[] = [];
    let next: string | undefined = start;
    while (next !== undefined && !done.has(next)) {
      if (path.includes(next)) return [...path.slice(path.indexOf(next)), next];
      path.push(next);
      const entry: GraphEntry | undefined = graph.entry(next);
      next = [entry?.replaces, ...(entry?.skips ?? [])].find((name) => name !== undefined && graph.entry(name));
    }
    for (const name of path) done.add(name);
  }
  return undefined;
}

/** Checks that only Evenkeel makes. */
function checkOrder(
  checked: CheckedCatalog,
  found: Located<CatalogChannel>,
  graph: UpgradeGraph,
  { name, version, replaces, skips, skipRange }: GraphEntry,
): void {
  const path = pathOf(found.value, name);
  if (replaces !== undefined && graph.entry(replaces) === undefined) {
    const message = `${replaces} is not in the channel, so OLM cannot install it before ${name}; add an entry for it, or remove replaces`;
    checked.add('channel-replaces-unknown', found, [...path, 'replaces'], message);
  }
  for (const older of [replaces ?? '', ...skips]) {
    const other = graph.entry(older)?.version;
    if (version === undefined || other === undefined || older === name || compareVersions(other, version) < 0) continue;
    const key = older === replaces ? 'replaces' : 'skips';
    const message = `${older} does not have a lower version than ${name}; replace and skip only older bundles`;
    checked.add('channel-order', found, [...path, key], message);
  }
  const range = skipRange === undefined ? undefined : parseRange(skipRange);
  if (range === undefined) return;
  if (version !== undefined && range(version)) {
    const message = `it contains the version of ${name} itself; end it before that version`;
    checked.add('channel-skip-range-own', found, [...path, 'skipRange'], message);
  }
  const isOlder = (each: GraphEntry): boolean =>
    each.name !== name && each.version !== undefined && range(each.version);
  if (replaces === undefined && graph.entries.some(isOlder)) {
    const message = `${name} has no replaces, so OLM cannot install older bundles of the channel; add replaces with the bundle before it`;
    checked.add('channel-skip-range-alone', found, [...path, 'skipRange'], message);
  }
}

function pathOf({ entries = [] }: CatalogChannel, name: string): (string | number)[] {
  return [
    'entries',
    Math.max(
      entries.findIndex((entry) => entry.name === name),
      0,
    ),
  ];
}
