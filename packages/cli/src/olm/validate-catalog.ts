import { resolve } from 'node:path';
import { catalogChecks, validateCatalog } from '@evenkeel/olm';
import type { CommandDocument } from '../report/command-document.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { type FindingOptions, reportFindings, skippedChecks } from './report-findings.ts';

/** What `--output json` prints. */
export interface CatalogReportDocument extends CommandDocument {
  /** The number of bundles. Missing if the catalog cannot be read. */
  readonly bundles?: number;
}

/** Prints the findings about a catalog; resolves to the exit code. */
export async function validateCatalogFolder(
  folder: string,
  options: FindingOptions,
  terminal: CommandTerminal,
): Promise<number> {
  const skipped = skippedChecks(options, catalogChecks);
  const { bundles, findings } = await validateCatalog(resolve(terminal.folder, folder));
  const document: Partial<CatalogReportDocument> = bundles === undefined ? {} : { bundles };
  terminal.add(document);
  return reportFindings(
    { folder, name: bundles === undefined ? undefined : folder, findings },
    skipped,
    options,
    terminal,
  );
}
