import type { YamlDocument } from '../bundle/yaml-document.ts';
import { type BundleCheck, bundleChecks, type FindingLevel } from './bundle-check.ts';

/** A problem of a bundle. */
export interface BundleFinding {
  readonly check: BundleCheck;
  readonly level: FindingLevel;
  /** The path of the file in the bundle. Missing if the finding is about the bundle as a whole. */
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
  readonly document?: YamlDocument | undefined;
  readonly path?: readonly (string | number)[];
  /** The line in a file that cannot be parsed. */
  readonly line?: number;
}

/** Collects the findings of the checks. */
export class BundleReport {
  readonly findings: BundleFinding[] = [];

  /** @param level if it differs from that of the check. */
  add(
    check: BundleCheck,
    message: string,
    place?: FindingPlace,
    level: FindingLevel = bundleChecks[check].level,
  ): void {
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

function lineOf(place: FindingPlace | undefined, path: readonly (string | number)[]): Pick<BundleFinding, 'line'> {
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
export function bundleFindingText({ file, line, field, message }: BundleFinding): string {
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return [place, field, message].filter((part) => part !== undefined).join(': ');
}
