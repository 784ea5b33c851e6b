import type { CatalogCheck } from '../validate/catalog-check.ts';
import { findingText, type OlmFinding } from '../validate/finding.ts';

/** A change of a catalog that is impossible, or that would make the catalog invalid. */
export class CatalogUpdateError extends Error {
  override readonly name = 'CatalogUpdateError';
  /** What is wrong with the catalog; empty if the message says it. */
  readonly findings: readonly OlmFinding<CatalogCheck>[];

  constructor(message: string, findings: readonly OlmFinding<CatalogCheck>[] = []) {
    super([message, ...findings.map((finding) => `    ${findingText(finding)} [${finding.check}]`)].join('\n'));
    this.findings = findings;
  }
}
