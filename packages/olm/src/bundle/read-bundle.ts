import type { BundleCheck } from '../validate/bundle-check.ts';
import type { OlmReport } from '../validate/finding.ts';
import type { Bundle } from './bundle.ts';
import { BundleFolderError, readBundleFolder } from './bundle-folder.ts';
import { loadBundle } from './load-bundle.ts';

/**
 * Reads a bundle of the format registry+v1 in a folder. Returns undefined if it cannot be read; the report has the reasons. Bundles are
 * untrusted: their size, nesting and aliases are limited, and symbolic links are rejected. Never throws for what is in the folder.
 */
export async function readBundle(folder: string, report: OlmReport<BundleCheck>): Promise<Bundle | undefined> {
  let files: Awaited<ReturnType<typeof readBundleFolder>>;
  try {
    files = await readBundleFolder(folder);
  } catch (cause) {
    if (!(cause instanceof BundleFolderError) && (cause as NodeJS.ErrnoException).code === undefined) throw cause;
    report.add('bundle-unreadable', (cause as Error).message);
    return undefined;
  }
  return loadBundle(files, report);
}
