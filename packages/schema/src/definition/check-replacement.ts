import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { compareVersions } from '../diff/compare-versions.ts';
import type { DifferenceEffect } from '../diff/schema-difference.ts';
import { checkReplacedVersions } from './check-replaced-versions.ts';
import { comparedVersion } from './compared-version.ts';
import { differenceDetails, differingFields } from './difference-details.ts';
import type { ClassVersion, MergedKind } from './merge-versions.ts';
import type { PreviousDefinitions } from './previous-definitions.ts';

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
 *
 * Returns the versions that accept such a change by `lossy`.
 */
export function checkReplacement(
  definition: CustomResourceDefinition,
  kind: MergedKind,
  { replacedBy, areReleased }: PreviousDefinitions,
): ReadonlySet<ClassVersion> {
  const accepting = new Set<ClassVersion>();
  const previous = replacedBy(definition);
  if (previous === undefined) return accepting;
  checkReplacedVersions(definition, kind, previous, areReleased);
  const { versions, names } = kind;
  for (const [i, version] of versions.entries()) {
    const { declaration, root, report } = version;
    const name = declaration.version;
    const old = previous.definition.spec.versions.find((other) => other.name === name);
    const current = definition.spec.versions[i];
    if (old === undefined || current === undefined) continue;
    const [before, after] = [comparedVersion(old), comparedVersion(current)];
    const differences = compareVersions(before, after).filter(
      ({ direction, effect }) => direction === 'forward' && onStored.has(effect),
    );
    if (differences.length === 0) continue;
    const details = differenceDetails(
      differences,
      { name: `the previous ${name}`, schema: before.schema },
      { name: `the new ${name}`, schema: after.schema, root },
    );
    const affected = `objects of ${names.kind} that are stored under the ${areReleased ? 'released' : 'previous'} CRD`;
    if (!areReleased) {
      report.notice(
        'lossy-change',
        `${affected} lose data or become invalid; ignore this if no cluster has objects to keep. Otherwise keep the old fields and constraints, or move the data first`,
        { details },
      );
    } else if (declaration.lossy === undefined) {
      report.error(
        'lossy-change',
        `${affected} lose data or become invalid; keep the old fields and constraints, or accept this with lossy: '<reason>' in @CustomResource of ${root.name}`,
        { details },
      );
    } else {
      accepting.add(version);
      report.notice(
        'lossy-change',
        `${affected} lose data or become invalid (${differingFields(differences, names.kind)}), which lossy accepts: ${declaration.lossy}`,
      );
    }
  }
  return accepting;
}
