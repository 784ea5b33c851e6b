import type { Catalog } from '../catalog/catalog.ts';
import { type CatalogFile, DocumentPlaces, loadCatalog, readCatalogFiles } from '../catalog/read-catalog.ts';
import { checkCatalogBundles } from './catalog-bundle-checks.ts';
import type { CatalogCheck } from './catalog-check.ts';
import { checkChannels } from './channel-checks.ts';
import { CheckedCatalog } from './checked-catalog.ts';
import { checkDeprecations } from './deprecation-checks.ts';
import { type OlmFinding, OlmReport } from './finding.ts';
import { checkPackages } from './package-checks.ts';

/** The result of {@link validateCatalog}. */
export interface CatalogValidation {
  /** The number of bundles. Missing if the catalog cannot be read. */
  readonly bundles?: number;
  /** In the order of the checks. */
  readonly findings: readonly OlmFinding<CatalogCheck>[];
}

/**
 * Validates a file-based catalog in a folder, whichever tool made it. It needs no images and changes nothing. If the catalog cannot be
 * read, only the reasons for that are reported.
 *
 * The checks are those of `opm validate` (operator-registry v1.69.0), and more ({@link catalogChecks}). Catalogs are untrusted: their
 * size, nesting and aliases are limited, and symbolic links are rejected. Never throws for what is in the folder.
 */
export async function validateCatalog(folder: string): Promise<CatalogValidation> {
  const report = new OlmReport<CatalogCheck>();
  const files = await readCatalogFiles(folder, report);
  const catalog = files === undefined ? undefined : checkFiles(files, report);
  return { ...(catalog === undefined ? {} : { bundles: catalog.bundles.length }), findings: report.findings };
}

/** Checks the files of a catalog. Returns undefined if they cannot be read. */
export function checkFiles(files: readonly CatalogFile[], report: OlmReport<CatalogCheck>): Catalog | undefined {
  const places = new DocumentPlaces();
  const catalog = loadCatalog(files, places, report);
  if (catalog === undefined) return undefined;
  const checked = new CheckedCatalog(catalog, places, report);
  checkPackages(checked);
  checkChannels(checked);
  checkCatalogBundles(checked);
  checkDeprecations(checked);
  return catalog;
}
