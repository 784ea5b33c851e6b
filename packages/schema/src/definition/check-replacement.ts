import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type ComparedVersion, compareVersions } from '../diff/compare-versions.ts';
import type { DifferenceEffect, SchemaDifference } from '../diff/schema-difference.ts';
import { lossyCode } from '../resource-options/accepted-losses.ts';
import { checkReplacedVersions } from './check-replaced-versions.ts';
import { comparedVersion } from './compared-version.ts';
import { differenceDetails, lossyPath, lossyPaths } from './difference-details.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';
import type { PreviousDefinitions } from './previous-definitions.ts';
import type { StrayVersion } from './stray-versions.ts';

/**
 * What affects objects that are stored already. A new default does not: it adds a value that readers expect. A changed or removed
 * default does: objects that were stored before the field had a default have no value of their own.
 */
const onStored: ReadonlySet<DifferenceEffect> = new Set(['lost', 'overwritten', 'invalid', 'undecided', 'new-objects']);

/**
 * Reports what the replacement of the previous CRD breaks in clusters: removed versions that are still used, and objects that
 * were stored under the previous CRD and lose data or become invalid under the new one. The API server prunes unspecified fields
 * when it reads a stored object, and the next write makes the loss permanent. The schemas of the versions that both CRDs have are
 * compared.
 */
export function checkReplacement(
  definition: CustomResourceDefinition,
  kind: MergedKind,
  { replacedBy, areReleased }: PreviousDefinitions,
  strays: readonly StrayVersion[],
): void {
  const previous = replacedBy(definition);
  if (previous !== undefined) checkReplacedVersions(definition, kind, previous, { areReleased, strays });
  const scope = previous?.definition.spec.scope ?? definition.spec.scope;
  if (areReleased && scope !== definition.spec.scope) {
    kind.versions[0]?.report.error(
      'refused-by-api-server',
      `the scope is ${definition.spec.scope}, and ${scope} in the released CRD; the API server rejects a change of the scope, so restore it, or declare a new kind`,
    );
  }
  for (const [i, version] of kind.versions.entries()) {
    const { name } = definition.spec.versions[i] ?? {};
    const old = previous?.definition.spec.versions.find((other) => other.name === name);
    const current = definition.spec.versions[i];
    const differences =
      old === undefined || current === undefined
        ? []
        : reportChange({ version, kind: kind.names.kind, areReleased }, comparedVersion(old), comparedVersion(current));
    reportNeedless(version, areReleased, new Set(lossyPaths(differences, kind.names.kind)));
  }
}

interface ReplacedVersion {
  readonly version: ClassVersion;
  readonly kind: string;
  readonly areReleased: boolean;
}

/** Returns the differences that affect stored objects. */
function reportChange(
  { version: { declaration, root, report }, kind, areReleased }: ReplacedVersion,
  before: ComparedVersion,
  after: ComparedVersion,
): readonly SchemaDifference[] {
  const differences = compareVersions(before, after).filter(
    ({ direction, effect }) => direction === 'forward' && onStored.has(effect),
  );
  const reasonOf = (difference: SchemaDifference) =>
    areReleased ? declaration.lossy.stored.get(lossyPath(difference, kind)) : undefined;
  const { accepted = [], open = [] } = Object.groupBy(differences, (difference) =>
    reasonOf(difference) === undefined ? 'open' : 'accepted',
  );
  const detailsOf = (of: readonly SchemaDifference[]) =>
    differenceDetails(
      of,
      { name: `the previous ${declaration.version}`, schema: before.schema },
      { name: `the new ${declaration.version}`, schema: after.schema, root },
      reasonOf,
    );
  const affected = `objects of ${kind} that are stored under the ${areReleased ? 'released' : 'previous'} CRD`;
  if (accepted.length > 0) {
    report.notice('lossy-change', `${affected} lose data or become invalid, which lossy accepts`, {
      details: detailsOf(accepted),
    });
  }
  if (open.length > 0 && areReleased) {
    report.error(
      'lossy-change',
      `${affected} lose data or become invalid; keep the old fields and constraints, or accept this with ${lossyCode('stored', lossyPaths(open, kind))} in @CustomResource of ${root.name}`,
      { details: detailsOf(open) },
    );
  } else if (open.length > 0) {
    report.notice(
      'lossy-change',
      `${affected} lose data or become invalid; ignore this if no cluster has objects to keep. Otherwise keep the old fields and constraints, or move the data first`,
      { details: detailsOf(open) },
    );
  }
  return differences;
}

function reportNeedless(
  { declaration, report }: ClassVersion,
  areReleased: boolean,
  needed: ReadonlySet<string>,
): void {
  const paths = [...declaration.lossy.stored.keys()].filter((path) => !areReleased || !needed.has(path));
  if (paths.length === 0) return;
  const why = areReleased
    ? 'no object that is stored under the released CRD is affected there; remove it'
    : 'the configuration has no released CRDs to compare with; set "released", or remove it';
  report.notice('lossy-change', `@CustomResource: lossy.stored has no effect on ${paths.join(', ')}, because ${why}`);
}
