import { type AnyClass, declarationsOf } from '@evenkeel/core';
import type { ClassReport, Finding } from '../finding/finding.ts';
import { type ReadClassOptions, readApiClass } from '../model/read-api-class.ts';
import { checkDeclarations, checkUnmarked } from '../resource-options/check-declarations.ts';
import type { ClassSource } from '../source/source-file.ts';
import type { ClassVersion } from './merge-versions.ts';

/**
 * Reads a class as a version of a kind, with its errors in the version's findings. For a class without `@CustomResource` it
 * returns undefined and adds a finding to `findings`.
 */
export async function readClassVersion(
  type: AnyClass,
  options: ReadClassOptions,
  findings: Finding[],
): Promise<ClassVersion | undefined> {
  const source = options.sources.sourceOf(type);
  const { customResource } = declarationsOf(type);
  if (customResource === undefined) {
    reportOf(type, source, findings).error(
      'missing-custom-resource',
      'it has no @CustomResource; add @CustomResource({ group, version }) above the class',
    );
    return undefined;
  }
  const own: Finding[] = [];
  const report = reportOf(type, source, own);
  const declaration = checkDeclarations(type, customResource, report);
  const root = await readApiClass(type, options, own);
  const isUncalled = (property: string) =>
    own.some((finding) => finding.code === 'decorator-not-called' && finding.property === property);
  checkUnmarked(root.properties, report, isUncalled);
  return { declaration, root, report, findings: own };
}

function reportOf(type: AnyClass, source: ClassSource | undefined, findings: Finding[]): ClassReport {
  const reportAs =
    (level: Finding['level']): ClassReport['error'] =>
    (code, message, { property, related, details } = {}) => {
      const line = property === undefined ? undefined : source?.properties.get(property)?.line;
      findings.push({
        level,
        code,
        className: type.name,
        ...(property === undefined ? {} : { property }),
        ...(source === undefined ? {} : { location: { file: source.file, line: line ?? source.line } }),
        ...(related === undefined ? {} : { related }),
        message,
        ...(details === undefined ? {} : { details }),
      });
    };
  return { error: reportAs('error'), notice: reportAs('notice') };
}
