import { parseVersion } from '../format/semantic-version.ts';
import type { CatalogCheck } from '../validate/catalog-check.ts';
import { OlmReport } from '../validate/finding.ts';
import type { ChannelEntry } from './catalog.ts';
import { CatalogUpdateError } from './catalog-update-error.ts';
import { deriveEntry } from './derive-entry.ts';
import { DocumentPlaces, loadCatalog, readCatalogFiles } from './read-catalog.ts';
import { graphOf, versionsOf } from './upgrade-graph.ts';

/** A bundle that is not in a catalog yet, or that is there from an earlier run. */
export interface PlacedBundle {
  readonly packageName: string;
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  readonly version: string;
  readonly channel: string;
}

/**
 * Returns the place that `evenkeel catalog` gives a bundle in a channel of the catalog in a folder: what it replaces. A bundle that is
 * in the channel already has the place that it would get without itself, so that the result stays the same after it has been added.
 * Throws CatalogUpdateError if the catalog cannot be read.
 */
export async function placeInCatalog(folder: string, bundle: PlacedBundle): Promise<ChannelEntry> {
  const { packageName, name, channel } = bundle;
  const report = new OlmReport<CatalogCheck>();
  const files = await readCatalogFiles(folder, report);
  const catalog = files === undefined ? undefined : loadCatalog(files, new DocumentPlaces(), report);
  if (catalog === undefined) throw new CatalogUpdateError('the catalog cannot be read', report.findings);
  const found = catalog.channels.find(({ value }) => value.package === packageName && value.name === channel);
  const others = (found?.value.entries ?? []).filter((entry) => entry.name !== name);
  const version = parseVersion(bundle.version);
  if (version === undefined) return { name };
  return deriveEntry(graphOf(others, versionsOf(catalog, packageName)), { name, version }).entry;
}
