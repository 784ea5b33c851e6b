import { resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { type Bundle, type BundleCheck, findingText, OlmReport, readBundle } from '@evenkeel/olm';

/** Reads the bundle in a folder for a command that needs it. Throws `invalid-bundle` with all reasons why it cannot be read. */
export async function bundleIn(folder: string, given: string): Promise<Bundle> {
  const report = new OlmReport<BundleCheck>();
  const bundle = await readBundle(resolve(folder, given), report);
  if (bundle !== undefined) return bundle;
  const reasons = report.findings.map((finding) => `${given}: ${findingText(finding)} [${finding.check}]`);
  throw new EvenkeelError('invalid-bundle', reasons.join('\n'));
}
