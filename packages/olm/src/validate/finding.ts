import type { YamlDocument } from '../bundle/yaml-document.ts';
import { type BundleCheck, bundleChecks, type FindingLevel } from './bundle-check.ts';
import { type CatalogCheck, catalogChecks } from './catalog-check.ts';

/** The id of a check of bundles or of catalogs. */
export type OlmCheck = BundleCheck | CatalogCheck;

/** All checks. No id is used for both bundles and catalogs. */
export const olmChecks: Readonly<Record<OlmCheck, { readonly level: FindingLevel; readonly finds: string }>> = {
  ...bundleChecks,
  ...catalogChecks,
};

/** A problem of a bundle or of a catalog. */
export interface OlmFinding<C extends OlmCheck = OlmCheck> {
  readonly check: C;
  readonly level: FindingLevel;
  /** The path of the file in the bundle or the catalog. Missing if the finding is not about one file. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** The field in the file: `spec.icon[0].mediatype`. */
  readonly field?: string;
  /** The problem, and what to do. */
  readonly message: string;
}

/** Where a problem is. */
export interface FindingPlace {
  readonly file: string;
  readonly document?: Pick<YamlDocument, 'lineOf'> | undefined;
  readonly path?: readonly (string | number)[];
  /** The line in a file that cannot be parsed. */
  readonly line?: number;
}

/** Collects the findings of the checks. */
export class OlmReport<C extends OlmCheck> {
  readonly findings: OlmFinding<C>[] = [];

  /** @param level if it differs from that of the check. */
  add(check: C, message: string, place?: FindingPlace, level: FindingLevel = olmChecks[check].level): void {
    const path = place?.path ?? [];
    this.findings.push({
      check,
      level,
      ...(place === undefined ? {} : { file: place.file }),
      ...lineOf(place, path),
      ...(path.length === 0 ? {} : { field: fieldText(path) }),
      message,
    });
  }

  get hasErrors(): boolean {
    return this.findings.some(({ level }) => level === 'error');
  }
}

function lineOf(place: FindingPlace | undefined, path: readonly (string | number)[]): Pick<OlmFinding, 'line'> {
  const line = place?.line ?? place?.document?.lineOf(path);
  return line === undefined ? {} : { line };
}

/** A path as Kubernetes writes it. A key with other characters is in brackets and quotes. */
export function fieldText(path: readonly (string | number)[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\w-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}

/** `manifests/app.yaml:12: spec.version: message` */
export function findingText({ file, line, field, message }: OlmFinding): string {
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return [place, field, message].filter((part) => part !== undefined).join(': ');
}
